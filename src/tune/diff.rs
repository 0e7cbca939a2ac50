//! What a change of a world is to its readers: which results of lookups differ, and
//! in what.
//!
//! A result is changed if its text is another one, byte for byte, if something else
//! is left out of it, or if a required passage is covered in another way. What
//! differs is told by places without version numbers, so a section that was only
//! published anew is the same place with another version.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;

use serde::Serialize;

use super::coverage::{Covered, Passages};
use super::recorded::{RecordedLookup, RequiredPassage};
use super::report::{Difference, differences};
use crate::lookup::{Asked, Store};
use crate::selection::{Engine, Item, Kind, Omission, Outcome, Selection, TOKEN, TableRow};

/// A value in the first world and in the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Pair<T> {
    /// In the first.
    pub before: T,
    /// In the second.
    pub after: T,
}

impl<T> Pair<T> {
    /// Another value of each.
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> Pair<U> {
        Pair { before: of(self.before), after: of(self.after) }
    }
}

/// Why a lookup is asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "why", content = "path", rename_all = "lowercase")]
pub enum Why {
    /// Somebody gave the query.
    Given,
    /// It is a recorded one.
    Recorded,
    /// It is a title, of the document at this path.
    Title(String),
    /// It is a tag.
    Tag,
}

/// How a part of a result differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It is in the second result alone.
    New,
    /// It is in the first result alone.
    Gone,
    /// It is in both, and its words differ.
    Changed,
    /// It is in both with the same words, under another version number.
    Version,
    /// A row only: it is in both, and stands elsewhere among those that are.
    Moved,
}

/// A row that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RowDiff {
    /// How.
    pub what: Change,
    /// Its location.
    pub location: String,
    /// Its place in the tables, counted from 1.
    pub place: Pair<Option<usize>>,
    /// The cells that differ, of a row that is in both.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<&'static str>,
}

/// A block, a stub, a note that something is covered or a relation line that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlockDiff {
    /// How.
    pub what: Change,
    /// What it is.
    pub kind: Kind,
    /// Where a reader can cite it: in the second result, or where it is gone, in the
    /// first.
    pub location: String,
    /// Its bytes.
    pub bytes: Pair<Option<usize>>,
}

/// A related document that is printed in one result alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HopDiff {
    /// New or gone.
    pub what: Change,
    /// The predicate that leads to it.
    pub rel: String,
    /// The target.
    pub location: String,
}

/// Something that is left out of one result alone, or for another reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OmissionDiff {
    /// New or gone.
    pub what: Change,
    /// What is left out.
    #[serde(flatten)]
    pub omission: Omission,
}

/// A note that one result alone has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NoteDiff {
    /// New or gone.
    pub what: Change,
    /// Its words.
    pub text: String,
}

/// A lookup whose result differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ResultDiff {
    /// Its id or query.
    pub name: String,
    /// The query.
    pub query: String,
    /// Why it was asked.
    #[serde(flatten)]
    pub why: Why,
    /// The budget, in tokens.
    pub budget: u64,
    /// The status of the answer, where it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Pair<String>>,
    /// Bytes of the whole result text.
    pub bytes: Pair<usize>,
    /// Tokens of the whole result text.
    pub tokens: Pair<usize>,
    /// The rows that differ.
    pub rows: Vec<RowDiff>,
    /// The blocks, stubs, covered pieces and relation lines that differ.
    pub blocks: Vec<BlockDiff>,
    /// The related documents that differ.
    pub hops: Vec<HopDiff>,
    /// What is left out of one of the two.
    pub omissions: Vec<OmissionDiff>,
    /// The notes that differ.
    pub notes: Vec<NoteDiff>,
    /// Required passages that are covered in another way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub passages: Vec<Difference>,
}

/// The lookups that ask for every document of either world by its title, and for
/// every tag. Each query is asked once; what no store accepts is not asked.
pub fn titles_and_tags(before: &Store, after: &Store) -> Vec<(Why, RecordedLookup)> {
    let is_query = |text: &str| text == "*" || text.trim().chars().take(2).count() == 2;
    let mut seen = BTreeSet::new();
    let mut tags = BTreeSet::new();
    let mut out = Vec::new();
    for document in [after, before].into_iter().flat_map(|store| store.catalog().documents()) {
        let title = document.title();
        if is_query(title) && seen.insert(title.to_owned()) {
            let why = Why::Title(document.path().to_owned());
            out.push((why, RecordedLookup::new(title)));
        }
        tags.extend(document.tags().filter(|tag| is_query(tag)).map(str::to_owned));
    }
    let tags = tags.into_iter().filter(|tag| !seen.contains(tag));
    out.extend(tags.map(|tag| (Why::Tag, RecordedLookup::new(tag))));
    out
}

/// What is different in the result of a lookup; `None` where nothing is.
pub fn diff(
    why: &Why,
    lookup: &RecordedLookup,
    worlds: Pair<&Store>,
    engine: Engine,
    budget: u64,
) -> Option<ResultDiff> {
    let mut asked = worlds.map(|store| lookup.ask(store, engine, false));
    let before = asked.before.select(worlds.before, budget);
    let after = asked.after.select(worlds.after, budget);
    let omissions = omissions(&before, &after);
    let passages = match lookup.required.is_empty() {
        true => Vec::new(),
        false => passages(lookup, worlds, &before, &after),
    };
    let texts = Pair { before: before.text(), after: after.text() };
    if texts.before == texts.after && omissions.is_empty() && passages.is_empty() {
        return None;
    }
    let status = Pair { before: asked.before.status(), after: asked.after.status() };
    let bytes = texts.map(|text| text.len());
    Some(ResultDiff {
        name: lookup.name().to_owned(),
        query: lookup.query.clone(),
        why: why.clone(),
        budget,
        status: (status.before != status.after).then(|| status.map(str::to_owned)),
        bytes,
        tokens: bytes.map(|bytes| bytes / TOKEN),
        rows: rows(&asked.before, &asked.after),
        blocks: blocks(&before, &after),
        hops: hops(&before, &after),
        omissions,
        notes: notes(&before, &after),
        passages,
    })
}

/// Parts of two results, paired by a key; of several with one key the first go
/// together, then the second. First all of the second result in its order, then
/// what is only in the first.
fn paired<'a, T, K: Eq + Hash>(
    before: impl Iterator<Item = &'a T>,
    after: impl Iterator<Item = &'a T>,
    key: impl Fn(&'a T) -> K,
) -> Vec<Pair<Option<&'a T>>> {
    let before: Vec<&T> = before.collect();
    let mut places: HashMap<K, Vec<usize>> = HashMap::new();
    for (at, part) in before.iter().enumerate().rev() {
        places.entry(key(part)).or_default().push(at);
    }
    let mut is_left = vec![true; before.len()];
    let mut out = Vec::new();
    for part in after {
        let at = places.get_mut(&key(part)).and_then(Vec::pop);
        if let Some(at) = at {
            is_left[at] = false;
        }
        out.push(Pair { before: at.map(|at| before[at]), after: Some(part) });
    }
    let left = before.into_iter().zip(is_left).filter(|(_, is_left)| *is_left);
    out.extend(left.map(|(part, _)| Pair { before: Some(part), after: None }));
    out
}

fn rows(before: &Asked, after: &Asked) -> Vec<RowDiff> {
    let tables = Pair { before, after }.map(|asked| asked.session().answered().rows());
    let places = tables.map(|rows| {
        let numbered = rows.iter().enumerate();
        numbered.map(|(at, row)| (row.location(), at)).collect::<HashMap<_, _>>()
    });
    let moved = moved(tables.after, &places.before);
    let pairs = paired(tables.before.iter(), tables.after.iter(), TableRow::location);
    let mut out = Vec::new();
    for Pair { before, after } in pairs {
        let Some(location) = after.or(before).map(TableRow::location) else { continue };
        let cells = match (before, after) {
            (Some(before), Some(after)) => cells(before, after),
            _ => Vec::new(),
        };
        let what = match (before, after) {
            (None, _) => Change::New,
            (_, None) => Change::Gone,
            _ if moved.contains(&location) => Change::Moved,
            _ if !cells.is_empty() => Change::Changed,
            _ => continue,
        };
        let place = Pair {
            before: places.before.get(&location).map(|at| at + 1),
            after: places.after.get(&location).map(|at| at + 1),
        };
        out.push(RowDiff { what, location, place, cells });
    }
    out
}

/// The rows that moved: of those in both tables, all but the longest run that keeps
/// its order. So where one row passes several, that one has moved.
fn moved(after: &[TableRow], before: &HashMap<String, usize>) -> BTreeSet<String> {
    let common: Vec<(String, usize)> = after
        .iter()
        .map(TableRow::location)
        .filter_map(|row| before.get(&row).copied().map(|place| (row, place)))
        .collect();
    // The last row of the best run of each length so far, and the row before each.
    let mut ends: Vec<usize> = Vec::new();
    let mut ahead: Vec<Option<usize>> = Vec::new();
    for (at, (_, place)) in common.iter().enumerate() {
        let length = ends.partition_point(|end| common[*end].1 < *place);
        ahead.push(length.checked_sub(1).map(|length| ends[length]));
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut kept = BTreeSet::new();
    let mut next = ends.last().copied();
    while let Some(at) = next {
        kept.insert(at);
        next = ahead[at];
    }
    let moved = common.into_iter().enumerate().filter(|(at, _)| !kept.contains(at));
    moved.map(|(_, (row, _))| row).collect()
}

fn cells(before: &TableRow, after: &TableRow) -> Vec<&'static str> {
    let pairs = [
        ("importance", &before.importance, &after.importance),
        ("title", &before.title, &after.title),
        ("tags", &before.tags, &after.tags),
        ("snippet", &before.snippet, &after.snippet),
    ];
    pairs.into_iter().filter(|(_, before, after)| before != after).map(|(name, ..)| name).collect()
}

fn blocks(before: &Selection, after: &Selection) -> Vec<BlockDiff> {
    let placed = |selection: &'_ Selection| -> Vec<Item> {
        let has_place = |item: &&Item| {
            matches!(item.kind, Kind::Block | Kind::Stub | Kind::Covered | Kind::RelationLine)
        };
        selection.items.iter().filter(has_place).cloned().collect()
    };
    let items = Pair { before, after }.map(placed);
    let pairs = paired(items.before.iter(), items.after.iter(), |item| (item.kind, place(item)));
    let mut out = Vec::new();
    for Pair { before, after } in pairs {
        let Some(shown) = after.or(before) else { continue };
        let what = match (before, after) {
            (None, _) => Change::New,
            (_, None) => Change::Gone,
            (Some(before), Some(after)) if words(before) != words(after) => Change::Changed,
            (Some(before), Some(after)) if before.text != after.text => Change::Version,
            _ => continue,
        };
        out.push(BlockDiff {
            what,
            kind: shown.kind,
            location: shown.location.clone().unwrap_or_default(),
            bytes: Pair { before, after }.map(|item| item.map(Item::bytes)),
        });
    }
    out
}

/// The path of an item with its anchor, without a version.
fn place(item: &Item) -> String {
    let path = item.path.as_deref().unwrap_or_default();
    let location = item.location.as_deref().unwrap_or_default();
    match location.strip_prefix(path).and_then(|rest| rest.split_once('#')) {
        Some((_, anchor)) => format!("{path}#{anchor}"),
        None => path.to_owned(),
    }
}

/// The text of an item without its own location.
fn words(item: &Item) -> String {
    let location = item.location.as_deref().unwrap_or_default();
    match item.kind {
        Kind::RelationLine => item.text.clone(),
        _ => item.text.replacen(location, "", 1),
    }
}

fn hops(before: &Selection, after: &Selection) -> Vec<HopDiff> {
    let printed = |selection: &Selection| {
        let printed = selection
            .targets
            .iter()
            .filter(|target| matches!(target.outcome, Outcome::Printed | Outcome::SameText));
        printed
            .map(|target| (target.relation.predicate.clone(), target.relation.location()))
            .collect::<Vec<_>>()
    };
    let hops = Pair { before, after }.map(printed);
    paired(hops.before.iter(), hops.after.iter(), |hop| hop.1.clone())
        .into_iter()
        .filter_map(|pair| {
            let (what, (rel, location)) = one_sided(pair)?;
            Some(HopDiff { what, rel: rel.clone(), location: location.clone() })
        })
        .collect()
}

fn omissions(before: &Selection, after: &Selection) -> Vec<OmissionDiff> {
    let all = Pair { before, after }.map(Selection::omissions);
    // A number in a reason is told with the tokens; the reason itself is the outcome.
    let key = |omission: &Omission| {
        (omission.kind, without_version(&omission.location), omission.outcome)
    };
    paired(all.before.iter(), all.after.iter(), key)
        .into_iter()
        .filter_map(|pair| {
            let (what, omission) = one_sided(pair)?;
            Some(OmissionDiff { what, omission: omission.clone() })
        })
        .collect()
}

fn notes(before: &Selection, after: &Selection) -> Vec<NoteDiff> {
    let notes = Pair { before, after }.map(|selection| {
        let notes = selection.items.iter().filter(|item| item.kind == Kind::Note);
        notes.map(|item| item.text.trim().to_owned()).collect::<Vec<_>>()
    });
    paired(notes.before.iter(), notes.after.iter(), |text| text.clone())
        .into_iter()
        .filter_map(|pair| {
            let (what, text) = one_sided(pair)?;
            let text = text.strip_prefix(">>> note: ").unwrap_or(text);
            Some(NoteDiff { what, text: text.to_owned() })
        })
        .collect()
}

fn one_sided<T>(pair: Pair<Option<&T>>) -> Option<(Change, &T)> {
    match (pair.before, pair.after) {
        (None, Some(part)) => Some((Change::New, part)),
        (Some(part), None) => Some((Change::Gone, part)),
        _ => None,
    }
}

/// A location without the `/vN` that a piece of a store has.
fn without_version(location: &str) -> String {
    let (path, anchor) = match location.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (location, None),
    };
    let path = match path.rsplit_once("/v") {
        Some((base, digits)) if digits.parse::<u64>().is_ok() => base,
        _ => path,
    };
    anchor.map_or(path.to_owned(), |anchor| format!("{path}#{anchor}"))
}

/// A passage that one of the worlds does not measure, since its version is not
/// current there, is not covered there.
fn passages(
    lookup: &RecordedLookup,
    worlds: Pair<&Store>,
    before: &Selection,
    after: &Selection,
) -> Vec<Difference> {
    let covered = |store: &Store, selection: &Selection| {
        let mut passages = Passages::of(lookup, store);
        let covered = passages.covered(selection);
        let places = passages.measured().map(RequiredPassage::location);
        places.zip(covered).collect::<BTreeMap<String, Covered>>()
    };
    let first = covered(worlds.before, before);
    let second = covered(worlds.after, after);
    let places: Vec<String> = lookup.required.iter().map(RequiredPassage::location).collect();
    let of = |covered: &BTreeMap<String, Covered>| -> Vec<Covered> {
        places.iter().map(|place| covered.get(place).copied().unwrap_or_default()).collect()
    };
    differences(&places, &of(&first), &of(&second))
}
