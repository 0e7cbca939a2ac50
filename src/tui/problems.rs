//! What is wrong with the world's files, in words.

use super::width::grouped;

/// What is wrong with the world's files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems {
    /// A sentence each.
    pub sentences: Vec<String>,
    /// How many documents are left out of the world for it.
    pub left_out: usize,
}

impl Problems {
    /// Takes up more of them.
    pub fn extend(&mut self, more: Self) {
        self.sentences.extend(more.sentences);
        self.left_out += more.left_out;
    }

    /// Whether there is nothing to tell.
    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty() && self.left_out == 0
    }

    /// Sentences about documents that are in the world all the same.
    fn remarks(&self) -> usize {
        self.sentences.len().saturating_sub(self.left_out)
    }

    /// The weightier of both counts, for a corner of the screen.
    pub fn notice(&self) -> String {
        match (self.left_out, self.remarks()) {
            (0, remarks) => format!("{} on the world", counted(remarks, "remark")),
            (left_out, _) => format!("{} left out", counted(left_out, "document")),
        }
    }

    /// Both counts.
    pub fn summary(&self) -> String {
        let remarks = counted(self.remarks(), "remark");
        match (self.left_out, self.remarks()) {
            (0, _) => remarks,
            (_, 0) => self.notice(),
            _ => format!("{}; {remarks}", self.notice()),
        }
    }
}

fn counted(count: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_not_documents_left_out() {
        let told = |sentences: usize, left_out| {
            let sentences = vec![String::new(); sentences];
            let problems = Problems { sentences, left_out };
            (problems.notice(), problems.summary())
        };
        let both = ("4 documents left out".into(), "4 documents left out; 3 remarks".into());
        assert_eq!(told(7, 4), both);
        assert_eq!(told(1, 0), ("1 remark on the world".into(), "1 remark".into()));
        assert_eq!(told(1, 1), ("1 document left out".into(), "1 document left out".into()));
    }
}
