//! Several worlds asked at once.

use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::{self, FuturesUnordered};

use super::NOT_FOUND;
use super::reader::Reader;
use crate::document::Document;
use crate::lookup::{Asked, Failure, Fetched, Part, PartAnswer, Question, merge};
use crate::mark::{Address, Authority};
use crate::selection::Answered;

/// Worlds asked at a time.
const AT_ONCE: usize = 8;

/// Several worlds. One that cannot be opened stays among them, as failed.
pub struct Many {
    members: Vec<Member>,
}

struct Member {
    name: String,
    reader: Result<Reader, String>,
}

impl Many {
    /// Worlds under their own names, or why one is not there. A name is made one
    /// that a location can have, and unlike the others.
    pub fn new(worlds: impl IntoIterator<Item = (String, Result<Reader, String>)>) -> Self {
        let mut members: Vec<Member> = Vec::new();
        for (name, reader) in worlds {
            let name = host_name(&name);
            let mut unlike = name.clone();
            let mut number = 2;
            while members.iter().any(|member| member.name == unlike) {
                // A port cannot be counted on: the number is part of the name.
                let plain = name.replace(['[', ']', ':'], "-");
                unlike = format!("{}-{number}", plain.trim_matches('-'));
                number += 1;
            }
            members.push(Member { name: unlike, reader });
        }
        Self { members }
    }

    /// The names, in the order given.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|member| member.name.as_str())
    }

    /// The worlds that are there.
    pub fn readers(&self) -> impl Iterator<Item = &Reader> {
        self.members.iter().filter_map(|member| member.reader.as_ref().ok())
    }

    /// Puts a question to all worlds. One that no world would accept is refused as a
    /// world refuses it.
    ///
    /// # Errors
    /// No world answers; why.
    pub async fn ask(&self, question: &Question) -> Result<Asked, String> {
        if let Err(refusal) = question.request.checked() {
            let message = refusal.message().to_owned();
            let sent = question.request.match_sent;
            let answered = Answered::from_catalog(&Err(refusal), sent, question.verbose);
            return Ok(Asked::new(answered, question, Some(message)));
        }
        let asked: Vec<_> = self.members.iter().map(|member| member.part(question)).collect();
        let parts: Vec<Part> = stream::iter(asked).buffered(AT_ONCE).collect().await;
        // That a world could not be opened was told when it was tried.
        let remarks = parts.iter().zip(&self.members).filter_map(|(part, member)| {
            member.reader.as_ref().ok()?;
            let error = part.answer.as_ref().err()?;
            Some(format!("{} does not answer: {error}", part.world))
        });
        let remarks = remarks.collect();
        Ok(Asked::new(merge(question, &parts)?, question, None).with_remarks(remarks))
    }

    /// A document that is had without waiting.
    pub(super) fn at_hand(&self, location: &str) -> Option<Fetched> {
        let Some((reader, path)) = self.place(location) else {
            return Some(Fetched::Error(NOT_FOUND.to_owned()));
        };
        reader.at_hand(&path).map(|fetched| at(location, fetched))
    }

    /// Fetches documents at once; each goes to `take` when it comes.
    pub(super) async fn fetch(
        &self,
        locations: Vec<String>,
        mut take: impl FnMut(String, Fetched) + Send,
    ) {
        let mut all: FuturesUnordered<_> =
            locations.into_iter().map(|location| self.fetch_one(location)).collect();
        while let Some((location, fetched)) = all.next().await {
            take(location, fetched);
        }
    }

    async fn fetch_one(&self, location: String) -> (String, Fetched) {
        if let Some(fetched) = self.at_hand(&location) {
            return (location, fetched);
        }
        let fetched = match self.place(&location) {
            Some((Reader::Remote(world), path)) => at(&location, world.fetch_one(&path).await),
            _ => Fetched::Error(NOT_FOUND.to_owned()),
        };
        (location, fetched)
    }

    /// Ends all connections.
    pub(super) async fn close(&self) {
        for reader in self.readers() {
            if let Reader::Remote(world) = reader {
                world.close().await;
            }
        }
    }

    fn place(&self, location: &str) -> Option<(&Reader, String)> {
        let (member, path) = self.member(location)?;
        let reader = self.members[member].reader.as_ref().ok()?;
        Some((reader, path))
    }

    /// The world of a location, and the decoded path in it.
    fn member(&self, location: &str) -> Option<(usize, String)> {
        let (address, path) = Address::parse(location).ok()?;
        let authority = Authority::of(&address.identity());
        let member = self
            .members
            .iter()
            .position(|member| Authority::of(&format!("mark://{}/", member.name)) == authority)?;
        Some((member, path))
    }
}

impl Member {
    async fn part(&self, question: &Question) -> Part {
        let answer = match &self.reader {
            Ok(reader) => part(reader, question).await,
            Err(error) => Err(error.clone()),
        };
        Part { world: self.name.clone(), answer }
    }
}

/// What a world answers, as it stands.
async fn part(reader: &Reader, question: &Question) -> Result<PartAnswer, String> {
    match reader {
        Reader::Store(store) => match store.catalog().lookup(&question.request) {
            Ok(answer) => Ok(PartAnswer {
                matches: Some(answer.rows.len()),
                match_echo: answer.match_echo,
                body: answer.body,
            }),
            Err(refusal) => Err(format!("{}: {refusal}", refusal.status())),
        },
        Reader::Remote(world) => world.part(question).await,
        Reader::Many(_) | Reader::Recorded(_) | Reader::Tool(_) => {
            Err("only a world can be one of several".into())
        }
    }
}

/// What came of a document, at the location that several worlds have it at.
fn at(location: &str, fetched: Fetched) -> Fetched {
    match fetched {
        Fetched::Document(document) => {
            let moved = Document::new(location, document.body())
                .with_version(document.version())
                .with_modified(document.modified())
                .with_metadata(document.metadata().clone());
            Fetched::Document(Arc::new(moved))
        }
        // That one world is gone says nothing of the others.
        Fetched::Failed(failure) => Fetched::Failed(Failure { is_cut_off: false, ..failure }),
        Fetched::Error(error) => Fetched::Error(error),
    }
}

/// A name as a location can have it.
fn host_name(name: &str) -> String {
    let name = name.strip_prefix("mark://").unwrap_or(name);
    if Address::of_authority(name).is_ok() {
        return name.to_lowercase();
    }
    let kept = name.chars().map(|c| match c {
        c if c.is_ascii_alphanumeric() || "-._~".contains(c) => c.to_ascii_lowercase(),
        _ => '-',
    });
    let kept: String = kept.collect();
    if kept.trim_matches('-').is_empty() { "world".into() } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worlds_have_names_that_a_location_can_have() {
        let names = [
            "music",
            "Music",
            "my notes",
            "mark://Kb.Example:7000",
            "mark://kb.example:7000",
            "mark://[::1]",
            "mark://[::1]",
            "日本",
            "",
        ];
        let many = Many::new(names.map(|name| (name.to_owned(), Err("gone".to_owned()))));
        let got: Vec<&str> = many.names().collect();
        assert_eq!(
            got,
            [
                "music",
                "music-2",
                "my-notes",
                "kb.example:7000",
                "kb.example-7000-2",
                "[::1]",
                "1-2",
                "日本",
                "world"
            ]
        );
        for (at, name) in got.iter().enumerate() {
            let location = crate::mark::location_of(name, "/a b#c.md");
            assert_eq!(many.member(&location), Some((at, "/a b#c.md".to_owned())), "{location}");
        }
        assert_eq!(many.member("mark://elsewhere/x.md"), None);
    }
}
