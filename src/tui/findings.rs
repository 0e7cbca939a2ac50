//! What an author should know, with the place of each: the documents of the result
//! first.

use std::collections::HashSet;
use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use super::keymap::Action;
use super::layout::Slot;
use super::model::Model;
use super::paint::{self, Entry, List, Rows};
use super::theme::Role;
use super::width::{cut, shorten, width};
use crate::check::{Place, Severity};
use crate::text::{counted, visible_line};

/// Something that an author should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule's code.
    pub code: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// The document's path; none where it is not in the world.
    pub path: Option<String>,
    /// Where in the document.
    pub place: Place,
    /// The file.
    pub file: PathBuf,
    /// The line in the file, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
    /// The way out.
    pub help: String,
}

/// Whether a finding is shown: notes are where they are wanted.
fn is_shown(model: &Model, finding: &Finding) -> bool {
    model.notes || finding.severity != Severity::Note
}

/// How many findings are shown.
pub fn count(model: &Model) -> usize {
    let all = model.findings.iter().flatten();
    all.filter(|finding| is_shown(model, finding)).count()
}

/// How many notes there are, shown or not.
pub fn notes(model: &Model) -> usize {
    let all = model.findings.iter().flatten();
    all.filter(|finding| finding.severity == Severity::Note).count()
}

/// The places of the findings that are shown in the order they are shown: those of documents on the
/// screen first, then by weight, as they came.
pub fn order(model: &Model) -> Vec<usize> {
    let Some(findings) = &model.findings else { return Vec::new() };
    // There may be thousands of both, and this is on the way to every frame.
    let shown = model.outcome.iter().flat_map(|outcome| {
        let rows = outcome.rows().iter().map(|row| row.path.as_str());
        let targets = outcome.selection.targets.iter();
        rows.chain(targets.map(|target| target.relation.target.as_str()))
    });
    let shown: HashSet<&str> = shown.collect();
    let on_screen =
        |finding: &Finding| finding.path.as_ref().is_some_and(|path| shown.contains(path.as_str()));
    let all = 0..findings.len();
    let mut order: Vec<usize> = all.filter(|at| is_shown(model, &findings[*at])).collect();
    order.sort_by_cached_key(|at| {
        let finding = &findings[*at];
        (!on_screen(finding), std::cmp::Reverse(finding.severity))
    });
    order
}

/// The finding that is selected.
pub fn selected(model: &Model) -> Option<&Finding> {
    let order = order(model);
    let at = order.get(model.chosen.finding.min(order.len().saturating_sub(1)))?;
    model.findings.as_ref()?.get(*at)
}

/// The sign of a severity, and its role.
fn sign(severity: Severity) -> (&'static str, Role) {
    match severity {
        Severity::Error => ("✗ error", Role::Failed),
        Severity::Warning => ("! warning", Role::Omitted),
        Severity::Note => ("· note", Role::Dim),
    }
}

/// Draws the pane.
pub fn draw(model: &Model, slot: &Slot, buf: &mut Buffer) -> Option<Rows> {
    let area = paint::pane(model, slot, buf);
    let theme = model.theme();
    let Some(findings) = &model.findings else {
        let words = match model.desk.is_some() {
            true => "looking through the world …",
            false => {
                "Findings are told of one world on this machine, not of a server or of several."
            }
        };
        paint::message(buf, area, words, theme.style(Role::Dim));
        return None;
    };
    let order = order(model);
    if order.is_empty() {
        let key = model.keymap.first(Action::Notes);
        let words = match notes(model) {
            count if count > 0 && !key.is_empty() => {
                format!("Nothing is wrong; {key} shows {}.", counted(count, "note"))
            }
            _ => "Nothing is wrong.".to_owned(),
        };
        paint::message(buf, area, &words, theme.style(Role::Dim));
        return None;
    }
    let entry = |at: usize, room: usize| {
        let finding = &findings[order[at]];
        let (label, role) = sign(finding.severity);
        let place = match &finding.path {
            Some(path) => format!("{path}:{}", finding.line),
            None => format!("{}:{}", finding.file.display(), finding.line),
        };
        let head = format!("{label:<9} {}  ", finding.code);
        let left = room.saturating_sub(width(&head));
        let place = shorten(&visible_line(&place), left * 3 / 5);
        let message = cut(&visible_line(&finding.message), left.saturating_sub(width(&place) + 2));
        let line = Line::from(vec![
            Span::styled(head, theme.style(role)),
            Span::styled(place, theme.style(Role::Text)),
            Span::styled(format!("  {message}"), theme.style(Role::Dim)),
        ]);
        Entry { line, related: false }
    };
    let chosen = model.chosen.finding.min(order.len() - 1);
    let finding = &findings[order[chosen]];
    let place = match &finding.path {
        Some(path) => format!("{path}:{}", finding.line),
        None => format!("{}:{}", finding.file.display(), finding.line),
    };
    let list = List {
        head: Vec::new(),
        count: order.len(),
        selected: chosen,
        reversed: model.focus == slot.pane,
        foot: visible_line(&format!("{place}: {}; {}", finding.message, finding.help)),
        foot_most: 6,
        entry: &entry,
    };
    Some(paint::list(theme, area, &list, buf))
}
