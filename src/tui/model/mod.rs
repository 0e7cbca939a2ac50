//! The state of the explorer. Only `update` changes it; `view` only reads it.
//! `around` tells what is selected and what belongs to it; `parts` has the small types.

mod around;
mod parts;
mod reopened;

use std::collections::BTreeSet;
use std::sync::Arc;

use ratatui::layout::Rect;

pub use parts::{Chosen, Past, Popup, World};

use crate::document::Document;
use crate::lookup::Question;
use crate::text::visible_line;
use crate::tui::compare::{Compare, Side};
use crate::tui::find::{self, Find};
use crate::tui::findings::Finding;
use crate::tui::incoming::Pointers;
use crate::tui::keymap::Keymap;
use crate::tui::layout::{Layout, Pane, WIDEST, Wish};
use crate::tui::outcome::Outcome;
use crate::tui::page::{Page, Part, Prose, lay_out};
use crate::tui::picker::Picker;
use crate::tui::reader::Text;
use crate::tui::swept::Swept;
use crate::tui::theme::Theme;
use crate::tui::tokens::Tokenizer;
use crate::tui::typing::Typing;
use crate::tui::visit::{self, Visit};
use crate::tui::welcome::Start;
use crate::tui::{Desk, Opened, Options, Problems};
use crate::tune::RecordedLookup;
use crate::world::Reader;

/// Lines of the first block that are in sight where the page opens at its beginning.
const LEAST_IN_SIGHT: usize = 8;

/// All of the state.
pub struct Model {
    /// The name shown while the world is opened.
    pub label: String,
    /// The world.
    pub world: World,
    /// What answers, once the world is open.
    pub reader: Option<Reader>,
    /// What to know of the way to the world, loud in the first line.
    pub warning: Option<&'static str>,
    /// How far the opening of the world is, in words.
    pub progress: String,
    /// What the start screen tells of the world.
    pub start: Start,
    /// What is wrong with the world's files.
    pub problems: Problems,
    /// The question as it would be asked now.
    pub question: Question,
    /// Whether the question has a query.
    pub has_query: bool,
    /// The budget, in tokens.
    pub budget: u64,
    /// The result, once there is one.
    pub outcome: Option<Outcome>,
    /// The number of the last question.
    pub number: u64,
    /// Whether its answer is still to come.
    pub waiting: bool,
    /// Why there is no answer to the last question.
    pub trouble: Option<String>,
    /// Tenths of a second that have been waited.
    pub waited: u32,
    /// The keys.
    pub keymap: Keymap,
    /// Whether lines, bars and signs are drawn with ASCII alone.
    pub ascii: bool,
    /// Whether the mouse is listened to.
    pub mouse: bool,
    themes: Vec<Theme>,
    theme: usize,
    /// The size of the screen.
    pub size: (u16, u16),
    /// The pane that has the keys.
    pub focus: Pane,
    main: Pane,
    side: Pane,
    /// Whether it takes the whole screen.
    pub zoom: bool,
    /// What covers the panes.
    pub popup: Option<Popup>,
    /// The first visible line of what covers the panes.
    pub popup_top: usize,
    /// The line being typed.
    pub typing: Option<Typing>,
    /// The selected entries.
    pub chosen: Chosen,
    /// The part of the page that was gone to, or that the evidence pane is about.
    pub pointed: Option<Part>,
    /// A sentence in place of the hints, until the next key.
    pub notice: Option<String>,
    /// The layout, unless the screen is too small.
    pub layout: Option<Layout>,
    /// The reader's page.
    pub page: Page,
    /// The first visible line of the page.
    pub page_top: usize,
    /// The reader's text, while it is shown.
    pub text: Text,
    /// The words of a command line that name the world.
    pub places: Vec<String>,
    /// What is looked for on the page.
    pub find: Find,
    /// The words that the rows of the table are narrowed to; empty for all rows.
    pub sieve: String,
    /// Past lookups, the latest last.
    pub history: Vec<Past>,
    /// The documents opened whole, the one on the screen last.
    pub visits: Vec<Visit>,
    /// The list to pick from.
    pub picker: Option<Picker>,
    /// Two results side by side.
    pub compare: Option<Compare>,
    /// Recorded lookups.
    pub lookups: Arc<Vec<RecordedLookup>>,
    /// What a budget buys over lookups.
    pub swept: Option<Swept>,
    /// A result that was kept to compare with.
    pub kept: Option<Side>,
    /// The world before it changed.
    pub before: Option<Reader>,
    /// The world as it was opened, where it changed more than once since.
    pub first: Option<Reader>,
    /// Another world to compare with.
    pub beside: Option<Reader>,
    /// What that one was named to this program.
    pub beside_name: Option<String>,
    /// What the world was named to this program.
    pub given: String,
    /// Whether each answer is held against that world at once.
    pub parity: bool,
    /// The document that the outline is of, and its location.
    pub outlined: Option<(String, Arc<Document>)>,
    /// What points to what, once somebody wanted to know.
    pub pointers: Option<Pointers>,
    /// How much wider the left column is than at first.
    pub wider: i16,
    /// The bytes that the whole bar stands for while it is dragged.
    pub dragged: Option<u64>,
    /// Counts true tokens, where that is wanted.
    pub tokenizer: Option<Tokenizer>,
    /// The true tokens of the reader's text.
    pub true_tokens: Option<usize>,
    /// The author's side of the world, where it is on this machine.
    pub desk: Option<Desk>,
    /// What an author should know, once it is known.
    pub findings: Option<Vec<Finding>>,
    /// Whether what is worth knowing and not wrong is shown among them.
    pub notes: bool,
    /// Whether the world is being read again.
    pub is_reading: bool,
    /// Whether it has changed meanwhile.
    pub is_outdated: bool,
    /// Why it could not be read again, a sentence; what is shown was read before.
    pub unread: Option<String>,
    /// How often the world was read.
    pub loads: u64,
    /// The documents that are not as they were when the world was opened.
    pub changed: BTreeSet<String>,
    /// Those that the last change of the world has changed.
    pub changed_last: BTreeSet<String>,
    /// Whether the answer that is waited for is to the same question to a world that
    /// has changed, so that nothing on the screen should move.
    pub is_quiet: bool,
    /// The row or target that the outline is of, while that has the keys.
    subject: (Option<usize>, Option<usize>),
    prose: Prose,
    version: u64,
    laid_out: Option<(u64, u16, usize)>,
}

impl Model {
    /// The state before anything has happened.
    pub fn new(options: Options, size: (u16, u16)) -> Self {
        let Options { keymap, ascii, mouse, wider, places, tokenizer, lookups, .. } = options;
        let taken = keymap.taken().to_vec();
        let Options { world, query, mut question, budget, mut themes, problems, warning, .. } =
            options;
        let wider = wider.clamp(-WIDEST, WIDEST);
        if themes.is_empty() {
            themes.push(Theme::terminal());
        }
        let has_query = query.is_some();
        if let Some(query) = query {
            question.request.query = query;
        }
        let mut model = Self {
            label: world.clone(),
            world: World::Opening,
            reader: None,
            warning,
            progress: String::new(),
            start: Start::default(),
            problems,
            question,
            has_query,
            budget: budget.min(crate::lookup::MAX_BUDGET),
            outcome: None,
            number: 0,
            waiting: false,
            trouble: None,
            waited: 0,
            keymap,
            ascii,
            mouse,
            themes,
            theme: 0,
            size,
            focus: Pane::Table,
            main: Pane::Evidence,
            side: Pane::Relations,
            zoom: false,
            popup: None,
            popup_top: 0,
            typing: None,
            chosen: Chosen::default(),
            pointed: None,
            notice: match taken.split_first() {
                None => None,
                Some((one, [])) => Some(visible_line(one)),
                Some((one, more)) => {
                    let more = more.len();
                    Some(format!("{}; {more} more: `markscope doctor`", visible_line(one)))
                }
            },
            layout: None,
            page: Page::default(),
            page_top: 0,
            text: Text::default(),
            places,
            find: Find::default(),
            sieve: String::new(),
            history: Vec::new(),
            visits: Vec::new(),
            picker: None,
            compare: None,
            lookups: Arc::new(lookups),
            swept: None,
            kept: None,
            before: None,
            first: None,
            beside: None,
            beside_name: None,
            given: world,
            parity: false,
            outlined: None,
            pointers: None,
            wider,
            dragged: None,
            tokenizer,
            true_tokens: None,
            desk: None,
            findings: None,
            notes: false,
            is_reading: false,
            is_outdated: false,
            unread: None,
            loads: 0,
            changed: BTreeSet::new(),
            changed_last: BTreeSet::new(),
            is_quiet: false,
            subject: (None, None),
            prose: Prose::default(),
            version: 0,
            laid_out: None,
        };
        model.refresh();
        model
    }

    /// The world is open: takes its name and what the start screen tells of it.
    pub fn opened(&mut self, opened: Opened) {
        let Opened {
            desk,
            pointers,
            reader,
            beside,
            beside_name,
            parity,
            problems,
            scope,
            warning,
        } = opened;
        self.beside = beside;
        self.beside_name = beside_name;
        self.parity = parity;
        self.pointers = pointers;
        self.desk = desk;
        self.loads += 1;
        self.label = reader.name();
        self.start = Start::of(&reader);
        self.world = World::Open;
        self.reader = Some(reader);
        self.problems.extend(problems);
        self.warning = warning;
        if let Some(scope) = scope {
            self.question.request.scope = scope;
        }
    }

    /// What to know of the world as it is now and of the way to the last answer, a
    /// sentence each.
    pub fn remarks(&self) -> impl Iterator<Item = &String> {
        self.unread.iter().chain(self.outcome.iter().flat_map(Outcome::remarks))
    }

    /// Whether something on the screen tells of other budgets.
    pub fn tells_of_budgets(&self) -> bool {
        matches!(self.popup, Some(Popup::Why | Popup::Curve))
            || self.focus == Pane::Omissions
            || self.layout.as_ref().is_some_and(|layout| {
                layout.why.is_some() || layout.slot(Pane::Omissions).is_some()
            })
    }

    /// Whether something is being waited for.
    pub fn is_busy(&self) -> bool {
        let pending = self.outcome.as_ref().is_some_and(|outcome| !outcome.pending.is_empty());
        let visiting = self.visits.last().is_some_and(Visit::is_waiting);
        let comparing = self.compare.as_ref().is_some_and(Compare::is_waiting);
        let opening = matches!(self.world, World::Opening);
        let sweeping = self.popup == Some(Popup::Sweep)
            && self.swept.as_ref().is_some_and(|swept| swept.sweep.is_none());
        self.waiting || pending || visiting || comparing || opening || sweeping
    }

    /// The theme in use.
    pub fn theme(&self) -> &Theme {
        &self.themes[self.theme]
    }

    /// The place of the next theme.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub fn next_theme(&self) -> Result<usize, &'static str> {
        if self.themes.len() < 2 {
            return Err("there is only one theme");
        }
        if !self.themes.iter().any(Theme::has_colours) {
            return Err("no colours here");
        }
        Ok((self.theme + 1) % self.themes.len())
    }

    /// The themes that there are, by their places; none where there are no colours.
    pub fn theme_names(&self) -> impl Iterator<Item = (usize, &str)> {
        let has_colours = self.themes.iter().any(Theme::has_colours);
        let named = self.themes.iter().map(Theme::name).enumerate();
        named.filter(move |_| has_colours)
    }

    /// Goes on to the theme of a place; says which.
    pub fn take_theme(&mut self, at: usize) -> String {
        self.theme = at.min(self.themes.len().saturating_sub(1));
        format!("theme {}", self.theme().name())
    }

    /// Gives the keys to a pane and brings it to the front.
    pub fn focus_on(&mut self, pane: Pane) {
        let is_of_another = |pane| matches!(pane, Pane::Outline | Pane::Findings);
        if is_of_another(pane) && !is_of_another(self.focus) {
            // An empty pane has nothing selected: it stays with the row.
            let is_known = self.subject().is_some();
            self.subject = if is_known { self.origin() } else { (Some(self.chosen.row), None) };
        }
        self.focus = pane;
        if pane != Pane::Table {
            self.main = pane;
        }
        if !matches!(pane, Pane::Table | Pane::Evidence) {
            self.side = pane;
        }
    }

    /// Brings layout and page up to date after any change.
    pub fn refresh(&mut self) {
        let wish = Wish {
            zoom: self.zoom,
            focus: self.focus,
            main: self.main,
            side: self.side,
            rows: self.outcome.as_ref().map_or(0, |outcome| outcome.rows().len()),
            wider: self.wider,
        };
        self.layout = Layout::new(Rect::new(0, 0, self.size.0, self.size.1), wish);
        let Some(layout) = &self.layout else { return };
        // While another pane is zoomed, the page keeps its width.
        let width = layout.place(Pane::Evidence).map(|slot| slot.inner().width);
        if let Some(width) = width.or(self.laid_out.map(|(_, width, _)| width)) {
            let key = (self.version, width, self.theme);
            if self.laid_out != Some(key) {
                self.laid_out = Some(key);
                self.lay_out(width);
                self.find.outdate();
            }
        }
        if self.popup == Some(Popup::Reader) {
            let width = self.size.0.saturating_sub(2);
            if let Some(outcome) = &self.outcome {
                self.text.lay_out(&outcome.selection, self.version, width);
            }
        }
        self.page_top = self.page_top.min(self.last_top());
        self.settle();
        self.lay_out_visit();
        self.outlined = self.outline_wanted();
        let points = self.focus == Pane::Relations || self.is_shown(Pane::Relations);
        if self.popup == Some(Popup::Document) || points {
            self.point();
        }
        find::update(self);
    }

    /// Whether a pane is on the screen.
    pub fn is_shown(&self, pane: Pane) -> bool {
        self.layout.as_ref().is_some_and(|layout| layout.slot(pane).is_some())
    }

    fn lay_out_visit(&mut self) {
        let Some(layout) = &self.layout else { return };
        let width = visit::text_width(layout.over());
        let theme = &self.themes[self.theme];
        if self.popup == Some(Popup::Document)
            && let Some(visit) = self.visits.last_mut()
        {
            visit.lay_out(width, theme);
        }
    }

    /// Lines of a document opened whole that are in sight.
    pub fn visit_rows(&self) -> usize {
        let over = self.layout.as_ref().map(Layout::over).unwrap_or_default();
        usize::from(over.height.saturating_sub(2)).max(1)
    }

    /// The result has changed: the page must be laid out again.
    pub fn touch(&mut self) {
        self.version += 1;
        self.true_tokens = match (&self.tokenizer, &self.outcome) {
            (Some(tokenizer), Some(outcome)) => Some((tokenizer.count)(&outcome.selection.text())),
            _ => None,
        };
        self.pointed = None;
        if let Some(outcome) = &self.outcome {
            let last = |count: usize| count.saturating_sub(1);
            let chosen = &mut self.chosen;
            chosen.row = chosen.row.min(last(outcome.rows().len()));
            chosen.repeat = chosen.repeat.min(last(outcome.repeats.len()));
            chosen.omission = chosen.omission.min(last(outcome.omissions.len()));
        }
        self.chosen.target = self.chosen.target.min(self.relation_count().saturating_sub(1));
    }

    /// Lays the page out and keeps the part at the top of the pane where it is,
    /// as far as it is still there.
    fn lay_out(&mut self, width: u16) {
        let Some(outcome) = &self.outcome else {
            self.page = Page::default();
            return;
        };
        let theme = &self.themes[self.theme];
        let page = lay_out(&outcome.selection, &outcome.omissions, width, theme, &mut self.prose);
        let before = self.page.at(self.page_top).map(|at| &self.page.segments[at]);
        if let Some(segment) = before {
            let within = self.page_top - segment.start;
            let height = segment.height();
            if let Some(start) = page.start(segment.part) {
                let grown = page.at(start).map_or(0, |at| page.segments[at].height());
                self.page_top = start + if grown == height { within } else { 0 };
            }
        }
        self.page = page;
    }

    /// Lines of the evidence pane.
    pub fn page_rows(&self) -> usize {
        let slot = self.layout.as_ref().and_then(|layout| layout.place(Pane::Evidence));
        slot.map_or(0, |slot| usize::from(slot.inner().height))
    }

    /// The largest useful first line of the page.
    pub fn last_top(&self) -> usize {
        self.page.height().saturating_sub(self.page_rows().max(1))
    }

    /// Where the page opens: at its beginning, unless the evidence of the first row
    /// would be out of sight there.
    pub fn beginning(&self) -> usize {
        let first = self.page.segments.iter().find(|segment| segment.is_evidence);
        let Some(first) = first.map(|segment| segment.start) else { return 0 };
        if first + LEAST_IN_SIGHT <= self.page_rows() { 0 } else { first.min(self.last_top()) }
    }
}
