//! The help sheet and the hints, made from the keymap.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};

use super::keymap::{Action, Group};
use super::layout::Pane;
use super::model::{Model, Popup, World};
use super::possible::why_not;
use super::sign;
use super::theme::Role;
use super::typing::{Field, LEAST_TYPED, Typing};
use super::width::{cut, pad, width};
use super::{find, meter, paint};
use crate::selection::Outcome;

/// The sheet: the keys in two columns of groups and the signs in a third, or below one
/// another where there is no room for that.
pub fn lines(model: &Model) -> Vec<Line<'static>> {
    let room = usize::from(model.size.0).saturating_sub(4);
    let keys = beside(column(model, &Group::ALL[..3]), column(model, &Group::ALL[3..]), room);
    beside(keys, signs(model), room)
}

/// Two columns side by side, or the right one below where there is no room for both.
fn beside(left: Vec<Line<'static>>, right: Vec<Line<'static>>, room: usize) -> Vec<Line<'static>> {
    let widest =
        |lines: &[Line<'_>]| lines.iter().map(|line| width(&line.to_string())).max().unwrap_or(0);
    let start = widest(&left) + 4;
    if start + widest(&right) > room {
        return left.into_iter().chain([Line::default()]).chain(right).collect();
    }
    let mut out = Vec::new();
    for at in 0..left.len().max(right.len()) {
        let mut spans = left.get(at).map(|line| line.spans.clone()).unwrap_or_default();
        let used: usize = spans.iter().map(|span| width(&span.content)).sum();
        if let Some(right) = right.get(at) {
            spans.push(Span::raw(" ".repeat(start.saturating_sub(used))));
            spans.extend(right.spans.iter().cloned());
        }
        out.push(Line::from(spans));
    }
    out
}

/// What the signs of the panes stand for.
fn signs(model: &Model) -> Vec<Line<'static>> {
    use Outcome::{Covered, DidNotFit, Failed, FetchLimit, NoSection, OtherAuthority};
    use Outcome::{Printed, SameText, Waiting};
    let theme = model.theme();
    let told = [
        (Printed, "printed"),
        (Covered, "printed elsewhere, or in the table"),
        (SameText, "the same text stands already"),
        (DidNotFit, "did not fit"),
        (FetchLimit, "not tried: a limit, or nothing to read"),
        (NoSection, "no such section, or not told"),
        (Failed, "failed"),
        (OtherAuthority, "of another authority, not fetched"),
        (Waiting, "still to come"),
    ];
    let line = |(glyph, words, role): (&'static str, &'static str, Role)| {
        Line::from(vec![
            Span::styled(glyph, theme.style(role)),
            Span::raw("  "),
            Span::styled(words, theme.style(Role::Text)),
        ])
    };
    let title = |words: &'static str| Line::styled(words, theme.style(Role::Title));
    let mut out = vec![title("Signs of outcomes")];
    for (outcome, words) in told {
        out.push(line((sign::sign(outcome), words, sign::role(outcome))));
        if outcome == Printed {
            out.push(line((sign::IN_PART, "printed in part", sign::role(outcome))));
        }
    }
    out.extend([Line::default(), title("The meter, and the ruler beside the page")]);
    out.extend(meter::glyphs().map(line));
    out.extend(
        [
            (meter::MARKED, "what is marked in a pane", Role::Related),
            ("·", "free", Role::Dim),
            ("┃", "the budget", Role::Title),
            ("▼", "the breakpoint below", Role::Title),
            ("▲", "the breakpoint above", Role::Title),
        ]
        .map(line),
    );
    out
}

fn column(model: &Model, groups: &[Group]) -> Vec<Line<'static>> {
    let theme = model.theme();
    let keys = |action: Action| model.keymap.keys(action).join(" ");
    let listed = Action::ALL.iter().copied().filter(|action| groups.contains(&action.group()));
    let room = listed.map(|action| width(&keys(action))).max().unwrap_or(0);
    let mut out = Vec::new();
    for group in groups {
        if !out.is_empty() {
            out.push(Line::default());
        }
        out.push(Line::styled(group.title(), theme.style(Role::Title)));
        for action in Action::ALL.iter().copied().filter(|action| action.group() == *group) {
            out.push(Line::from(vec![
                Span::styled(pad(&keys(action), room), theme.style(Role::Key)),
                Span::raw("  "),
                Span::styled(action.description(), theme.style(Role::Text)),
            ]));
        }
    }
    out
}

/// A hint: the keys of these actions and what they do.
type Hint = (&'static [Action], &'static str);

const START: &[Hint] =
    &[(&[Action::Query], "query"), (&[Action::Help], "keys"), (&[Action::Quit], "quit")];
const RESULT: &[Hint] = &[
    (&[Action::Query], "query"),
    (&[Action::BudgetDown, Action::BudgetUp], "budget"),
    (&[Action::BreakpointDown, Action::BreakpointUp], "breakpoint"),
    (&[Action::NextPane], "pane"),
    (&[Action::Why], "why"),
    (&[Action::Help], "keys"),
    (&[Action::Quit], "quit"),
    (&[Action::Zoom], "zoom"),
    (&[Action::Reader], "reader"),
    (&[Action::Curve], "curve"),
    (&[Action::Compare], "compare"),
    (&[Action::Document], "open"),
    (&[Action::Copy], "copy"),
    (&[Action::Palette], "commands"),
    (&[Action::Match], "match"),
    (&[Action::Engine], "engine"),
];
const FINDINGS: &[Hint] = &[
    (&[Action::Open], "place"),
    (&[Action::Edit], "edit"),
    (&[Action::Why], "why"),
    (&[Action::Notes], "notes"),
    (&[Action::NextPane], "pane"),
    (&[Action::Query], "query"),
    (&[Action::Help], "keys"),
    (&[Action::Quit], "quit"),
];
const CURVE: &[Hint] = &[
    (&[Action::BreakpointDown, Action::BreakpointUp], "step"),
    (&[Action::BudgetDown, Action::BudgetUp], "budget"),
    (&[Action::Budget], "exact"),
    (&[Action::Back, Action::Quit], "back"),
];
const SWEEP: &[Hint] = &[
    (&[Action::BudgetDown, Action::BudgetUp], "budget"),
    (&[Action::Budget], "exact"),
    (&[Action::Up, Action::Down], "lookup"),
    (&[Action::Open], "ask it"),
    (&[Action::Engine], "engine"),
    (&[Action::Back, Action::Quit], "back"),
];
const DOCUMENT: &[Hint] = &[
    (&[Action::NextPane], "text or list"),
    (&[Action::Open], "follow"),
    (&[Action::Find], "find"),
    (&[Action::Up, Action::Down], "scroll"),
    (&[Action::Copy], "copy"),
    (&[Action::Back], "back"),
];
const COMPARE: &[Hint] = &[
    (&[Action::FindNext, Action::FindPrevious], "difference"),
    (&[Action::Find], "find"),
    (&[Action::Up, Action::Down], "scroll"),
    (&[Action::Open], "take the right one"),
    (&[Action::Back, Action::Quit], "back"),
];
/// The same while words are looked for.
const COMPARE_FOUND: &[Hint] = &[
    (&[Action::FindNext, Action::FindPrevious], "place found"),
    (&[Action::Find], "find"),
    (&[Action::Up, Action::Down], "scroll"),
    (&[Action::Back, Action::Quit], "end the search"),
];
const READER: &[Hint] = &[
    (&[Action::Up, Action::Down], "scroll"),
    (&[Action::Find], "find"),
    (&[Action::Copy], "copy"),
    (&[Action::Save], "write"),
    (&[Action::Back, Action::Quit], "back"),
];
const HELP: &[Hint] = &[
    (&[Action::Back, Action::Quit], "back"),
    (&[Action::Up, Action::Down], "scroll"),
    (&[Action::Find], "find a key by what it does"),
];
const COVERED: &[Hint] =
    &[(&[Action::Back, Action::Quit], "back"), (&[Action::Up, Action::Down], "scroll")];

/// The way out of what covers the panes.
pub fn way_out(model: &Model) -> String {
    let keys = [Action::Back, Action::Quit].map(|action| model.keymap.first(action));
    let keys = keys.into_iter().filter(|key| !key.is_empty());
    keys.chain(["back"]).collect::<Vec<_>>().join(" ")
}

/// Draws the foot of the screen; gives the cursor while a budget is being typed.
pub fn footer(model: &Model, area: Rect, buf: &mut Buffer) -> Option<Position> {
    let theme = model.theme();
    if let Some(Typing { field, input, whole, error }) = &model.typing
        && *field != Field::Query
    {
        let label = format!(" {} ", field.label());
        let room = usize::from(area.width).saturating_sub(field.frame());
        let field_room = match (field, error) {
            (Field::Budget | Field::Limit, _) => 16,
            // What is wrong is to be read whole, also behind a long line.
            (_, Some(error)) => {
                room.saturating_sub(width(error)).clamp(LEAST_TYPED, room.max(20) / 2)
            }
            (_, None) => room / 2,
        };
        let (shown, before) = super::query::window(input, field_room);
        let hint = match error {
            Some(error) => Span::styled(format!("  {error}"), theme.style(Role::Error)),
            None => {
                let found = found(model, *field).map(|words| format!("{words} · "));
                let words = format!("  {}{}", found.unwrap_or_default(), field.hint());
                Span::styled(words, theme.style(Role::Dim))
            }
        };
        let at = width(&label) + 1 + before;
        let line = Line::from(vec![
            Span::styled(label, theme.style(Role::Text)),
            Span::styled("▏", theme.style(Role::BorderFocused)),
            Span::styled(shown, if *whole { theme.selected() } else { theme.style(Role::Title) }),
            Span::styled(" ▕", theme.style(Role::BorderFocused)),
            hint,
        ]);
        paint::line(buf, area, 0, &line);
        return Some(Position::new(area.x + u16::try_from(at).unwrap_or(0), area.y));
    }
    if model.picker.is_some() {
        let words = " type to narrow · ↑ ↓ go · Enter takes it · Esc leaves the list";
        paint::line(buf, area, 0, &Line::styled(words, theme.style(Role::Dim)));
        return None;
    }
    let words = match (&model.typing, &model.notice) {
        (Some(_), _) => Some(format!(" {}", Field::Query.hint())),
        (None, Some(notice)) => Some(format!(" {notice}")),
        (None, None) => None,
    };
    if let Some(words) = words {
        let words = cut(&words, usize::from(area.width));
        paint::line(buf, area, 0, &Line::styled(words, theme.style(Role::Text)));
        return None;
    }
    let hints = match (&model.world, model.popup, &model.outcome) {
        (World::Failed(_) | World::Opening, ..) => &START[2..],
        (_, Some(Popup::Curve), _) => CURVE,
        (_, Some(Popup::Sweep), _) => SWEEP,
        (_, Some(Popup::Document), _) => DOCUMENT,
        (_, Some(Popup::Compare), _) if !find::here(model).words.is_empty() => COMPARE_FOUND,
        (_, Some(Popup::Compare), _) => COMPARE,
        (_, Some(Popup::Reader), _) => READER,
        (_, Some(Popup::Help), _) => HELP,
        (_, Some(Popup::Why | Popup::Problems), _) => COVERED,
        (_, None, None) => START,
        (_, None, Some(_)) if model.focus == Pane::Findings => FINDINGS,
        (_, None, Some(_)) => RESULT,
    };
    let alone = model.layout.as_ref().is_some_and(|layout| layout.alone);
    let right = match busy(model) {
        Some(words) => Some(words),
        None if alone && model.popup.is_none() => Some(" all panes from 80x24 ".to_owned()),
        None => None,
    };
    let right = right.filter(|_| model.outcome.is_some());
    let room = usize::from(area.width) - right.as_deref().map_or(0, width).min(area.width.into());
    hint_line(model, hints, Rect { width: u16::try_from(room).unwrap_or(0), ..area }, buf);
    if let Some(words) = right {
        let at = area.width.saturating_sub(u16::try_from(width(&words)).unwrap_or(0));
        let right = Rect { x: area.x + at, width: area.width - at, ..area };
        paint::line(buf, right, 0, &Line::styled(words, theme.style(Role::Title)));
    }
    None
}

/// The hints that there is room for; the way back is the last to go.
fn hint_line(model: &Model, hints: &[Hint], area: Rect, buf: &mut Buffer) {
    let theme = model.theme();
    let possible = |(actions, _): &&(&[Action], _)| {
        actions.iter().all(|action| why_not(model, *action).is_none())
    };
    let mut shown: Vec<(String, &str, bool)> = Vec::new();
    for (actions, words) in hints.iter().filter(possible) {
        let keys = actions.iter().map(|action| model.keymap.first(*action));
        let keys: Vec<&str> = keys.filter(|key| !key.is_empty()).collect();
        if keys.is_empty() {
            // Nothing is bound to it.
            continue;
        }
        shown.push((keys.join(" "), words, actions.contains(&Action::Back)));
    }
    let room = |(keys, words, _): &(String, &str, bool)| width(keys) + 1 + width(words) + 2;
    let mut left = usize::from(area.width).saturating_sub(1);
    left = left.saturating_sub(shown.iter().filter(|hint| hint.2).map(room).sum());
    let mut spans = vec![Span::raw(" ")];
    let mut is_full = false;
    for hint in shown {
        if !hint.2 {
            is_full |= room(&hint) > left;
            if is_full {
                continue;
            }
            left -= room(&hint);
        }
        let (keys, words, _) = hint;
        spans.push(Span::styled(keys, theme.style(Role::Key)));
        spans.push(Span::styled(format!(" {words}  "), theme.style(Role::Dim)));
    }
    paint::line(buf, area, 0, &Line::from(spans));
}

/// How much of what is looked for there is.
fn found(model: &Model, field: Field) -> Option<String> {
    match field {
        Field::Find => {
            let find = find::here(model);
            (!find.words.is_empty()).then(|| find.count())
        }
        Field::Sieve => {
            let all = model.outcome.as_ref()?.rows().len();
            Some(format!("{} of {all} rows", model.rows_shown().len()))
        }
        _ => None,
    }
}

/// What is waited for, how long already, and the way out.
fn busy(model: &Model) -> Option<String> {
    let spinner = super::paint::spinner(model.waited)?;
    let outcome = model.outcome.as_ref()?;
    let what = match outcome.pending.len() {
        _ if model.waiting => "asking".to_owned(),
        0 => return None,
        1 => "1 document to come".to_owned(),
        count => format!("{count} documents to come"),
    };
    let time = super::welcome::seconds(model.waited);
    Some(format!(" {spinner} {what} · {time} · {} cancels ", model.keymap.first(Action::Back)))
}
