//! All documents of a directory on a server, listed and fetched one by one: for a
//! server that cannot answer LOOKUP, or to ask it what it does not know.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream;

use super::answer::refused;
use super::{Fetched, RemoteError, RemoteWorld};
use crate::document::Document;
use crate::mark::client::ListOptions;
use crate::mark::decoded_segment;
use crate::mark::wire::{MAX_PATH, Response, Status};
use crate::text::visible_line;
use crate::world::{ARCHIVED, NOT_FOUND};

/// The most documents of a crawl, where nothing else is said.
pub const MAX_DOCUMENTS: usize = 5000;

/// Requests under way at a time: a server has ten streams for a connection.
const AT_ONCE: usize = 8;

/// How far a crawl is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Documents listed so far.
    pub listed: usize,
    /// Documents read so far.
    pub read: usize,
}

/// What a crawl brought.
#[derive(Debug)]
pub struct Crawled {
    /// The documents, at their paths on the server.
    pub documents: Vec<Arc<Document>>,
    /// What is missing, a sentence each.
    pub problems: Vec<String>,
    /// How many documents were listed and not read.
    pub left_out: usize,
    /// The paths of what was not read, and may be there; one with a `/` at its end is
    /// all below it that is not among the documents.
    pub unread: Vec<String>,
}

/// One directory as listed.
#[derive(Default)]
struct Listed {
    directories: Vec<String>,
    documents: Vec<String>,
    problems: Vec<String>,
    /// Whether it may have more entries.
    is_cut: bool,
}

impl RemoteWorld {
    /// Lists the location's directory and all below it, and fetches the documents,
    /// `most` of them at most. `tell` hears how far it is.
    ///
    /// # Errors
    /// The directory cannot be listed. That a part of it cannot be read is a problem
    /// among the others.
    pub async fn crawl(
        &self,
        most: usize,
        mut tell: impl FnMut(Progress),
    ) -> Result<Crawled, RemoteError> {
        let mut progress = Progress::default();
        let mut problems = Vec::new();
        let mut paths: Vec<String> = Vec::new();
        let root = self.scope().trim_end_matches('/').to_owned();
        let mut level = vec![root.clone()];
        let mut directories = 0;
        let mut unread = Vec::new();
        while !level.is_empty() && paths.len() <= most && directories <= most {
            directories += level.len();
            let mut next = Vec::new();
            let mut listings = stream::iter(level)
                .map(|directory| async move {
                    let listed = self.list(&directory, most).await;
                    (directory, listed)
                })
                .buffered(AT_ONCE);
            while let Some((directory, listed)) = listings.next().await {
                match listed {
                    Ok(listed) => {
                        if listed.is_cut {
                            unread.push(format!("{directory}/"));
                        }
                        next.extend(listed.directories);
                        paths.extend(listed.documents);
                        problems.extend(listed.problems);
                    }
                    Err(error) if directory == root => return Err(error),
                    Err(error) => {
                        unread.push(format!("{directory}/"));
                        problems
                            .push(format!("{}/ is left out: {error}", visible_line(&directory)));
                    }
                }
                progress.listed = paths.len().min(most);
                tell(progress);
            }
            level = next;
        }
        if paths.len() > most || directories > most {
            problems.push(format!(
                "{} has more documents than {most}; the rest is left out, --max-documents takes more",
                self.name()
            ));
            paths.truncate(most);
            unread.push(format!("{root}/"));
        }
        let mut crawled = Crawled { documents: Vec::new(), problems, left_out: 0, unread };
        self.read_all(paths, progress, &mut crawled, tell).await;
        Ok(crawled)
    }

    async fn read_all(
        &self,
        paths: Vec<String>,
        mut progress: Progress,
        crawled: &mut Crawled,
        mut tell: impl FnMut(Progress),
    ) {
        let count = paths.len();
        let mut wanted: BTreeSet<String> = paths.iter().cloned().collect();
        let mut fetches = stream::iter(paths)
            .map(|path| async move {
                self.count(1);
                let fetched = self.fetch_one(&path).await;
                (path, fetched)
            })
            .buffered(AT_ONCE);
        while let Some((path, fetched)) = fetches.next().await {
            match fetched {
                Fetched::Document(document) => {
                    wanted.remove(&path);
                    crawled.documents.push(document);
                }
                Fetched::Error(error) => {
                    // Gone since it was listed.
                    if matches!(error.as_str(), ARCHIVED | NOT_FOUND) {
                        wanted.remove(&path);
                    }
                    let told = format!("{} is left out: {error}", visible_line(&path));
                    crawled.problems.push(told);
                }
                Fetched::Failed(failure) => {
                    crawled.problems.push(format!("left out: {}", failure.sentence));
                    if failure.is_cut_off {
                        let rest = count - crawled.documents.len();
                        crawled.problems.push(format!(
                            "the server is gone: {rest} of {count} documents not read"
                        ));
                        break;
                    }
                }
            }
            progress.read += 1;
            tell(progress);
        }
        drop(fetches);
        crawled.left_out = count - crawled.documents.len();
        crawled.unread.extend(wanted);
    }

    /// Which of some paths, that no list has, are those of archived documents.
    ///
    /// # Errors
    /// The server does not answer.
    pub async fn archived(&self, paths: Vec<String>) -> Result<Vec<String>, RemoteError> {
        let mut fetches = stream::iter(paths)
            .map(|path| async move {
                self.count(1);
                (self.fetch_one(&path).await, path)
            })
            .buffered(AT_ONCE);
        let mut archived = Vec::new();
        while let Some((fetched, path)) = fetches.next().await {
            match fetched {
                Fetched::Error(error) if error == ARCHIVED => archived.push(path),
                Fetched::Failed(failure) => return Err(RemoteError::Refused(failure.sentence)),
                _ => {}
            }
        }
        Ok(archived)
    }

    /// One directory, page after page. Its path has no slash at its end.
    async fn list(&self, directory: &str, most: usize) -> Result<Listed, RemoteError> {
        let mut listed = Listed::default();
        let mut cursor: Option<String> = None;
        loop {
            let options = ListOptions { cursor: cursor.clone(), ..ListOptions::default() };
            let path = if directory.is_empty() { "/" } else { directory };
            self.count(1);
            let response = self.client.list(path, &options).await?;
            if response.status != Status::Ok {
                return Err(RemoteError::Refused(refused(&self.client, path, &response)));
            }
            listed.take(directory, &response);
            let shown = visible_line(path);
            match response.get("complete") {
                Some("true") => return Ok(listed),
                Some(_) => {}
                None => {
                    listed.is_cut = true;
                    listed.problems.push(format!(
                        "the server does not say whether its list of {shown} is whole"
                    ));
                    return Ok(listed);
                }
            }
            let next = response.get("next-cursor").map(str::to_owned);
            if next.is_none() || next == cursor {
                listed.is_cut = true;
                listed.problems.push(format!("the server's list of {shown} breaks off"));
                return Ok(listed);
            }
            if listed.documents.len() > most || listed.directories.len() > most {
                return Ok(listed);
            }
            cursor = next;
        }
    }
}

impl Listed {
    /// Takes the entries of one page. The link tells the name: what is shown of it
    /// has escapes.
    fn take(&mut self, directory: &str, response: &Response) {
        let body = String::from_utf8_lossy(&response.body);
        let links = body.lines().filter_map(|line| {
            line.strip_prefix("- [")?.strip_suffix(')')?.rsplit_once("](").map(|(_, link)| link)
        });
        for link in links {
            let (segment, is_directory) = match link.strip_suffix('/') {
                Some(segment) => (segment, true),
                None => (link, false),
            };
            let Some(name) = decoded_segment(segment) else {
                self.problems.push(format!("{} is left out: no name", visible_line(link)));
                continue;
            };
            let path = format!("{directory}/{name}");
            if path.len() > MAX_PATH {
                self.problems.push(format!("{} is left out: too long", visible_line(&path)));
            } else if is_directory {
                self.directories.push(path);
            } else {
                self.documents.push(path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_read_by_their_links() {
        let body = "\n# Index of /d/\n\n- [a\\_b.md](a_b.md)\n- [x y\\).md](x%20y%29.md)\n- [sub/](sub/)\n\
                    - [up](..)\n- [up/](../)\n- [slash](a%2Fb.md)\n- [nul](a%00.md)\nno entry\n";
        let mut response = Response::parse(b"---\nstatus: ok\n---\n").expect("a response");
        response.body = body.into();
        let mut listed = Listed::default();
        listed.take("/d", &response);
        assert_eq!(listed.documents, ["/d/a_b.md", "/d/x y).md"]);
        assert_eq!(listed.directories, ["/d/sub"]);
        assert_eq!(listed.problems.len(), 4);
    }
}
