//! The lines of two results side by side: what is alike, what differs, and in what.

use ratatui::text::Span;

use super::super::meter;
use super::super::sign;
use super::super::theme::{Role, Theme};
use super::super::width::{cut, grouped, pad, shorten, width};
use super::Side;
use crate::selection::Kind;
use crate::text::visible_line;

/// Letters that are shown before the first one that differs.
const BEFORE: usize = 16;

/// One line: what the left has, what the right has, and whether they are alike.
pub(super) struct Pair {
    pub(super) left: Option<Cell>,
    pub(super) right: Option<Cell>,
    pub(super) mark: &'static str,
}

/// What a line shows of one side.
#[derive(Clone)]
pub(super) struct Cell {
    pub(super) key: String,
    pub(super) lead: String,
    pub(super) role: Role,
    pub(super) words: String,
    pub(super) number: String,
    /// All of it that must be alike.
    pub(super) content: String,
    /// What of that is shown by its first line that differs.
    pub(super) text: String,
}

impl Cell {
    /// What is shown of it.
    pub(super) fn shown(&self) -> [&str; 3] {
        [&self.lead, &self.words, &self.number]
    }

    /// What is shown of it and the text that it stands for.
    pub(super) fn texts(&self) -> [&str; 4] {
        [&self.lead, &self.words, &self.number, &self.text]
    }
}

impl Pair {
    /// The same of both sides.
    pub(super) fn texts(&self) -> Vec<&str> {
        [&self.left, &self.right].into_iter().flatten().flat_map(Cell::texts).collect()
    }
}

/// All lines of two results.
pub(super) fn lines(left: &Side, right: &Side) -> Vec<Pair> {
    let heading = |words: &str| {
        let cell = Cell {
            key: String::new(),
            lead: String::new(),
            role: Role::Dim,
            words: words.to_owned(),
            number: String::new(),
            content: String::new(),
            text: String::new(),
        };
        Pair { left: Some(cell.clone()), right: Some(cell), mark: "" }
    };
    let mut out = vec![heading("the table")];
    out.extend(aligned(&rows(left), &rows(right)));
    out.push(Pair { left: None, right: None, mark: "" });
    out.push(heading("what the reader gets, in order"));
    out.extend(aligned(&items(left), &items(right)));
    out
}

fn rows(side: &Side) -> Vec<Cell> {
    let reports = &side.selection.rows;
    let label = sign::width(reports.iter().map(|report| report.outcome)).max(9);
    let cells = side.rows.iter().enumerate().map(|(at, row)| {
        let outcome = reports.get(at).map(|report| report.outcome);
        Cell {
            key: row.location(),
            lead: pad(&outcome.map(sign::label).unwrap_or_default(), label),
            role: outcome.map_or(Role::Dim, sign::role),
            words: row.location(),
            number: row.importance.clone(),
            content: format!("{outcome:?} {} {}", row.title, row.tags),
            text: format!("title: {}\ntags: {}", row.title, row.tags),
        }
    });
    cells.collect()
}

fn items(side: &Side) -> Vec<Cell> {
    let items = side.selection.items.iter();
    let told = items.filter(|item| !matches!(item.kind, Kind::Envelope | Kind::Table | Kind::Gap));
    let cells = told.map(|item| {
        let (glyph, role) = meter::sign(item.kind);
        let location = item.location.clone().unwrap_or_default();
        let words = match item.kind {
            Kind::Block => location.clone(),
            Kind::Note => item.text.trim().trim_start_matches(">>> note: ").to_owned(),
            kind => format!("{}: {location}", kind.name()),
        };
        // Of a new version it is the same section, with another text.
        let key = match item.kind {
            Kind::Note => words.split(' ').next().unwrap_or_default().to_owned(),
            _ => format!("{} {:?}", item.path.as_deref().unwrap_or(&location), anchor(&location)),
        };
        Cell {
            key: format!("{:?} {key}", item.kind),
            lead: format!("{glyph} "),
            role,
            words,
            number: grouped(item.tokens()),
            content: item.text.clone(),
            text: match item.kind {
                // Its words are shown already.
                Kind::Note => String::new(),
                Kind::RelationLine => item.text.clone(),
                _ => item.text.replacen(&location, "", 1),
            },
        }
    });
    cells.collect()
}

fn anchor(location: &str) -> &str {
    location.split_once('#').map_or("", |(_, anchor)| anchor)
}

/// Both lists with the longest run of common keys side by side.
fn aligned(left: &[Cell], right: &[Cell]) -> Vec<Pair> {
    let (rows, columns) = (left.len(), right.len());
    // The longest common run from every pair of places on.
    let mut common = vec![vec![0_usize; columns + 1]; rows + 1];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            common[row][column] = if left[row].key == right[column].key {
                common[row + 1][column + 1] + 1
            } else {
                common[row + 1][column].max(common[row][column + 1])
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut out = Vec::new();
    while row < rows || column < columns {
        let both = row < rows && column < columns;
        if both && left[row].key == right[column].key {
            let mark = if left[row].content == right[column].content { "=" } else { "≠" };
            out.push(Pair {
                left: Some(left[row].clone()),
                right: Some(right[column].clone()),
                mark,
            });
            out.extend(parting(&left[row], &right[column]));
            row += 1;
            column += 1;
        } else if column == columns || (both && common[row + 1][column] >= common[row][column + 1])
        {
            out.push(Pair { left: Some(left[row].clone()), right: None, mark: "−" });
            row += 1;
        } else {
            out.push(Pair { left: None, right: Some(right[column].clone()), mark: "+" });
            column += 1;
        }
    }
    out
}

/// The first line that differs of two texts with one place; `None` where that is none.
fn parting(left: &Cell, right: &Cell) -> Option<Pair> {
    let [old, new] = first_other_line(&left.text, &right.text)?;
    let cell = |sign: &str, role: Role, words: String| Cell {
        key: String::new(),
        lead: format!("  {sign} "),
        role,
        words,
        number: String::new(),
        content: String::new(),
        text: String::new(),
    };
    Some(Pair {
        left: Some(cell("-", Role::Omitted, old)),
        right: Some(cell("+", Role::Shown, new)),
        mark: "",
    })
}

/// The first line that is another one in each text, from a little before the first
/// letter that differs.
fn first_other_line(left: &str, right: &str) -> Option<[String; 2]> {
    let [mut old, mut new] = [left, right].map(|text| text.lines().filter(|line| !line.is_empty()));
    let [old, new] = loop {
        match (old.next(), new.next()) {
            (None, None) => return None,
            (old, new) if old == new => {}
            (old, new) => break [old, new].map(Option::unwrap_or_default),
        }
    };
    let common = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
    if common <= BEFORE {
        return Some([old, new].map(str::to_owned));
    }
    // A whole word is the least that can be read.
    let head: Vec<char> = old.chars().take(common).collect();
    let near = common - BEFORE / 2;
    let from = head[..near].iter().rposition(|c| c.is_whitespace()).map_or(near, |at| at + 1);
    let from = if common - from > BEFORE { near } else { from };
    Some([old, new].map(|line| format!("…{}", line.chars().skip(from).collect::<String>())))
}

/// Draws one side of a line.
pub(super) fn cell(
    cell: Option<&Cell>,
    room: usize,
    is_alike: bool,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let Some(cell) = cell else { return vec![Span::raw(" ".repeat(room))] };
    let left = room.saturating_sub(width(&cell.lead) + width(&cell.number) + 1);
    let words = visible_line(&cell.words);
    let words = if words.starts_with('/') { shorten(&words, left) } else { cut(&words, left) };
    let role = match (cell.key.is_empty(), is_alike) {
        (true, _) | (_, true) => Role::Dim,
        (false, false) => Role::Text,
    };
    vec![
        Span::styled(cell.lead.clone(), theme.style(cell.role)),
        Span::styled(pad(&words, left), theme.style(role)),
        Span::styled(format!(" {}", cell.number), theme.style(Role::Dim)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(keys: &str) -> Vec<Cell> {
        let cell = |c: char| Cell {
            key: c.to_lowercase().to_string(),
            lead: String::new(),
            role: Role::Text,
            words: c.to_string(),
            number: String::new(),
            content: c.to_string(),
            text: String::new(),
        };
        keys.chars().map(cell).collect()
    }

    #[test]
    fn what_is_common_stands_side_by_side() {
        let of = |left: &str, right: &str| -> Vec<String> {
            let side =
                |cell: &Option<Cell>| cell.as_ref().map_or("_".into(), |it| it.words.clone());
            let pairs = aligned(&cells(left), &cells(right));
            pairs
                .iter()
                .map(|pair| format!("{}{}{}", side(&pair.left), pair.mark, side(&pair.right)))
                .collect()
        };
        assert_eq!(of("abc", "abd"), ["a=a", "b=b", "c−_", "_+d"]);
        assert_eq!(of("ab", "xaB"), ["_+x", "a=a", "b≠B"]);
        assert_eq!(of("", "a"), ["_+a"]);
        assert_eq!(of("a", ""), ["a−_"]);
    }

    #[test]
    fn the_first_line_that_differs_is_shown_from_near_its_first_other_word() {
        for (left, right, want) in [
            ("a\nb\n", "a\nb\n", None),
            ("a\nb\n", "a\nc\n", Some(["b", "c"])),
            ("a\n", "a\n\nnew\n", Some(["", "new"])),
            (
                "Feed the sour dough at noon, every day.",
                "Feed the sour dough at night, every day.",
                Some(["…dough at noon, every day.", "…dough at night, every day."]),
            ),
            (
                "ääääääääääääääääääääääääääää1",
                "ääääääääääääääääääääääääääää2",
                Some(["…ääääääää1", "…ääääääää2"]),
            ),
        ] {
            let want = want.map(|lines| lines.map(str::to_owned));
            assert_eq!(first_other_line(left, right), want, "{left:?} {right:?}");
        }
    }
}
