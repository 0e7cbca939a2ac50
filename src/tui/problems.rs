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

    /// Sentences about documents that are in the world all the same, and `more`
    /// about something else.
    fn remarks(&self, more: usize) -> usize {
        self.sentences.len().saturating_sub(self.left_out) + more
    }

    /// The weightier of both counts, for a corner of the screen, with `more` remarks
    /// on the last answer; empty where there is nothing to tell.
    pub fn notice(&self, more: usize) -> String {
        match (self.left_out, self.remarks(more)) {
            (0, 0) => String::new(),
            (0, remarks) => format!("{} on the world", counted(remarks, "remark")),
            (left_out, _) => format!("{} left out", counted(left_out, "document")),
        }
    }

    /// Both counts.
    pub fn summary(&self, more: usize) -> String {
        let remarks = counted(self.remarks(more), "remark");
        match (self.left_out, self.remarks(more)) {
            (0, _) => remarks,
            (_, 0) => self.notice(more),
            _ => format!("{}; {remarks}", self.notice(more)),
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
            (problems.notice(0), problems.summary(0))
        };
        let both = ("4 documents left out".into(), "4 documents left out; 3 remarks".into());
        assert_eq!(told(7, 4), both);
        assert_eq!(told(1, 0), ("1 remark on the world".into(), "1 remark".into()));
        let quiet = Problems::default();
        assert_eq!(
            (quiet.notice(0), quiet.notice(2)),
            (String::new(), "2 remarks on the world".into())
        );
        assert_eq!(told(1, 1), ("1 document left out".into(), "1 document left out".into()));
    }
}
