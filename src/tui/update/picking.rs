//! Lists to pick from, and what comes of a pick.

use super::asking::ask_past;
use super::{act_picked, go_to};
use crate::tui::Kept;
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
        Pick::Theme(at) => go_to_theme(model, at),
        Pick::Against(at) => compare::begin(model, at),
    }
}

/// Goes on to a theme, and keeps it for the next time.
pub(super) fn go_to_theme(model: &mut Model, at: usize) -> Vec<Effect> {
    model.notice = Some(model.take_theme(at));
    vec![Effect::Remember(Kept::Theme(model.theme().name().to_owned()))]
}

/// Every command, by what it does.
pub(super) fn commands(model: &Model) -> Picker {
    let all = Action::ALL.iter().copied();
    let told = all.filter(|action| action.group() != Group::Move || *action == Action::Find);
    let choice = |action: Action| Choice {
        label: action.description().to_owned(),
        detail: model.keymap.keys(action).join(" "),
        also: others(action),
        pick: Pick::Action(action),
    };
    let commands = told.filter(|it| *it != Action::Palette).map(choice);
    // What the lists of two of them hold is found by its own words too.
    let within = |word: &'static str| {
        move |choice: Choice| Choice { label: format!("{word} {}", choice.label), ..choice }
    };
    let copied = save::copied(model).into_iter().map(within("copy"));
    let written = save::written(model).into_iter().map(within("write"));
    let themes = model.theme_names().map(|(at, name)| Choice {
        label: format!("theme {name}"),
        detail: String::new(),
        also: "colours colors",
        pick: Pick::Theme(at),
    });
    Picker::new("commands", commands.chain(copied).chain(written).chain(themes).collect())
}

/// What a command is called in other programs.
fn others(action: Action) -> &'static str {
    match action {
        Action::Query => "search ask lookup",
        Action::Find => "search grep",
        Action::Documents => "search open file goto",
        Action::History => "history recent previous",
        Action::Retry => "refresh reload",
        Action::Redraw => "refresh clear",
        Action::Curve => "chart plot graph breakpoints",
        Action::Sweep => "chart plot graph lookups",
        Action::Reader => "text raw source",
        Action::Document => "view",
        Action::Why => "explain reason",
        Action::Compare => "diff difference",
        Action::Keep => "pin bookmark",
        Action::Copy => "clipboard yank",
        Action::Save => "save export file screenshot picture image",
        Action::Theme => "dark light colours colors",
        Action::Zoom => "maximize fullscreen large",
        Action::Problems => "info errors warnings status",
        Action::Findings => "check lint errors",
        Action::Notes => "check lint info hints",
        Action::Narrower | Action::Wider => "resize width",
        Action::Help => "help keys shortcuts bindings",
        Action::Back => "close cancel",
        Action::Quit => "exit close leave",
        Action::Suspend => "background shell",
        _ => "",
    }
}

/// Every document that is known of: all of a world in memory, of another those that
/// the result names.
pub(super) fn documents(model: &mut Model) -> Option<Picker> {
    let choice = |path: String, title: String| Choice {
        label: path.clone(),
        detail: title,
        also: "",
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
        let (label, detail) = (request.query.clone(), facts.join(" · "));
        Choice { label, detail, also: "", pick: Pick::Past(at) }
    });
    Some(Picker::new("past lookups", choices.collect()))
}
