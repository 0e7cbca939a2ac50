//! The author's side: a world that changes, what is wrong with it, and the editor.

use super::asking::again;
use super::going::visit;
use crate::lookup::Fetched;
use crate::text::{counted, visible_line};
use crate::tui::Opened;
use crate::tui::editor::{At, Edit};
use crate::tui::findings::{self, selected};
use crate::tui::layout::Pane;
use crate::tui::message::Effect;
use crate::tui::model::{Model, Popup};
use crate::tui::page::Part;
use crate::world::Reader;

/// The most changed documents that are named.
const NAMED: usize = 3;

/// Has the world looked through, where it can be.
pub(super) fn check(model: &Model) -> Option<Effect> {
    let desk = model.desk.clone()?;
    Some(Effect::Check { load: model.loads, desk })
}

/// The world has changed. It is read by one reader at a time: of two, the one that
/// began first could end last.
pub(super) fn changed(model: &mut Model) -> Vec<Effect> {
    if std::mem::replace(&mut model.is_reading, true) {
        model.is_outdated = true;
        return Vec::new();
    }
    vec![Effect::Reload]
}

/// The world was read again.
pub(super) fn reloaded(model: &mut Model, reloaded: Result<Opened, String>) -> Vec<Effect> {
    model.is_reading = false;
    let once_more = match std::mem::take(&mut model.is_outdated) {
        true => changed(model),
        false => Vec::new(),
    };
    let opened = match reloaded {
        Ok(opened) => opened,
        Err(why) => {
            // What was read before is better than nothing.
            let why = visible_line(&why);
            model.notice = Some(format!("not read again: {why}"));
            model.unread = Some(format!(
                "It cannot be read any more, and is shown as it was read last: {why}"
            ));
            return once_more;
        }
    };
    model.unread = None;
    model.reopened(opened);
    let changed: Vec<&str> = model.changed_last.iter().take(NAMED).map(String::as_str).collect();
    let last = match model.changed_last.len() {
        0 => None,
        count if count > NAMED => Some(format!("changed: {count} documents")),
        _ => Some(told(model, &changed)),
    };
    let all = match model.changed.len() {
        0 => "all is again as it was when this was opened".to_owned(),
        1 => "≠ is at the one document changed since this was opened".to_owned(),
        count => format!("≠ is at all {count} documents changed since this was opened"),
    };
    model.notice = last.map(|last| match model.changed == model.changed_last {
        true => last,
        false => format!("{last}; {all}"),
    });
    let mut effects = again(model);
    effects.extend(check(model));
    effects.extend(once_more);
    if let Some(reader) = &model.reader {
        let open = model.visits.iter().map(|visit| visit.location.clone());
        let fresh = open.map(|location| Effect::Visit { reader: reader.clone(), location });
        effects.extend(fresh);
    }
    effects
}

/// Which documents have changed, and which are gone.
fn told(model: &Model, changed: &[&str]) -> String {
    let store = model.reader.as_ref().and_then(Reader::store);
    let is_there =
        |path: &&&str| store.is_none_or(|store| store.catalog().document(path).is_some());
    let (there, gone): (Vec<&str>, Vec<&str>) = changed.iter().partition(is_there);
    let words = [("changed: ", there), ("gone: ", gone)];
    let words = words.into_iter().filter(|(_, paths)| !paths.is_empty());
    let words: Vec<String> =
        words.map(|(word, paths)| word.to_owned() + &paths.join(", ")).collect();
    visible_line(&words.join("; "))
}

/// Shows notes among the findings, or no more. What is selected stays that, if it is
/// still there.
pub(super) fn notes(model: &mut Model) {
    if !model.is_shown(Pane::Findings) {
        model.focus_on(Pane::Findings);
    }
    if model.findings.is_none() {
        // The pane says so.
        return;
    }
    let count = findings::notes(model);
    if count == 0 && !model.notes {
        model.notice = Some("there are no notes".into());
        return;
    }
    let chosen = findings::order(model).get(model.chosen.finding).copied();
    model.notes = !model.notes;
    let order = findings::order(model);
    let again = chosen.and_then(|chosen| order.iter().position(|at| *at == chosen));
    model.chosen.finding = again.unwrap_or(0);
    let words = counted(count, "note");
    let are = if count == 1 { "is" } else { "are" };
    let shown = if model.notes { "shown" } else { "left out" };
    model.notice = Some(format!("{words} {are} {shown}"));
}

/// Opens the document of the selected finding at its place.
pub(super) fn go_to_finding(model: &mut Model) -> Vec<Effect> {
    let Some(finding) = selected(model) else { return Vec::new() };
    let Some(path) = finding.path.clone() else { return edit(model) };
    let (place, line) = (finding.place.clone(), finding.line);
    let effects = visit(model, path, String::new());
    if let Some(visit) = model.visits.last_mut() {
        visit.point_to(place, line);
    }
    effects
}

/// Gives the terminal to the author's editor, at what is looked at.
pub(super) fn edit(model: &mut Model) -> Vec<Effect> {
    let Some(folder) = model.desk.as_ref().and_then(|desk| desk.folder.clone()) else {
        model.notice = Some("only the documents of a single folder can be edited".into());
        return Vec::new();
    };
    if model.popup.is_none() && model.focus == Pane::Findings {
        let Some(finding) = selected(model) else { return Vec::new() };
        let (file, at) = (finding.file.clone(), At::Line(finding.line));
        return vec![Effect::Edit(Edit { file, at })];
    }
    let Some((path, at)) = looked_at(model) else {
        model.notice = Some("no document is selected".into());
        return Vec::new();
    };
    let file = folder.join(path.trim_start_matches('/'));
    vec![Effect::Edit(Edit { file, at })]
}

/// The document that is looked at, and where in it.
fn looked_at(model: &Model) -> Option<(String, At)> {
    if model.popup == Some(Popup::Document) {
        let visit = model.visits.last()?;
        return Some((visit.location.clone(), visit.edited_at()));
    }
    let outcome = model.outcome.as_ref()?;
    let part = match model.focus {
        Pane::Evidence => model.looked_at(),
        _ => model.destination(),
    };
    let item = match part {
        Some(Part::Item(index)) => outcome.selection.items.get(index),
        _ => None,
    };
    let path = item.and_then(|item| item.path.clone()).or_else(|| Some(model.subject()?.0))?;
    let document = match model.reader.as_ref()?.at_hand(&path)? {
        Fetched::Document(document) => document,
        Fetched::Error(_) | Fetched::Failed(_) => return None,
    };
    let start = match item.and_then(|item| item.range.clone()) {
        Some(range) => range.start,
        None => {
            let anchor = model.subject().map(|(_, anchor)| anchor).unwrap_or_default();
            document.outline().find(&anchor).map_or(0, |heading| heading.start)
        }
    };
    Some((path, At::FromEnd(document.body().len().saturating_sub(start))))
}
