//! x
/// x
pub fn expansion_terms(query: &str) -> Vec<String> {
    let _ = query;
    vec![]
}
