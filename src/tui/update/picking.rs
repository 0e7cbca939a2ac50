//! Lists to pick from, and what comes of a pick.

use super::asking::ask_past;
use super::{act_picked, go_to};
use crate::tui::compare;
use crate::tui::keymap::{Action, Group};
use crate::tui::message::Effect;
use crate::tui::model::Model;
use crate::tui::picker::{Choice, Pick, Picker};
use crate::tui::save;
use crate::tui::typing::{self, Field};
use crate::tui::width::grouped;

/// Does what was picked.
pub(super) fn picked(model: &mut Model, pick: Pick) -> Vec<Effect> {
    model.picker = None;
    match pick {
        Pick::Action(action) => act_picked(model, action),
        Pick::Document(location) => go_to(model, location, String::new()),
        Pick::Past(at) => ask_past(model, at),
        Pick::Copy(what, text) => vec![Effect::Copy { what, text }],
        Pick::Save(saved) => {
            typing::begin(model, Field::File(saved));
            Vec::new()
        }
        Pick::Against(at) => compare::begin(model, at),
    }
}

/// Every command, by what it does.
pub(super) fn commands(model: &Model) -> Picker {
    let all = Action::ALL.iter().copied();
    let told = all.filter(|action| action.group() != Group::Move || *action == Action::Find);
    let choice = |action: Action| Choice {
        label: action.description().to_owned(),
        detail: model.keymap.keys(action).join(" "),
        pick: Pick::Action(action),
    };
    let commands = told.filter(|it| *it != Action::Palette).map(choice);
    // What the lists of two of them hold is found by its own words too.
    let within = |word: &'static str| {
        move |choice: Choice| Choice { label: format!("{word} {}", choice.label), ..choice }
    };
    let copied = save::copied(model).into_iter().map(within("copy"));
    let written = save::written(model).into_iter().map(within("write"));
    Picker::new("commands", commands.chain(copied).chain(written).collect())
}

/// Every document that is known of: all of a world in memory, of another those that
/// the result names.
pub(super) fn documents(model: &mut Model) -> Option<Picker> {
    let choice = |path: String, title: String| Choice {
        label: path.clone(),
        detail: title,
        pick: Pick::Document(path),
    };
    let mut choices = Vec::new();
    match model.reader.as_ref().and_then(|reader| reader.store()) {
        Some(store) => {
            for document in store.catalog().documents() {
                choices.push(choice(document.path().to_owned(), document.title().to_owned()));
            }
        }
        None => {
            let outcome = model.outcome.as_ref();
            for row in outcome.map(|found| found.rows()).unwrap_or_default() {
                choices.push(choice(row.path.clone(), row.title.clone()));
            }
            for target in outcome.map(|it| it.selection.targets.as_slice()).unwrap_or_default() {
                let relation = &target.relation;
                choices.push(choice(relation.target.clone(), relation.predicate.clone()));
            }
            let mut seen = std::collections::HashSet::new();
            choices.retain(|choice| seen.insert(choice.label.clone()));
        }
    }
    if choices.is_empty() {
        model.notice = Some("no document is known yet: ask first".into());
        return None;
    }
    Some(Picker::new("documents", choices))
}

/// Past lookups with what each cost, the latest first.
pub(super) fn history(model: &mut Model) -> Option<Picker> {
    if model.history.is_empty() {
        model.notice = Some("nothing has been asked yet".into());
        return None;
    }
    let choices = model.history.iter().enumerate().rev().map(|(at, past)| {
        let request = &past.question.request;
        let mut facts = Vec::new();
        if let Some(matched) = request.match_sent {
            facts.push(format!("match {matched}"));
        }
        if !matches!(request.scope.as_str(), "" | "/") {
            facts.push(request.scope.clone());
        }
        if !request.filter.is_empty() {
            facts.push(request.filter.clone());
        }
        facts.push(format!("{} of {} tokens", grouped(past.spent), grouped(past.budget)));
        facts.push(format!("{} of {} rows", past.expanded, past.rows));
        Choice { label: request.query.clone(), detail: facts.join(" · "), pick: Pick::Past(at) }
    });
    Some(Picker::new("past lookups", choices.collect()))
}
