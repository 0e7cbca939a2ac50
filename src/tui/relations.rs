//! The relations of the strongest match, in the order they are followed, and behind
//! them what it declares in vain.

use ratatui::buffer::Buffer;
use ratatui::text::{Line, Span};

use super::layout::Slot;
use super::model::Model;
use super::outcome::Outcome;
use super::paint::{self, Entry, List, Rows};
use super::sign;
use super::theme::Role;
use super::width::{cut, grouped, pad, sentence, shorten, width};
use crate::relations::{PREFIX, Reason, Rejected};
use crate::selection::{Engine, Outcome as Fate, TargetReport};
use crate::text::visible_line;

/// Draws the pane.
pub fn draw(model: &Model, slot: &Slot, buf: &mut Buffer) -> Option<Rows> {
    let area = paint::pane(model, slot, buf);
    let outcome = model.outcome.as_ref()?;
    let theme = model.theme();
    let selection = &outcome.selection;
    let (targets, rejected) = (&selection.targets, &selection.rejected);
    let incoming = model.incoming_here();
    if targets.is_empty() && rejected.is_empty() && incoming.is_empty() {
        paint::message(buf, area, &none(outcome), theme.style(Role::Dim));
        return None;
    }
    let strongest = selection.strongest.as_deref().unwrap_or_default();
    let room = usize::from(area.width).saturating_sub(6);
    // The document, with its relations as branches: what it names, and what names it.
    let head = Line::from(vec![
        Span::styled("  ┬ ", theme.style(Role::Dim)),
        Span::styled(shorten(&visible_line(strongest), room), theme.style(Role::Title)),
    ]);
    let count = model.relation_count();
    let names = targets.iter().map(|target| target.relation.predicate.as_str());
    let names = names.chain(rejected.iter().map(predicate));
    let names = names.chain(incoming.iter().map(|from| from.predicate.as_str()));
    let predicates = names.map(|name| width(&visible_line(name))).max().unwrap_or(0).clamp(4, 16);
    let labels = sign::width(targets.iter().map(|target| target.outcome));
    let labels = if rejected.is_empty() { labels } else { labels.max(width(REJECTED) + 2) };
    let labels = if incoming.is_empty() { labels } else { labels.max(width(INCOMING) + 2) };
    let (_, of) = model.origin();
    let entry = |index: usize, room: usize| {
        let (label, role, name, location) = match targets.get(index) {
            Some(target) => (
                sign::told(target.outcome, &target.pieces),
                sign::role(target.outcome),
                target.relation.predicate.as_str(),
                target.relation.location(),
            ),
            None => match rejected.get(index - targets.len()) {
                Some(rejected) => {
                    (REJECTED.into(), Role::Failed, predicate(rejected), rejected.value.clone())
                }
                None => {
                    let from = &incoming[index - targets.len() - rejected.len()];
                    (INCOMING.into(), Role::Dim, from.predicate.as_str(), from.source.clone())
                }
            },
        };
        let is_incoming = index >= targets.len() + rejected.len();
        let (branch, end) = match index + 1 == count {
            true => ("└", if is_incoming { "◂" } else { "─" }),
            false => ("├", if is_incoming { "◂" } else { "─" }),
        };
        let head = match index {
            _ if is_incoming => "─ ",
            index if index < targets.len() => "▸ ",
            _ => "╳ ",
        };
        let left = room.saturating_sub(labels + predicates + 4);
        let name = cut(&visible_line(name), predicates);
        let stroke = "─".repeat(predicates.saturating_sub(width(&name)));
        let dim = theme.style(Role::Dim);
        let line = Line::from(vec![
            Span::styled(format!("{branch}{end}"), dim),
            Span::styled(name, theme.style(Role::RelationLine)),
            Span::styled(format!("{stroke}{head}"), dim),
            Span::styled(pad(&label, labels), theme.style(role)),
            Span::styled(shorten(&visible_line(&location), left), theme.style(Role::Text)),
        ]);
        Entry { line, related: of == Some(index) }
    };
    let chosen = model.chosen.target;
    let foot = targets.get(chosen).map(|target| {
        let mut words = reason(outcome, target);
        if let Some(short) = target.relation_line.as_ref().and_then(|line| line.short()) {
            words.push_str(&format!("; its relation line is {} tokens short", grouped(short)));
        }
        words
    });
    let in_vain = || outcome.rejected(chosen).map(rejection);
    let from = || model.incoming_at(chosen).map(|_| OUTSIDE.to_owned());
    let list = List {
        head: vec![head],
        count,
        selected: chosen,
        reversed: model.focus == slot.pane,
        foot: foot.or_else(in_vain).or_else(from).unwrap_or_default(),
        foot_most: 2,
        entry: &entry,
    };
    Some(paint::list(theme, area, &list, buf))
}

/// Sign and word of what points to the strongest match.
const INCOMING: &str = "← from";
/// What there is to know of it.
const OUTSIDE: &str = "points here; no lookup follows it";

/// Sign and word of what is declared in vain.
pub const REJECTED: &str = "! rejected";

/// The predicate that was meant; the bare prefix where there is none.
pub fn predicate(rejected: &Rejected) -> &str {
    match rejected.key.strip_prefix(PREFIX) {
        Some("") | None => &rejected.key,
        Some(predicate) => predicate,
    }
}

/// Why a declaration is in vain.
pub fn rejection(rejected: &Rejected) -> String {
    match rejected.reason {
        Reason::WhiteSpace => format!("{}: a comma may be missing", rejected.reason),
        reason => reason.to_string(),
    }
}

/// Why a target is as it is. Of one whose document is in the table it may be known
/// besides that no heading has its fragment.
pub fn reason(outcome: &Outcome, target: &TargetReport) -> String {
    let mut words = sentence(&target.reason);
    let relation = &target.relation;
    if target.outcome == Fate::InTable
        && !relation.fragment.is_empty()
        && let Some(document) = outcome.asked.session().document(&relation.target)
        && document.outline().find(&relation.fragment).is_none()
    {
        words.push_str(&format!(", but has no section #{}", visible_line(&relation.fragment)));
    }
    words
}

fn none(outcome: &Outcome) -> String {
    let selection = &outcome.selection;
    match &selection.strongest {
        _ if selection.engine == Engine::Rows => "The engine rows follows no relations.".into(),
        Some(strongest) => format!("{} declares no relations.", visible_line(strongest)),
        None => "No block is printed, so that no relation is followed.".into(),
    }
}
