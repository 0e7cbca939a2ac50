//! The explorer: what one budgeted lookup gives a reader, in panes.
//!
//! One loop, one model. A message changes the model in `update`, which gives back
//! what is to be done outside; `view` draws the model and changes nothing.
//!
//! - `layout`: where everything stands, with a drawing
//! - `keymap`: actions and their keys, from `keymap.toml`
//! - `message`, `model`, `update`, `typing`: what happens, the state, and the rules
//! - `outcome`: the result on the screen
//! - `possible`: what cannot be done where there are texts alone
//! - `problems`: what is wrong with the world's files
//! - `compare`, `curve`, `visit`: what stands in place of the panes for a while
//! - `swept`: what a budget buys over recorded lookups
//! - `picker`, `find`, `save`, `clipboard`: picking, finding, taking out
//! - `findings`, `editor`: the author's side: what is wrong, and the place in a file
//! - `incoming`, `sections`: what points to a document, and what it is made of
//! - `hits`: what stands where, for the mouse
//! - `page`: the reader's page as lines, wrapped once
//! - `view`: one frame; below it a file for each pane: `query`, `meter`, `table`,
//!   `evidence`, `curve`, `relations`, `stubs`, `omissions`, `outline`, `help`, `why`, `reader`,
//!   `popup`, `welcome`
//! - `paint`, `width`, `wide`, `sign`: strokes, widths and signs that the panes share
//! - [`prose`], [`theme`]: markdown as styled lines, and the only colours
//! - [`mod@picture`]: a frame as text, ANSI, SVG or HTML
//! - `ascii`: a frame in ASCII alone
//! - `tokens`: the true count of tokens, where it is wanted
//! - `stray`: an answer of the terminal that comes too late
//! - `terminal`, `run`: the terminal taken and given back, and the loop

mod ascii;
mod clipboard;
pub mod compare;
mod curve;
pub mod editor;
mod evidence;
mod find;
pub mod findings;
mod help;
pub mod hits;
pub mod incoming;
pub mod keymap;
pub mod layout;
pub mod message;
mod meter;
pub mod model;
mod omissions;
pub mod outcome;
mod outline;
pub mod page;
pub mod paint;
pub mod picker;
pub mod picture;
mod popup;
mod possible;
mod problems;
pub mod prose;
mod query;
mod reader;
mod relations;
mod run;
mod save;
mod sections;
mod sign;
mod stray;
mod stubs;
pub mod swept;
mod table;
mod terminal;
pub mod theme;
pub mod tokens;
pub mod typing;
pub mod update;
pub mod view;
pub mod visit;
mod welcome;
mod why;
mod wide;
mod width;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::lookup::Question;
use crate::world::Reader;
use incoming::Pointers;
use keymap::Keymap;
use message::Message;
use model::Model;
use picture::{Format, picture};
use theme::Theme;
use update::update;

pub use findings::Finding;
pub use problems::Problems;
pub use run::run;

/// What is kept for the next time, once it has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// How much wider the left column is than at first, in percent of the screen.
    Wider(i16),
    /// The name of the theme that was gone to.
    Theme(String),
}

/// Keeps something for the next time.
#[derive(Clone)]
pub struct Remember(pub Arc<dyn Fn(Kept) + Send + Sync>);

impl std::fmt::Debug for Remember {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Remember")
    }
}

/// What records a lookup and its budget in tokens, or says why not.
pub type Recorder = dyn Fn(&Question, u64) -> Result<(), String> + Send + Sync;

/// Records each lookup that is answered.
#[derive(Clone)]
pub struct Record(pub Arc<Recorder>);

impl std::fmt::Debug for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Record")
    }
}

/// How the explorer starts.
#[derive(Debug, Clone)]
pub struct Options {
    /// The world as it was asked for: shown until the world is open.
    pub world: String,
    /// The first query, if there is one.
    pub query: Option<String>,
    /// What goes with every query: match, scope, filter, limit, engine, tags.
    pub question: Question,
    /// The first budget, in tokens.
    pub budget: u64,
    /// The themes to go through, the first one first; none means the default.
    pub themes: Vec<Theme>,
    /// What is wrong with the world's files.
    pub problems: Problems,
    /// What to know of the way to the world, before it is open.
    pub warning: Option<&'static str>,
    /// The keys.
    pub keymap: Keymap,
    /// Whether lines, bars and signs are drawn with ASCII alone.
    pub ascii: bool,
    /// Whether the mouse is listened to.
    pub mouse: bool,
    /// The words of a command line that name the world, options and all.
    pub places: Vec<String>,
    /// How much wider the left column is than at first, in percent of the screen.
    pub wider: i16,
    /// Called with the width of the left column or the theme when it has changed, to
    /// keep it.
    pub remember: Option<Remember>,
    /// Counts the true tokens of the reader's text, where that is wanted.
    pub tokenizer: Option<tokens::Tokenizer>,
    /// Called with each lookup that is answered, to record it.
    pub record: Option<Record>,
    /// Recorded lookups, to sweep over; without any, those that are made.
    pub lookups: Vec<crate::tune::RecordedLookup>,
    /// The folder whose changes are followed.
    pub watch: Option<std::path::PathBuf>,
    /// Whether the terminal may still answer a question that was put to it before.
    pub awaits_answer: bool,
}

impl Options {
    /// A start with nothing asked yet and the default budget.
    pub fn new(world: impl Into<String>) -> Self {
        Self {
            places: Vec::new(),
            wider: 0,
            remember: None,
            watch: None,
            tokenizer: None,
            record: None,
            lookups: Vec::new(),
            world: world.into(),
            query: None,
            question: Question::new(""),
            budget: crate::lookup::DEFAULT_BUDGET,
            themes: Vec::new(),
            problems: Problems::default(),
            warning: None,
            keymap: Keymap::default(),
            ascii: false,
            mouse: true,
            awaits_answer: false,
        }
    }
}

/// The author's side of a world on this machine.
#[derive(Clone)]
pub struct Desk {
    /// The folder that the documents are files of; none where they are not.
    pub folder: Option<std::path::PathBuf>,
    /// Looks the world through. It takes its time.
    pub check: Arc<dyn Fn() -> Vec<Finding> + Send + Sync>,
}

/// A world that has been opened.
pub struct Opened {
    /// The author's side of it, where it is on this machine.
    pub desk: Option<Desk>,
    /// What points to what, where that was worked out; else it is when it is wanted.
    pub pointers: Option<Pointers>,
    /// What answers.
    pub reader: Reader,
    /// Another world to compare with.
    pub beside: Option<Reader>,
    /// What that one was named to this program.
    pub beside_name: Option<String>,
    /// Whether each answer is held against that world at once.
    pub parity: bool,
    /// What is wrong with the world's files.
    pub problems: Problems,
    /// The scope to ask in, where the world has its own.
    pub scope: Option<String>,
    /// What to know of the way to the world, in a word or two.
    pub warning: Option<&'static str>,
}

impl Opened {
    /// A world without more to say about it.
    pub fn new(reader: Reader) -> Self {
        Self {
            desk: None,
            pointers: None,
            reader,
            beside: None,
            beside_name: None,
            parity: false,
            problems: Problems::default(),
            scope: None,
            warning: None,
        }
    }
}

/// Opens and indexes the world, behind the first frame, or says why there is none.
/// It may wait, and tells how far it is in words. Called again where somebody
/// wants another try.
pub type Opening = Arc<dyn Fn(&dyn Fn(String)) -> Result<Opened, String> + Send + Sync>;

/// How the explorer ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exit {
    /// By the reader's wish.
    Quit,
    /// By a signal, of this number.
    Signal(i32),
    /// The world could not be opened; why.
    Failed(String),
}

/// One frame, printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Printed {
    /// The frame as a picture. As text: a line for each row, without trailing spaces.
    pub picture: String,
    /// Why there is no answer to the question, or not all of it, a sentence each.
    pub troubles: Vec<String>,
}

/// One frame of the explorer as a picture, in the first theme: the same view as on a
/// terminal, once all has come.
pub async fn print(opened: Opened, options: Options, size: (u16, u16), format: Format) -> Printed {
    let reader = opened.reader.clone();
    let mut model = Model::new(options, size);
    let mut messages = vec![Message::Opened(Box::new(Ok(opened)))];
    while let Some(message) = messages.pop() {
        for effect in update(&mut model, message) {
            effect.run(|message| messages.push(message)).await;
        }
    }
    reader.close().await;
    let failures = model.outcome.iter().flat_map(|outcome| outcome.asked.failures());
    let troubles = model.trouble.iter().chain(failures).cloned().collect();
    Printed { picture: shot(&model, format), troubles }
}

/// The model's frame as a picture in its theme.
pub fn shot(model: &Model, format: Format) -> String {
    let (width, height) = model.size;
    let area = Rect::new(0, 0, width, height);
    let mut buf = Buffer::empty(area);
    view::draw(model, area, &mut buf);
    picture(&buf, model.theme(), format)
}

/// The model's frame as plain text.
pub fn frame(model: &Model) -> String {
    shot(model, Format::Text)
}

/// A buffer as plain text.
pub fn plain(buf: &Buffer) -> String {
    use unicode_width::UnicodeWidthStr as _;
    let area = buf.area;
    let mut out = String::new();
    for y in area.top()..area.bottom() {
        let mut line = String::new();
        let mut x = area.left();
        while x < area.right() {
            let symbol = buf[(x, y)].symbol();
            line.push_str(symbol);
            // The cells behind a wide symbol belong to it.
            let wide = u16::try_from(symbol.width()).unwrap_or(1).max(1);
            x = x.saturating_add(wide);
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}
