//! The words for what is selected: what became of it, piece by piece.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::findings::{self, Finding};
use super::incoming::Incoming;
use super::keymap::Action;
use super::layout::Pane;
use super::model::Model;
use super::outcome::Outcome as Found;
use super::page::Part;
use super::paint;
use super::relations;
use super::sign;
use super::theme::Role;
use super::width::{grouped, sentence, shorten, wrap};
use crate::check::Rule;
use crate::relations::Rejected;
use crate::selection::{Fate, LineReport, Omission, Outcome, PieceReport, TOKEN};
use crate::text::visible_line;

/// The most of the others that the popup tells of.
const MOST_OTHERS: usize = 200;

/// Draws the words into a pane of their own.
pub fn draw(model: &Model, area: Rect, buf: &mut Buffer) {
    let inner = paint::frame(model.theme(), area, "why", buf);
    let lines = lines(model, usize::from(inner.width));
    if lines.len() > usize::from(inner.height) {
        let words = format!("1–{} of {} · {} for all", inner.height, lines.len(), key(model));
        paint::corner(model.theme(), inner, &words, buf);
    }
    for (row, line) in (0..inner.height).zip(&lines) {
        paint::line(buf, inner, row, line);
    }
}

/// The key of the popup that has all of it.
fn key(model: &Model) -> &str {
    model.keymap.first(Action::Why)
}

/// The lines of the popup. Where the pane tells of what is selected already, all the
/// others of the same kind follow.
pub fn all(model: &Model, room: usize) -> Vec<Line<'static>> {
    let Some(outcome) = &model.outcome else { return Vec::new() };
    let mut page = Words::new(model, room);
    let told = page.selected(outcome);
    let is_beside = model.layout.as_ref().is_some_and(|layout| layout.why.is_some());
    if is_beside && outcome.refusal().is_none() {
        match model.focus {
            Pane::Findings => page.other_findings(),
            _ => page.others(outcome, told),
        }
    }
    page.lines
}

/// The lines for what is selected.
fn lines(model: &Model, room: usize) -> Vec<Line<'static>> {
    let Some(outcome) = &model.outcome else { return Vec::new() };
    let mut page = Words::new(model, room);
    page.selected(outcome);
    page.lines
}

/// A row, or a target of the strongest match.
type Origin = (Option<usize>, Option<usize>);

struct Words<'a> {
    model: &'a Model,
    room: usize,
    lines: Vec<Line<'static>>,
    /// What was told of already.
    told: Option<Omission>,
}

impl<'a> Words<'a> {
    fn new(model: &'a Model, room: usize) -> Self {
        Self { model, room, lines: Vec::new(), told: None }
    }

    /// What is selected; gives the row or target that was told of.
    fn selected(&mut self, outcome: &Found) -> Origin {
        let nothing = (None, None);
        if let Some((status, message)) = outcome.refusal() {
            self.text(&format!("The store refuses: {}", visible_line(status)), Role::Error);
            self.text(&visible_line(message), Role::Text);
            return nothing;
        }
        if self.model.focus == Pane::Findings {
            match findings::selected(self.model) {
                Some(finding) => self.finding(finding),
                None => self.text("Nothing is wrong, or it is not known yet.", Role::Text),
            }
            return nothing;
        }
        if self.model.focus == Pane::Omissions {
            let Some(omission) = outcome.omissions.get(self.model.chosen.omission) else {
                self.text("Nothing was left out.", Role::Text);
                return nothing;
            };
            self.omission(omission);
        }
        let origin = if self.model.focus == Pane::Evidence {
            let Some(origin) = self.part(outcome) else { return nothing };
            origin
        } else {
            self.model.origin()
        };
        match origin {
            (Some(row), _) => self.row(outcome, row),
            (None, Some(target)) => self.target(outcome, target),
            nothing => {
                self.text("There is nothing selected here.", Role::Text);
                return nothing;
            }
        }
        origin
    }

    fn row(&mut self, outcome: &Found, row: usize) {
        let rows = &outcome.selection.rows;
        let Some(report) = rows.get(row) else {
            return self.text("There is no row to tell of.", Role::Text);
        };
        self.text(&format!("row {} of {}", row + 1, rows.len()), Role::Dim);
        let reason = sentence(&report.reason);
        self.subject(&report.location, (report.outcome, &report.pieces), &reason);
        self.pieces(&report.pieces, &reason);
        self.relation_line(report.relation_line.as_ref());
        self.entries(outcome, Some(row), None);
    }

    fn target(&mut self, outcome: &Found, target: usize) {
        let selection = &outcome.selection;
        let Some(report) = selection.targets.get(target) else {
            return match outcome.rejected(target) {
                Some(rejected) => self.rejected(rejected),
                None if let Some(from) = self.model.incoming_at(target) => self.incoming(from),
                None => self.text("There is no relation to tell of.", Role::Text),
            };
        };
        let from = format!(
            "{} of {}, target {} of {}",
            report.relation.predicate,
            selection.strongest.as_deref().unwrap_or_default(),
            target + 1,
            selection.targets.len()
        );
        self.text(&from, Role::Dim);
        let reason = relations::reason(outcome, report);
        self.subject(&report.relation.location(), (report.outcome, &report.pieces), &reason);
        self.pieces(&report.pieces, &reason);
        self.relation_line(report.relation_line.as_ref());
        self.entries(outcome, None, Some(target));
    }

    /// All rows and targets but the one that was told of.
    fn others(&mut self, outcome: &Found, told: Origin) {
        let selection = &outcome.selection;
        let rows = (0..selection.rows.len()).map(|row| (Some(row), None));
        let targets = (0..selection.targets.len()).map(|target| (None, Some(target)));
        // What has a row is told of by its row alone.
        let told = if told.0.is_some() { (told.0, None) } else { told };
        let others = rows.chain(targets).filter(|other| *other != told);
        let others: Vec<Origin> = others.collect();
        self.told = None;
        for other in others.iter().take(MOST_OTHERS) {
            self.rule();
            match *other {
                (Some(row), _) => self.row(outcome, row),
                (None, target) => self.target(outcome, target.unwrap_or_default()),
            }
        }
        self.and_more(others.len());
    }

    /// All findings but the selected one.
    fn other_findings(&mut self) {
        let model = self.model;
        let Some(findings) = &model.findings else { return };
        let order = findings::order(model);
        let chosen = model.chosen.finding.min(order.len().saturating_sub(1));
        let others = order.iter().enumerate().filter(|(at, _)| *at != chosen);
        for (_, finding) in others.take(MOST_OTHERS) {
            self.rule();
            self.finding_alone(&findings[*finding]);
        }
        self.and_more(order.len().saturating_sub(1));
    }

    /// How many there are beyond those that were told of.
    fn and_more(&mut self, count: usize) {
        if count > MOST_OTHERS {
            self.rule();
            self.text(&format!("and {} more", grouped(count - MOST_OTHERS)), Role::Dim);
        }
    }

    /// A line between one and the next.
    fn rule(&mut self) {
        let style = self.model.theme().style(Role::Dim);
        self.lines.push(Line::styled("─".repeat(self.room), style));
    }
    fn text(&mut self, words: &str, role: Role) {
        let style = self.model.theme().style(role);
        let lines = wrap(&visible_line(words), self.room);
        self.lines.extend(lines.into_iter().map(|line| Line::styled(line, style)));
    }

    fn gap(&mut self) {
        self.lines.push(Line::default());
    }

    fn omission(&mut self, omission: &Omission) {
        self.subject(&omission.location, (omission.outcome, &[]), &sentence(&omission.reason));
        self.entering(omission);
        self.told = Some(omission.clone());
        self.gap();
    }

    /// When it comes in, and at whose cost.
    fn entering(&mut self, omission: &Omission) {
        let found = self.model.outcome.as_ref();
        if let Some(words) = found.and_then(|found| found.entering(omission)) {
            self.text(&format!("  {words}"), Role::Text);
        }
    }

    /// The same for everything that a row or a target left out.
    fn entries(&mut self, outcome: &Found, row: Option<usize>, target: Option<usize>) {
        let omissions = outcome.omissions.iter();
        let own: Vec<&Omission> = omissions
            .filter(|omission| omission.row == row && omission.target == target)
            .filter(|omission| self.told.as_ref() != Some(*omission))
            .collect();
        if own.is_empty() || outcome.walked.is_none() {
            return;
        }
        self.gap();
        for omission in own {
            let words = outcome.entering(omission).unwrap_or_default();
            let subject = super::omissions::subject(omission, self.room);
            self.text(&subject, Role::Title);
            self.text(&format!("  {words}"), Role::Text);
        }
    }

    /// The part of the page that is looked at; gives what brought it, if it is told
    /// further.
    fn part(&mut self, outcome: &Found) -> Option<(Option<usize>, Option<usize>)> {
        let items = &outcome.selection.items;
        match self.model.looked_at() {
            Some(Part::Item(index)) => {
                let item = items.get(index)?;
                let tokens = grouped(item.tokens());
                self.text(&format!("{}, {tokens} tokens", item.kind.name()), Role::Dim);
                if item.row.is_none() && item.target.is_none() {
                    self.text(item.text.trim(), Role::Text);
                    return None;
                }
                let location = item.location.as_deref().unwrap_or_default();
                self.text(&shorten(&visible_line(location), self.room), Role::Title);
                self.gap();
                Some((item.row, item.target))
            }
            Some(Part::Omission(index)) => {
                let omission = outcome.omissions.get(index)?;
                self.omission(omission);
                Some((omission.row, omission.target))
            }
            Some(Part::Fold) => {
                self.text("The reader's text ends here; below is what was left out.", Role::Text);
                None
            }
            None => Some(self.model.origin()),
        }
    }

    fn subject(
        &mut self,
        location: &str,
        (outcome, pieces): (Outcome, &[PieceReport]),
        reason: &str,
    ) {
        let theme = self.model.theme();
        let location = shorten(&visible_line(location), self.room);
        self.lines.push(Line::styled(location, theme.style(Role::Title)));
        // The sentence often begins with the word of the outcome.
        let said = reason.starts_with(outcome.word()) || outcome == Outcome::Printed;
        let words = match said {
            true => format!("{} {reason}", sign::of_pieces(outcome, pieces)),
            false => format!("{} · {reason}", sign::label(outcome)),
        };
        self.text(&words, sign::role(outcome));
    }

    fn rejected(&mut self, rejected: &Rejected) {
        let selection = self.model.outcome.as_ref().map(|outcome| &outcome.selection);
        let strongest = selection.and_then(|selection| selection.strongest.as_deref());
        let from = format!("{} of {}", rejected.key, strongest.unwrap_or_default());
        self.text(&from, Role::Dim);
        self.text(&rejected.value, Role::Title);
        let words = format!("{} · {}", relations::REJECTED, relations::rejection(rejected));
        self.text(&words, Role::Failed);
        self.text("No reader sees it, and it costs nothing.", Role::Text);
    }

    /// What is wrong, where, and the way out.
    fn finding_alone(&mut self, finding: &Finding) {
        let place = match &finding.path {
            Some(path) => format!("{path}, line {}", finding.line),
            None => format!("{}, line {}", finding.file.display(), finding.line),
        };
        self.text(&place, Role::Dim);
        let words = format!("{} {}: {}", finding.severity.name(), finding.code, finding.message);
        self.text(&words, Role::Title);
        self.text(&format!("= help: {}", finding.help), Role::Text);
    }

    fn finding(&mut self, finding: &Finding) {
        self.finding_alone(finding);
        if let Some(rule) = Rule::of(finding.code) {
            self.gap();
            self.text(rule.explanation, Role::Text);
        }
        self.gap();
        let keymap = &self.model.keymap;
        let words = format!(
            "{} shows the place, {} opens it in your editor.",
            keymap.first(Action::Open),
            keymap.first(Action::Edit)
        );
        self.text(&words, Role::Dim);
    }

    fn incoming(&mut self, from: &Incoming) {
        self.text(&from.source, Role::Title);
        let words = format!(
            "declares {} of the strongest match. A reader of this lookup does not see it: \
             relations are followed forward only, and it costs nothing.",
            from.predicate
        );
        self.text(&words, Role::Text);
    }

    fn pieces(&mut self, pieces: &[PieceReport], reason: &str) {
        if pieces.is_empty() {
            return;
        }
        self.gap();
        let heading =
            if pieces.len() == 1 { "The piece" } else { "The pieces, as they were tried" };
        self.text(heading, Role::Dim);
        for piece in pieces {
            let (sign, words) = self.fate(piece);
            let bytes = piece.range.as_ref().map_or_else(
                || "an outline".to_owned(),
                |range| format!("bytes {}–{}", grouped(range.start), grouped(range.end)),
            );
            let location = shorten(&visible_line(&piece.location), self.room.saturating_sub(2));
            self.text(&format!("{sign} {location}"), Role::Text);
            let tokens = grouped(piece.tokens);
            let size = match piece.not_told {
                // It ends as a sentence does.
                Some(words) => format!("  {tokens} tokens of text, {words}"),
                None => format!("  {bytes}, {tokens} tokens of text"),
            };
            self.text(&size, Role::Dim);
            if pieces.len() > 1 || words != reason {
                self.text(&format!("  {words}"), Role::Dim);
            }
        }
    }

    fn fate(&self, piece: &PieceReport) -> (&'static str, String) {
        let items = self.model.outcome.as_ref().map(|found| found.selection.items.as_slice());
        let name = |item: usize| {
            let item = items.and_then(|items| items.get(item));
            item.and_then(|item| item.location.clone()).unwrap_or_default()
        };
        match piece.fate {
            Fate::Printed { .. } => ("●", "printed as a block".into()),
            Fate::SameText { of, .. } => ("≡", format!("the same text stands in {}", name(of))),
            Fate::Within { of, .. } => ("○", format!("lies within {}", name(of))),
            Fate::Encloses { of, .. } => ("○", format!("encloses {}, skipped", name(of))),
            Fate::NamedUnfit => ("✗", "did not fit, as the note at the end says".into()),
            Fate::DidNotFit { left } => {
                let short = piece.short().unwrap_or(0);
                let words = format!(
                    "did not fit: {} bytes with its frame, {} left, {} tokens short",
                    grouped(piece.bytes),
                    grouped(left),
                    grouped(short)
                );
                ("✗", words)
            }
        }
    }

    fn relation_line(&mut self, line: Option<&LineReport>) {
        let Some(line) = line else { return };
        self.gap();
        let tokens = grouped(line.bytes / TOKEN);
        let words = match line.short() {
            None => format!("Its relation line is printed, {tokens} tokens."),
            Some(short) => {
                let short = grouped(short);
                format!("Its relation line did not fit: {tokens} tokens, {short} short.")
            }
        };
        self.text(&words, Role::Text);
    }
}
