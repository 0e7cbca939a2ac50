//! The text of a result, cut into items by the grammar of its frame.

use super::NoResult;
use crate::selection::answered::FELL_BACK;
use crate::selection::print::item;
use crate::selection::{Answered, Engine, Item, Kind};
use crate::text::visible_line;

const MARK: &str = ">>>";

/// A result's text in parts.
pub(super) struct Frames {
    pub(super) answered: Answered,
    pub(super) items: Vec<Item>,
    /// Whether the text ends before the result does.
    pub(super) is_cut: bool,
    /// The budget that the note on a table without room names.
    told: Option<u64>,
}

impl Frames {
    pub(super) fn cut(text: &str) -> Result<Self, NoResult> {
        let first = text.lines().next().unwrap_or_default();
        let Some(status) = first.strip_prefix("status: ") else {
            return Err(NoResult {
                line: 1,
                message: format!(
                    "a result begins with `status: ok`, not with `{}`; give the whole text as \
                     the tool returned it",
                    visible_line(&first.chars().take(40).collect::<String>())
                ),
            });
        };
        let envelope = text.find("\n\n").map_or(text.len(), |end| end + 2);
        let (envelope, rest) = text.split_at(envelope);
        let is_ok = matches!(status, "ok" | "partial");
        let start = if is_ok { expansion(rest) } else { None };
        let (ahead, expansion) = rest.split_at(start.unwrap_or(rest.len()));
        let (table, note) = match ahead.strip_suffix(FELL_BACK) {
            Some(table) => (table, Some(FELL_BACK)),
            None => (ahead, None),
        };
        let answered = Answered::read_back(status, envelope, table, note);
        // Behind a refusal, and where no row is, nothing is expanded.
        let mut frames = Self { answered, items: Vec::new(), is_cut: false, told: None };
        let parts = [
            (Kind::Envelope, Some(envelope)),
            (Kind::Table, Some(table)),
            (Kind::Note, note),
            (Kind::Gap, expansion.get(..1)),
        ];
        for (kind, text) in parts {
            if let Some(text) = text {
                let charged = if kind == Kind::Gap { 0 } else { text.len() };
                frames.items.push(Item { charged, ..item(kind, text.to_owned()) });
            }
        }
        let mut rest = expansion.get(1..).unwrap_or_default();
        while !rest.is_empty() {
            let end = rest.find("\n>>>").map_or(rest.len(), |end| end + 1);
            let (frame, behind) = rest.split_at(end);
            frames.take(frame);
            rest = behind;
        }
        let closed = frames.items.last().is_some_and(|last| closing(&last.text).is_some());
        let alone = frames.told.is_some();
        frames.is_cut |= !expansion.is_empty() && !closed && !alone;
        // What stands behind the rows that came is not known where not all have come.
        let lacks_end = !envelope.ends_with("\n\n");
        let is_short = frames.lacks_rows().is_some() || lacks_end;
        frames.is_cut |= expansion.is_empty() && is_short;
        Ok(frames)
    }

    /// How many rows are not there of those that the envelope counts, and how many these
    /// are, where some are not.
    pub(super) fn lacks_rows(&self) -> Option<(usize, usize)> {
        let mut lines = self.answered.envelope().lines();
        let matches = lines.find_map(|line| line.strip_prefix("matches: "))?;
        let counted = matches.trim().parse::<usize>().ok()?;
        let is_ok = matches!(self.answered.status(), "ok" | "partial");
        let lacking = counted.checked_sub(self.answered.rows().len())?;
        (is_ok && lacking > 0).then_some((lacking, counted))
    }

    /// Takes one frame: from one mark in the first column to the next.
    fn take(&mut self, frame: &str) {
        let mut taken = Item { charged: frame.len(), ..item(Kind::Note, frame.to_owned()) };
        let head = frame.lines().next().unwrap_or_default();
        if let Some(note) = note(frame) {
            if let Some((location, earlier)) = covered(note) {
                let known = self.printed(earlier);
                if known.is_some() {
                    taken.kind = Kind::Covered;
                    taken.location = Some(location.to_owned());
                    taken.refers_to = known;
                }
            }
            self.told = self.told.or_else(|| table_alone(note));
        } else if head.starts_with(">>> related: ") {
            taken.kind = Kind::RelationLine;
        } else if let Some(location) = head.strip_prefix(">>> ") {
            taken.kind = Kind::Block;
            taken.location = Some(location.to_owned());
            match block_text(frame) {
                Some(text) => {
                    if let Some(first) = text.strip_prefix("same text as ")
                        && let Some(at) = self.printed(first)
                    {
                        taken.kind = Kind::Stub;
                        taken.refers_to = Some(at);
                    }
                }
                None => self.is_cut = true,
            }
        }
        self.items.push(taken);
    }

    /// The first block or stub that was printed at a location.
    fn printed(&self, location: &str) -> Option<usize> {
        self.items.iter().position(|item| {
            matches!(item.kind, Kind::Block | Kind::Stub)
                && item.location.as_deref() == Some(location)
        })
    }

    /// The budget: as given, or as the text tells it.
    pub(super) fn budget(&self, given: Option<u64>) -> Option<u64> {
        let none = !self.is_cut
            && !self.answered.rows().is_empty()
            && !self.items.iter().any(|item| item.kind == Kind::Gap);
        given.or(self.told).or(none.then_some(0))
    }

    /// The engine, where the text has something that only one of them prints.
    pub(super) fn engine(&self) -> Option<Engine> {
        let only = |item: &Item| {
            matches!(item.kind, Kind::Stub | Kind::Covered | Kind::RelationLine)
                || note(&item.text).is_some_and(|note| {
                    note.starts_with("did not fit: ")
                        || closing(&item.text).is_some_and(|closing| closing.related > 0)
                        || table_alone(note).is_some()
                })
        };
        let nothing = !self.is_cut && !self.items.iter().any(|item| item.kind == Kind::Gap);
        (nothing || self.items.iter().any(only)).then_some(Engine::Selection)
    }
}

/// Where the expansion begins behind the envelope: at the line feed ahead of the
/// first mark in the first column.
fn expansion(rest: &str) -> Option<usize> {
    let start = if rest.starts_with(MARK) { None } else { rest.find("\n>>>") };
    start.filter(|start| rest[start + 1..].starts_with(">>> "))
}

/// The words of a note.
pub(super) fn note(frame: &str) -> Option<&str> {
    let note = frame.strip_prefix(">>> note: ")?;
    Some(note.strip_suffix('\n').unwrap_or(note))
}

/// The text of a whole block.
pub(super) fn block_text(frame: &str) -> Option<&str> {
    let (_, text) = frame.split_once("\n\n")?;
    text.strip_suffix("\n\n")
}

/// The piece that a note says is covered, and where it stands.
fn covered(note: &str) -> Option<(&str, &str)> {
    let within = note.strip_suffix(" above").and_then(|it| it.split_once(" is within "));
    within.or_else(|| note.strip_suffix(" above; skipped")?.split_once(" encloses "))
}

/// Whether a covered note says that the piece reaches beyond what it overlaps.
pub(super) fn encloses(frame: &str) -> bool {
    note(frame).is_some_and(|note| note.ends_with(" above; skipped"))
}

/// The budget that the note on a table without room names, in tokens.
pub(super) fn table_alone(note: &str) -> Option<u64> {
    let rest = note.strip_prefix("the table alone used ")?;
    let (_, rest) = rest.split_once(" of ")?;
    rest.strip_suffix(" result tokens; raise budget or fetch a row")?.parse().ok()
}

/// What the last note counts.
pub(super) struct Closing {
    pub(super) expanded: usize,
    pub(super) related: usize,
}

/// Reads the last note.
pub(super) fn closing(frame: &str) -> Option<Closing> {
    let counts = note(frame)?.strip_prefix("expanded ")?.strip_suffix(" within the budget")?;
    let (rows, related) = match counts.split_once(" rows and ") {
        Some((rows, related)) => (rows, related.strip_suffix(" related documents")?.parse().ok()?),
        None => (counts.strip_suffix(" rows")?, 0),
    };
    let (expanded, of) = rows.split_once(" of ")?;
    let _: usize = of.parse().ok()?;
    Some(Closing { expanded: expanded.parse().ok()?, related })
}

/// What a note says did not fit: locations with their tokens, and how many more.
pub(super) fn unfit(note: &str) -> Option<(Vec<(String, usize)>, usize)> {
    let list = note.strip_prefix("did not fit: ")?;
    let (list, more) = match list.rsplit_once(" +") {
        Some((named, more)) if more.ends_with(" more") => {
            let count = more.trim_end_matches(" more").parse().ok();
            count.map_or((list, 0), |count| (named, count))
        }
        _ => (list, 0),
    };
    // A location may hold a comma; what ends one is its count.
    let mut named = Vec::new();
    for part in list.split(" tokens)") {
        let part = part.strip_prefix(", ").unwrap_or(part);
        let Some((location, tokens)) = part.rsplit_once(" (~") else { continue };
        named.push((location.to_owned(), tokens.parse().ok()?));
    }
    Some((named, more))
}
