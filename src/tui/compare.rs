//! Two results side by side, with what differs marked.

mod found;
mod lines;

use lines::{Pair, cell, lines};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::find::Find;
use super::help;
use super::message::Effect;
use super::model::Model;
use super::page::whole_tokens;
use super::paint;
use super::picker::{Choice, Pick, Picker};
use super::theme::Role;
use super::width::{cut, grouped, pad};
use crate::catalog::{DEFAULT_LIMIT, Match};
use crate::lookup::{MAX_BUDGET, Question};
use crate::selection::{Engine, Selection, TableRow};
use crate::text::visible_line;
use crate::tune::parting;
use crate::world::Reader;

/// One of the results.
#[derive(Debug, Clone)]
pub struct Side {
    /// What it is, in a few words.
    pub title: String,
    /// What was asked, where the other one was not the same: a world as it was named to
    /// this program, or when it was asked.
    pub place: String,
    /// What was asked.
    pub question: Question,
    /// The budget, in tokens.
    pub budget: u64,
    /// The rows of its table.
    pub rows: Vec<TableRow>,
    /// The result.
    pub selection: Selection,
}

/// The other result.
enum Other {
    Waiting,
    Failed(String),
    Here(Box<Side>),
}

/// Two results.
pub struct Compare {
    left: Side,
    title: String,
    /// What the other result is of, where that is not what the present one is of.
    place: String,
    other: Other,
    lines: Vec<Pair>,
    /// Whether the texts are the same bytes, in a sentence.
    parity: String,
    /// The line of the difference that was gone to.
    at: Option<usize>,
    /// The first visible line.
    pub top: usize,
    /// What is looked for.
    pub find: Find,
}

/// What to compare with.
#[derive(Debug, Clone)]
pub enum Against {
    /// Another question to the same world, at a budget.
    Ask(Box<Question>, u64),
    /// The same question to the world as it was before it changed.
    Before,
    /// The same question to the world as it was at first, where it changed more than once.
    First,
    /// The same question to the world that was given to compare with.
    Beside,
    /// A result that was kept.
    Kept,
}

/// All that the present result can be compared with: in words, and what it is.
pub fn options(model: &Model) -> Vec<(String, String, Against)> {
    let Some(outcome) = &model.outcome else { return Vec::new() };
    let question = &model.question;
    let ask = |question: Question, budget: u64| Against::Ask(Box::new(question), budget);
    let mut all = Vec::new();
    if let Some(kept) = &model.kept {
        all.push(("the result that was kept".into(), kept.title.clone(), Against::Kept));
    }
    if model.before.is_some() {
        let words = "as it was before the last change";
        all.push(("the world before".into(), words.into(), Against::Before));
    }
    if model.first.is_some() {
        let words = "as it was before all changes since then";
        all.push(("the world as it was opened".into(), words.into(), Against::First));
    }
    if let Some(beside) = &model.beside {
        let words = if reader_is_tool(model) { "markscope's own result" } else { "another world" };
        let [_, place] = places(model, beside);
        all.push((words.into(), place, Against::Beside));
    }
    if matches!(model.reader, Some(Reader::Recorded(_))) {
        return all;
    }
    let mut budget = |words: &str, tokens: u64| {
        if tokens != model.budget && tokens <= MAX_BUDGET {
            let detail = format!("{} tokens", grouped(tokens));
            all.push((words.to_owned(), detail, ask(question.clone(), tokens)));
        }
    };
    if let Some(up) = &outcome.selection.up {
        budget("the breakpoint above", up.tokens);
    }
    if let Some(down) = &outcome.selection.down {
        budget("the breakpoint below", down.tokens);
    }
    budget("twice the budget", model.budget.saturating_mul(2));
    budget("half the budget", model.budget / 2);
    if !reader_is_tool(model) {
        let mut other = question.clone();
        other.engine = match question.engine {
            Engine::Selection => Engine::Rows,
            Engine::Rows => Engine::Selection,
        };
        let words = format!("engine {}", other.engine.name());
        all.push(("the other engine".into(), words, ask(other, model.budget)));
    }
    let mut other = question.clone();
    other.request.match_sent = match question.request.match_sent {
        Some(Match::Body) => Some(Match::Catalog),
        Some(Match::Catalog) | None => Some(Match::Body),
    };
    let words = other.request.match_sent.map(|matched| format!("match {matched}"));
    all.push(("the other match".into(), words.unwrap_or_default(), ask(other, model.budget)));
    for limit in [3, DEFAULT_LIMIT, 30] {
        if question.request.limit.unwrap_or(DEFAULT_LIMIT) != limit {
            let mut other = question.clone();
            other.request.limit = Some(limit);
            all.push((format!("limit {limit}"), "rows".into(), ask(other, model.budget)));
        }
    }
    all
}

/// What the present world and the one beside it are called: as they were named to this
/// program, since two states of one folder have one name.
fn places(model: &Model, beside: &Reader) -> [String; 2] {
    match &model.beside_name {
        _ if reader_is_tool(model) => ["the tool".into(), "markscope".into()],
        Some(name) => [model.given.clone(), name.clone()],
        None => [model.label.clone(), beside.name()],
    }
}

/// A tool has an engine of its own.
fn reader_is_tool(model: &Model) -> bool {
    matches!(model.reader, Some(Reader::Tool(_)))
}

/// The list to pick from; none where there is nothing.
pub fn picker(model: &Model) -> Option<Picker> {
    let choice = |(at, (label, detail, _)): (usize, (String, String, Against))| Choice {
        label,
        detail,
        also: "",
        pick: Pick::Against(at),
    };
    let choices: Vec<Choice> = options(model).into_iter().enumerate().map(choice).collect();
    (!choices.is_empty()).then(|| Picker::new("compare with", choices))
}

/// The present result as a side.
pub fn present(model: &Model) -> Option<Side> {
    let outcome = model.outcome.as_ref()?;
    Some(Side {
        title: title(&model.question, model.budget),
        place: String::new(),
        question: model.question.clone(),
        budget: model.budget,
        rows: outcome.rows().to_vec(),
        selection: outcome.selection.clone(),
    })
}

/// What is asked, in a few words.
pub fn title(question: &Question, budget: u64) -> String {
    facts(question, budget).join(" · ")
}

fn facts(question: &Question, budget: u64) -> Vec<String> {
    let request = &question.request;
    let matched = request.match_sent.map_or("catalog".to_owned(), |it| it.to_string());
    let limit = request.limit.unwrap_or(DEFAULT_LIMIT);
    let mut facts = vec![
        format!("{} tokens", grouped(budget)),
        format!("match {matched}"),
        format!("limit {limit}"),
        format!("engine {}", question.engine.name()),
    ];
    if !matches!(request.scope.as_str(), "" | "/") {
        facts.push(format!("scope {}", visible_line(&request.scope)));
    }
    if !request.filter.is_empty() {
        facts.push(format!("filter {}", visible_line(&request.filter)));
    }
    facts.push(format!("“{}”", visible_line(&request.query)));
    facts
}

/// What is asked on one side, what differs from the other side first.
fn told(side: &Side, other: &Side) -> String {
    let theirs = facts(&other.question, other.budget);
    let mut own = facts(&side.question, side.budget);
    if side.place != other.place {
        own.insert(0, visible_line(&side.place));
    }
    let (same, different): (Vec<String>, Vec<String>) =
        own.into_iter().partition(|fact| theirs.contains(fact));
    [different, same].concat().join(" · ")
}

/// Begins to compare; gives what is to be asked for it.
pub fn begin(model: &mut Model, at: usize) -> Vec<Effect> {
    let Some((label, _, against)) = options(model).into_iter().nth(at) else { return Vec::new() };
    let Some(left) = present(model) else { return Vec::new() };
    let place = |words: [&str; 2]| words.map(str::to_owned);
    let [own, other] = match (&against, &model.beside) {
        (Against::Before, _) => place(["now", "before the last change"]),
        (Against::First, _) => place(["now", "as it was opened"]),
        (Against::Kept, _) => place(["now", "kept"]),
        (Against::Beside, Some(beside)) => places(model, beside),
        (Against::Beside | Against::Ask(..), _) => place(["", ""]),
    };
    let mut compare = Compare::new(Side { place: own, ..left }, label, other);
    let mut effects = Vec::new();
    let mut asks = |reader: Option<Reader>, question: Question, budget: u64| {
        if let Some(reader) = reader {
            let number = model.number;
            effects.push(Effect::Compare { number, reader, question: Box::new(question), budget });
        }
    };
    match against {
        Against::Ask(question, budget) => asks(model.reader.clone(), *question, budget),
        Against::Before => asks(model.before.clone(), model.question.clone(), model.budget),
        Against::First => asks(model.first.clone(), model.question.clone(), model.budget),
        Against::Beside => asks(model.beside.clone(), model.question.clone(), model.budget),
        Against::Kept => {
            if let Some(kept) = model.kept.clone() {
                compare.take(Ok(kept));
            }
        }
    }
    model.compare = Some(compare);
    model.popup = Some(super::model::Popup::Compare);
    effects
}

impl Compare {
    /// A result that waits for the other.
    fn new(left: Side, title: String, place: String) -> Self {
        let (other, lines, parity) = (Other::Waiting, Vec::new(), String::new());
        Self { left, title, place, other, lines, parity, at: None, top: 0, find: Find::default() }
    }

    /// Takes the other result, or why there is none.
    pub fn take(&mut self, other: Result<Side, String>) {
        match other {
            Ok(side) => {
                let side = Side { place: self.place.clone(), ..side };
                self.lines = lines(&self.left, &side);
                self.parity = parity(&self.left.selection, &side.selection);
                self.other = Other::Here(Box::new(side));
            }
            Err(why) => self.other = Other::Failed(why),
        }
    }

    /// The other result, once it is there.
    pub fn other(&self) -> Option<&Side> {
        match &self.other {
            Other::Here(side) => Some(side),
            Other::Waiting | Other::Failed(_) => None,
        }
    }

    /// Whether the other result is still to come.
    pub fn is_waiting(&self) -> bool {
        matches!(self.other, Other::Waiting)
    }

    /// Goes to the next line that differs, or the one before, round and round, and shows
    /// it among `rows`; says which it is.
    pub fn go(&mut self, on: bool, rows: usize) -> Option<String> {
        self.other()?;
        let differs = |pair: &Pair| !matches!(pair.mark, "" | "=");
        let places: Vec<usize> =
            (0..self.lines.len()).filter(|line| differs(&self.lines[*line])).collect();
        let (Some(first), Some(last)) = (places.first(), places.last()) else {
            return Some("no line differs".into());
        };
        let next = match (self.at, on) {
            (None, true) => first,
            (None, false) => last,
            (Some(at), true) => places.iter().find(|line| **line > at).unwrap_or(first),
            (Some(at), false) => places.iter().rfind(|line| **line < at).unwrap_or(last),
        };
        self.at = Some(*next);
        if !(self.top..self.top + rows).contains(next) {
            let end = self.lines.len().saturating_sub(rows);
            self.top = next.saturating_sub(rows / 3).min(end);
        }
        let number = places.partition_point(|line| line <= next);
        Some(format!("difference {number} of {}", places.len()))
    }

    /// All lines.
    pub fn height(&self) -> usize {
        self.lines.len()
    }
}

/// The lines of two results that are in sight.
pub fn rows(model: &Model) -> usize {
    let rows = model.layout.as_ref().map_or(1, |layout| usize::from(layout.body.height));
    rows.saturating_sub(5).max(1)
}

/// Draws both results over the panes.
pub fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    let Some(compare) = &model.compare else { return };
    let title = format!("compared with {}", compare.title);
    let inner = paint::popup(theme, area, &title, &help::way_out(model), buf);
    let inner = inner.inner(ratatui::layout::Margin::new(1, 0));
    let right = match &compare.other {
        Other::Here(side) => side,
        Other::Failed(why) => {
            let words = format!("There is no answer.\n\n{}", visible_line(why));
            return paint::message(buf, inner, &words, theme.style(Role::Error));
        }
        Other::Waiting => {
            return paint::message(buf, inner, "asking …", theme.style(Role::Dim));
        }
    };
    let half = usize::from(inner.width.saturating_sub(3)) / 2;
    let head = |side: &Side, other: &Side| {
        [told(side, other), sum(&side.selection)].map(|words| pad(&cut(&words, half), half))
    };
    let styles = [Role::Title, Role::Text];
    for (row, ((left, right), role)) in (0..)
        .zip(head(&compare.left, right).into_iter().zip(head(right, &compare.left)).zip(styles))
    {
        let line = Line::from(vec![
            Span::styled(left, theme.style(role)),
            Span::raw("   "),
            Span::styled(right, theme.style(role)),
        ]);
        paint::line(buf, inner, row, &line);
    }
    let words = cut(&compare.parity, usize::from(inner.width));
    paint::line(buf, inner, 2, &Line::styled(words, theme.style(Role::Dim)));
    let body = Rect { y: inner.y + 3, height: inner.height.saturating_sub(3), ..inner };
    let shown = compare.lines.iter().enumerate().skip(compare.top);
    for (row, (at, pair)) in (0..body.height).zip(shown) {
        let (mark, role) = match pair.mark {
            "=" => (" = ", Role::Dim),
            "≠" => (" ≠ ", Role::Related),
            "+" => (" + ", Role::Shown),
            "−" => (" − ", Role::Omitted),
            _ => ("   ", Role::Dim),
        };
        let is_alike = pair.mark == "=";
        let [left, right] =
            [&pair.left, &pair.right].map(|it| cell(it.as_ref(), half, is_alike, theme));
        let shown = [&left, &right].map(|spans| Line::from(spans.clone()).to_string());
        let sign = vec![Span::styled(mark, theme.style(role))];
        paint::line(buf, body, row, &Line::from([left, sign, right].concat()));
        let line = Rect { y: body.y + row, height: 1, ..body };
        if compare.find.words.is_empty() {
            if compare.at == Some(at) {
                buf.set_style(line, theme.selected());
            }
            continue;
        }
        let half = u16::try_from(half).unwrap_or(u16::MAX).min(line.width);
        let sign = Rect { x: line.x + half, width: 3.min(line.width - half), ..line };
        let right = Rect { x: sign.right(), width: line.right() - sign.right(), ..line };
        let halves = [(Rect { width: half, ..line }, shown[0].as_str()), (right, &shown[1])];
        compare.mark(theme, at, sign, halves, buf);
    }
    let rows = usize::from(body.height);
    if compare.lines.len() > rows {
        let last = (compare.top + rows).min(compare.lines.len());
        let words = format!("{}–{last} of {}", compare.top + 1, compare.lines.len());
        let corner = Rect { y: area.y, height: 0, ..inner };
        paint::corner(theme, corner, &words, buf);
    }
}

/// Whether a reader gets the same bytes.
pub fn parity(left: &Selection, right: &Selection) -> String {
    let (left, right) = (left.text(), right.text());
    match parting(&left, &right) {
        None => format!("the same text, {} bytes", grouped(left.len())),
        Some(parting) => {
            format!("other texts: {}", parting.place())
        }
    }
}

/// What a result costs and holds.
fn sum(selection: &Selection) -> String {
    let charged: usize = selection.items.iter().map(|item| item.charged).sum();
    format!(
        "{} tokens spent · rows expanded {} · related {}",
        grouped(whole_tokens(charged)),
        selection.expanded,
        selection.related
    )
}
