//! The commands in the README give what the README shows.

#[test]
fn commands() {
    trycmd::TestCases::new().env("NO_COLOR", "1").env("TERM", "xterm").case("README.md");
}
