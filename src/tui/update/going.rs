//! Moving in panes, going to evidence, opening documents and following what leads
//! on from them.

use super::reader;
use crate::lookup::Fetched;
use crate::mark::Authority;
use crate::tui::compare::{self, Compare};
use crate::tui::findings;
use crate::tui::keymap::Action;
use crate::tui::layout::Pane;
use crate::tui::message::Effect;
use crate::tui::model::{Model, Popup};
use crate::tui::page::Part;
use crate::tui::swept;
use crate::tui::visit::{Lead, Visit};

/// The pane a number of places on.
pub(super) fn neighbour(pane: Pane, step: usize) -> Pane {
    let at = Pane::ALL.iter().position(|other| *other == pane).unwrap_or(0);
    Pane::ALL[(at + step) % Pane::ALL.len()]
}

/// Goes from an entry to its place on the page, or opens what is not there.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    if model.outcome.is_none() {
        return Vec::new();
    }
    if model.focus == Pane::Evidence {
        return open_subject(model);
    }
    if model.focus == Pane::Findings {
        return super::authoring::go_to_finding(model);
    }
    if model.focus == Pane::Outline {
        let Some((path, document)) = &model.outlined else { return Vec::new() };
        let section = document.outline().headings().get(model.chosen.section);
        let anchor = section.map(|heading| heading.anchor.clone()).unwrap_or_default();
        return visit(model, path.clone(), anchor);
    }
    let Some(part) = model.destination() else { return open_subject(model) };
    model.pointed = (model.focus != Pane::Table).then_some(part);
    model.follow(part);
    model.zoom = false;
    model.focus_on(Pane::Evidence);
    // The page may have another width now.
    model.refresh();
    if let Some(start) = model.page.start(part) {
        model.page_top = start.min(model.last_top());
    }
    Vec::new()
}

/// Opens the document of what is selected, whole.
pub(super) fn open_subject(model: &mut Model) -> Vec<Effect> {
    let item = match model.looked_at() {
        Some(Part::Item(index)) if model.focus == Pane::Evidence => {
            model.outcome.as_ref().and_then(|outcome| outcome.selection.items.get(index))
        }
        _ => None,
    };
    let of_item = item.and_then(|item| {
        let path = item.path.clone()?;
        let anchor = item.location.as_deref()?.split_once('#').map(|(_, anchor)| anchor);
        Some((path, anchor.unwrap_or_default().to_owned()))
    });
    match of_item.or_else(|| model.subject()) {
        Some((location, fragment)) => visit(model, location, fragment),
        None => {
            model.notice = Some("no document is selected".into());
            Vec::new()
        }
    }
}

/// Opens a document whole, over what is there, as a reader would fetch it.
pub(super) fn visit(model: &mut Model, location: String, fragment: String) -> Vec<Effect> {
    let Some(reader) = reader(model) else { return Vec::new() };
    if reader.gives_texts() {
        let words = "no document can be opened here: only what the result prints of it is known";
        model.notice = Some(words.into());
        return Vec::new();
    }
    let here = Authority::of(&location);
    let of_world = model
        .outcome
        .as_ref()
        .and_then(|outcome| outcome.rows().first().map(|row| Authority::of(&row.path)));
    if matches!(here, Authority::Other(_)) || of_world.is_some_and(|world| is_far(&world, &here)) {
        model.notice = Some(format!(
            "{} is in another world; a reader of this one does not follow it",
            crate::text::visible_line(&location)
        ));
        return Vec::new();
    }
    if model.popup != Some(Popup::Document) {
        model.visits.clear();
    }
    model.visits.push(Visit::new(location.clone(), fragment));
    model.popup = Some(Popup::Document);
    model.waited = 0;
    vec![Effect::Visit { reader, location }]
}

/// Whether a location is on a server while the world at hand is not.
fn is_far(world: &Authority, location: &Authority) -> bool {
    *world == Authority::Bare && *location != Authority::Bare
}

/// A document to be opened whole has come.
pub(super) fn visited(model: &mut Model, location: &str, fetched: &Fetched) {
    let incoming = {
        model.refresh();
        model.incoming(location).to_vec()
    };
    // One that is there already is taken anew: the world may have changed.
    for visit in model.visits.iter_mut().filter(|visit| visit.location == location) {
        visit.take(fetched.clone(), &incoming);
    }
}

/// A key in a document opened whole.
pub(super) fn in_document(model: &mut Model, action: Action) -> Vec<Effect> {
    let Some(visit) = model.visits.last_mut() else { return Vec::new() };
    if matches!(action, Action::NextPane | Action::PreviousPane) {
        visit.on_list = !visit.on_list;
        return Vec::new();
    }
    follow_lead(model)
}

/// Follows the selected lead of the document on the screen.
pub(super) fn follow_lead(model: &mut Model) -> Vec<Effect> {
    let Some(visit) = model.visits.last_mut() else { return Vec::new() };
    match visit.lead().cloned() {
        Some(Lead::Section(section)) => {
            visit.go_to(section);
            visit.on_list = false;
            Vec::new()
        }
        Some(Lead::Away(_, _, location, fragment)) => self::visit(model, location, fragment),
        None => Vec::new(),
    }
}

/// A step in a pane.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Lines(isize),
    Pages(isize),
    Halves(isize),
    Top,
    End,
}

impl Step {
    pub(super) fn of(action: Action) -> Option<Self> {
        Some(match action {
            Action::Up => Self::Lines(-1),
            Action::Down => Self::Lines(1),
            Action::PageUp => Self::Pages(-1),
            Action::PageDown => Self::Pages(1),
            Action::HalfUp => Self::Halves(-1),
            Action::HalfDown => Self::Halves(1),
            Action::Top => Self::Top,
            Action::End => Self::End,
            _ => return None,
        })
    }

    /// The place after the step, from 0 to `last`, with `page` lines in view.
    fn from(self, at: usize, last: usize, page: usize) -> usize {
        let page = isize::try_from(page.max(2)).unwrap_or(isize::MAX);
        let by = match self {
            Self::Lines(by) => by,
            Self::Pages(by) => by * (page - 1),
            Self::Halves(by) => by * (page / 2),
            Self::Top => return 0,
            Self::End => return last,
        };
        at.saturating_add_signed(by).min(last)
    }
}

/// Moves in what covers the panes, or in the pane that has the keys.
pub(super) fn moved(model: &mut Model, step: Step) {
    match model.popup {
        Some(popup) => moved_over(model, popup, step),
        None => moved_in(model, model.focus, step),
    }
}

/// Goes on to where two results differ next, or back.
pub(super) fn to_difference(model: &mut Model, on: bool) {
    let rows = compare::rows(model);
    if let Some(compare) = &mut model.compare {
        model.notice = compare.go(on, rows);
    }
}

fn moved_over(model: &mut Model, popup: Popup, step: Step) {
    let rows = crate::tui::reader::rows(model);
    match popup {
        Popup::Reader => {
            let last = model.text.lines.len().saturating_sub(rows);
            model.popup_top = step.from(model.popup_top.min(last), last, rows);
        }
        Popup::Compare => {
            let rows = compare::rows(model);
            if let Some(compare) = &mut model.compare {
                let last = Compare::height(compare).saturating_sub(rows);
                compare.top = step.from(compare.top.min(last), last, rows);
            }
        }
        Popup::Document => {
            let rows = model.visit_rows();
            let Some(visit) = model.visits.last_mut() else { return };
            if visit.on_list {
                let last = visit.leads().saturating_sub(1);
                visit.chosen = step.from(visit.chosen, last, rows);
            } else {
                let last = visit.height().saturating_sub(rows);
                visit.top = step.from(visit.top.min(last), last, rows);
            }
        }
        Popup::Curve => {}
        Popup::Sweep => {
            let body = model.layout.as_ref().map(|layout| layout.body).unwrap_or_default();
            if let Some(swept) = &mut model.swept {
                let rows = swept::rows(body, swept.count());
                let last = swept.count().saturating_sub(1);
                swept.chosen = step.from(swept.chosen.min(last), last, rows);
            }
        }
        Popup::Help | Popup::Why | Popup::Problems => {
            let last = crate::tui::popup::last_top(model, popup);
            model.popup_top = step.from(model.popup_top.min(last), last, rows);
        }
    }
}

/// Moves in a pane. The page follows what is selected.
pub(super) fn moved_in(model: &mut Model, pane: Pane, step: Step) {
    if pane != Pane::Evidence {
        model.pointed = None;
    }
    let Some(outcome) = &model.outcome else { return };
    let slot = model.layout.as_ref().and_then(|layout| layout.slot(pane));
    let rows = slot.map_or(1, |slot| usize::from(slot.inner().height)).max(1);
    let last = |count: usize| count.saturating_sub(1);
    match pane {
        Pane::Evidence => {
            model.page_top = step.from(model.page_top, model.last_top(), rows);
            return;
        }
        Pane::Table => {
            let shown = model.rows_shown();
            let at = shown.iter().position(|row| *row == model.chosen.row).unwrap_or(0);
            if let Some(row) = shown.get(step.from(at, last(shown.len()), rows - 1)) {
                model.chosen.row = *row;
            }
        }
        Pane::Relations => {
            let all = last(model.relation_count());
            model.chosen.target = step.from(model.chosen.target, all, rows - 1);
        }
        Pane::Stubs => {
            let all = last(outcome.repeats.len());
            model.chosen.repeat = step.from(model.chosen.repeat, all, rows - 1);
        }
        Pane::Omissions => {
            let all = last(outcome.omissions.len());
            model.chosen.omission = step.from(model.chosen.omission, all, rows - 1);
        }
        Pane::Findings => {
            let all = last(findings::count(model));
            model.chosen.finding = step.from(model.chosen.finding, all, rows - 1);
            return;
        }
        Pane::Outline => {
            let all = model.outlined.as_ref();
            let all = all.map_or(0, |(_, document)| last(document.outline().headings().len()));
            model.chosen.section = step.from(model.chosen.section, all, rows - 1);
            return;
        }
    }
    if pane == model.focus {
        show(model);
    }
}

/// Brings what is selected into sight on the page.
pub(super) fn show(model: &mut Model) {
    if let Some(start) = model.destination().and_then(|part| model.page.start(part)) {
        model.page_top = start.min(model.last_top());
    }
}

/// Selects a row that the sieve lets through, where the selected one is not.
pub(in crate::tui) fn keep_in_sight(model: &mut Model) {
    let shown = model.rows_shown();
    if !shown.contains(&model.chosen.row)
        && let Some(first) = shown.first()
    {
        model.chosen.row = *first;
        show(model);
    }
}
