//! What a refusal means for the one who asked, in a sentence with the way out.

use super::Client;
use crate::mark::wire::Status;
use crate::text::visible_line;

impl Client {
    /// The sentence for a status that is not `ok`: which path, whose token, and what
    /// to do. `message` is what the server said beside it; it may be empty. A status
    /// that is not known is told as it came.
    pub fn refusal(&self, path: &str, status: &Status, message: &str) -> String {
        let server = self.address().identity();
        let path = visible_line(path);
        match (status, self.token_origin()) {
            (Status::Archived, _) => format!(
                "{server}{path} is archived (archived); a version of it can still be read as \
                 {path}/vN"
            ),
            (Status::Unauthorized, Some(origin)) => format!(
                "{server} does not accept the token of {origin} for {path} (unauthorized); it may \
                 have expired: ask for another one"
            ),
            (Status::Unauthorized, None) => format!(
                "{server} wants a token for {path} (unauthorized); give one with --token-file or in \
                 DEMARKUS_AUTH, or keep it in ~/.mark/tokens.toml or ~/.mark/tokens.d"
            ),
            (Status::NotPermitted, Some(origin)) => format!(
                "{server} does not let the token of {origin} read {path} (not-permitted); another \
                 one is needed"
            ),
            (Status::NotPermitted, None) => format!(
                "{server} does not let {path} be read without a token (not-permitted); give one \
                 with --token-file or in DEMARKUS_AUTH"
            ),
            (Status::RateLimited, _) => format!(
                "{server} wants fewer requests (rate-limited); it was asked three times: try again \
                 later"
            ),
            (Status::NotFound, _) if message.is_empty() => {
                format!("{server} has no {path} (not-found); check the path")
            }
            (status, _) => {
                let word = match status.as_str() {
                    "" => "without a status".to_owned(),
                    word => visible_line(word),
                };
                let said = match message {
                    "" => String::new(),
                    message => format!(": {}", visible_line(message)),
                };
                format!("{server} answered {word} for {path}{said}")
            }
        }
    }
}
