//! `markscope [WORLD] [QUERY]`: the explorer, on the terminal or as one frame.

use std::env;
use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tokio::runtime::Handle;

use super::Home;
use super::args::{Explore, Picture, Shown};
use super::check;
use super::config::{keep, kept, panes_file, text_of, text_of_named};
use super::looks::{For, Looks, looks};
use super::lookup;
use super::lookups_file::lookups;
use super::network::wait;
use super::open::BUNDLED;
use super::output::{self, End, Error, tell};
use super::plain;
use super::result_file;
use super::worlds::{Wanted, Worlds, open_worlds};
use crate::check::{Place, Settings, Severity};
use crate::document::Document;
use crate::home::expanded;
use crate::tui::keymap::Keymap;
use crate::tui::picture::Format;
use crate::tui::{self, Desk, Exit, Kept, Options, Problems, Record, Remember};
use crate::world::Reader;

/// The frame where no size is asked for.
pub(super) const FRAME: (u16, u16) = (120, 40);

pub(super) fn run(args: &Explore, home: &Home) -> Result<End, Error> {
    if !args.rest.is_empty() {
        let words: Vec<&str> = args.query.iter().chain(&args.rest).map(String::as_str).collect();
        return Err(Error::Usage(format!(
            "a query of several words goes in quotes: \"{}\"",
            words.join(" ")
        )));
    }
    let state = args.options.state;
    let world = args.world.clone().unwrap_or_else(|| BUNDLED.to_owned());
    let query = args.query.clone().filter(|query| !query.trim().is_empty());
    let question = args.options.question(query.as_deref().unwrap_or_default());
    let wanted = Wanted {
        world: world.clone(),
        also: args.also.clone(),
        state,
        network: args.network.clone(),
        tool: args.deployed.mcp.clone(),
    };
    wanted.check(&question.request.scope)?;
    home.settings()?;
    if let Some(file) = &args.record {
        let mut reads = wanted.reads();
        reads.worlds.extend(args.against.as_deref());
        result_file::check_record(file, "--record", &reads)?;
    }
    if let Some(words) = wanted.not_told(&question) {
        tell(&format!("markscope: {words}"));
    }
    if args.plain {
        return plain::run(&wanted, question, args.options.budget);
    }
    let (options, print) = shown(&args.shown, home, Stdin::Keys)?;
    let options = Options {
        question,
        query,
        budget: args.options.budget,
        warning: wanted.is_insecure().then_some("INSECURE"),
        #[cfg(feature = "tokenizer")]
        tokenizer: args.tokenizer.map(|name| name.tokenizer()),
        record: args.record.clone().map(|file| {
            Record(Arc::new(move |question, budget| {
                lookup::record(&file, question, budget).map_err(|error| error.to_string())
            }))
        }),
        places: places(args, &world),
        lookups: match &args.lookups {
            Some(file) => lookups(file)?,
            None => Vec::new(),
        },
        world,
        ..options
    };
    let beside = args.against.clone().map(|world| Wanted {
        world,
        also: Vec::new(),
        tool: None,
        ..wanted.clone()
    });
    let asked = Asked { wanted, beside, parity: args.deployed.parity };
    let Some(picture) = print else { return interactive(asked, options) };
    self::print(&asked, options, args.shown.size.unwrap_or(FRAME), picture)
}

/// What is asked, and what it is held against.
struct Asked {
    wanted: Wanted,
    /// Another world to compare with.
    beside: Option<Wanted>,
    /// Whether a tool's text is held against the world's at once.
    parity: bool,
}

/// What stdin brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stdin {
    /// Keys, where it is a terminal.
    Keys,
    /// What is shown; then the keys are read from the terminal that the program
    /// belongs to, where there is one.
    Text,
}

impl Stdin {
    fn has_keys(self) -> bool {
        let is_terminal = io::stdin().is_terminal();
        let has_other = || {
            let terminal = File::options().read(true).write(true).open("/dev/tty");
            terminal.is_ok_and(|terminal| terminal.is_terminal())
        };
        is_terminal || self == Self::Text && has_other()
    }
}

/// How the explorer looks, and the picture to draw in place of it.
///
/// # Errors
/// A theme or a key is not known, or there is no terminal that can show it.
pub(super) fn shown(
    args: &Shown,
    home: &Home,
    stdin: Stdin,
) -> Result<(Options, Option<Picture>), Error> {
    let keymap = keymap(args.keys.as_deref(), home)?;
    let has_terminal = io::stdout().is_terminal() && stdin.has_keys();
    let is_dumb = env::var("TERM").is_ok_and(|term| term == "dumb");
    let print = args.print.or((!has_terminal).then_some(Picture::Text));
    let shown_for = match print {
        None if is_dumb => {
            return Err(Error::Usage(
                "this terminal (TERM=dumb) cannot show the explorer; use --print for one frame, \
                 or `markscope lookup`"
                    .into(),
            ));
        }
        None => For::Terminal,
        Some(Picture::Text | Picture::Ansi) => For::Ansi,
        Some(Picture::Svg | Picture::Html) => For::Picture,
    };
    // Pictures are the same everywhere; so is what leaves the user's files alone.
    let is_own = print.is_none() && home.folder.is_some();
    let panes = is_own.then(panes_file).flatten();
    let state = panes.as_deref().map(kept).unwrap_or_default();
    // What was asked for is no matter of what was gone to.
    let last = state.theme.as_deref().filter(|_| !home.is_theme_asked);
    let (named, folder) = ((args.theme.as_str(), home.theme_from.as_str()), home.folder.as_deref());
    let Looks { themes, fitting, is_late } = looks(named, args.color, folder, shown_for, last)?;
    let fitting = fitting.filter(|_| !home.is_theme_asked);
    let options = Options {
        themes,
        keymap,
        ascii: args.ascii,
        mouse: args.mouse,
        awaits_answer: is_late,
        wider: state.wider,
        remember: panes.map(|path| remember(path, fitting)),
        ..Options::new("")
    };
    if print.is_some() && args.print.is_none() {
        tell(
            "markscope: no terminal here, so one frame as text; `markscope lookup` prints the reader's text",
        );
    }
    Ok((options, print))
}

/// Keeps the width of the panes, and the theme that was gone to unless one was asked for:
/// then that one is the first every time. The one that fits the terminal is found anew,
/// so going back to it is to keep none.
fn remember(path: PathBuf, fitting: Option<String>) -> Remember {
    Remember(Arc::new(move |changed| match (changed, &fitting) {
        (Kept::Wider(wider), _) => keep(&path, |state| state.wider = wider),
        (Kept::Theme(name), Some(fitting)) => {
            keep(&path, |state| state.theme = Some(name).filter(|name| name != fitting));
        }
        (Kept::Theme(_), None) => {}
    }))
}

/// The words of a command line that name the worlds as this one does.
fn places(args: &Explore, world: &str) -> Vec<String> {
    let mut words = vec![world.to_owned()];
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    for also in &args.also {
        option("--also", also.clone());
    }
    if let Some(time) = args.options.state.as_of {
        option("--as-of", time.to_string());
    }
    let network = &args.network;
    let file = |path: &Path| path.display().to_string();
    if let Some(path) = &network.ca {
        option("--ca", file(path));
    }
    if let Some(path) = &network.token_file {
        option("--token-file", file(path));
    }
    if network.insecure {
        words.push("--insecure".into());
    }
    if network.crawl {
        words.push("--crawl".into());
    }
    if let Some(command) = &args.deployed.mcp {
        words.extend(["--mcp".to_owned(), command.clone()]);
    }
    words
}

/// The keys: those built in, and a file over them. One that is asked for must be
/// there; the user's own need not.
fn keymap(asked: Option<&Path>, home: &Home) -> Result<Keymap, Error> {
    let config = home.settings()?;
    let own = home.folder.as_ref().map(|folder| folder.join(expanded(config.keys())));
    if let Some(path) = asked {
        let path = expanded(&path.to_string_lossy());
        let text = text_of_named(&path)
            .map_err(|why| Error::Usage(format!("--keys: {why}; give a file of keys")))?;
        return Keymap::with_file(&text, &path.display().to_string()).map_err(Error::Usage);
    }
    let Some(path) = own else { return Ok(Keymap::default()) };
    match text_of(&path).map_err(Error::Usage)? {
        Some(text) => Keymap::with_file(&text, &path.display().to_string()).map_err(Error::Usage),
        None => Ok(Keymap::default()),
    }
}

fn print(
    asked: &Asked,
    options: Options,
    size: (u16, u16),
    picture: Picture,
) -> Result<End, Error> {
    wait(&asked.wanted, async {
        let worlds = open_worlds(&asked.wanted).await?;
        let is_broken = !worlds.breaks.is_empty();
        // One frame does not wait for the world to be looked through.
        let shown = tui::Opened { desk: None, parity: asked.parity, ..opened(worlds) };
        let printed = draw(shown, options, size, picture).await?;
        Ok(match is_broken {
            _ if !printed.troubles.is_empty() => End::World,
            true => End::NoMatch,
            false => End::Fine,
        })
    })
}

/// Draws one frame to stdout, and tells what is not in it.
pub(super) async fn draw(
    shown: tui::Opened,
    options: Options,
    size: (u16, u16),
    picture: Picture,
) -> Result<tui::Printed, Error> {
    let format = match picture {
        Picture::Text => Format::Text,
        Picture::Ansi => Format::Ansi,
        Picture::Svg => Format::Svg,
        Picture::Html => Format::Html,
    };
    let printed = tui::print(shown, options, size, format).await;
    match format {
        Format::Text => output::result(&printed.picture)?,
        // What could drive a terminal is out of them already.
        Format::Ansi | Format::Svg | Format::Html => output::raw(&printed.picture)?,
    }
    for trouble in &printed.troubles {
        tell(&format!("markscope: {trouble}"));
    }
    Ok(printed)
}

/// What the explorer shows of a world.
fn opened(worlds: Worlds) -> tui::Opened {
    let desk = desk(&worlds);
    let problems = Problems {
        sentences: [worlds.breaks, worlds.problems].concat(),
        left_out: worlds.left_out,
    };
    let warning = match (worlds.is_insecure, worlds.is_crawled) {
        (true, true) => Some("INSECURE, CRAWLED"),
        (true, false) => Some("INSECURE"),
        (false, true) => Some("CRAWLED"),
        (false, false) => None,
    };
    let Worlds { reader, beside, scope, .. } = worlds;
    tui::Opened { desk, problems, scope, warning, beside, ..tui::Opened::new(reader) }
}

/// What an author should know of settings that cannot be read.
fn faulty_settings(world: &crate::world::World, error: &Error) -> tui::Finding {
    let file = world.folder().unwrap_or(Path::new("")).join(".markscope.toml");
    let message = error.to_string();
    // `FILE:LINE: …`, where the line is known.
    let place = message.strip_prefix(&file.display().to_string());
    let line = place.and_then(|place| place.strip_prefix(':')?.split(':').next()?.parse().ok());
    tui::Finding {
        code: "settings",
        severity: Severity::Error,
        path: None,
        place: Place::Document,
        line: line.unwrap_or(1),
        file,
        message,
        help: "mend the file; until then the usual rules hold".into(),
    }
}

/// The author's side of a world on this machine.
pub(super) fn desk(worlds: &Worlds) -> Option<Desk> {
    let reader = worlds.beside.as_ref().unwrap_or(&worlds.reader);
    let (world, store) = (worlds.world.clone()?, Arc::clone(reader.store()?));
    let folder = world.folder().map(Path::to_owned);
    let check = move || {
        let name = world.folder().map(|folder| folder.display().to_string());
        match name.map(|name| check::settings(&name)) {
            Some(Ok(settings)) => check::findings(&world, &store, &settings),
            None => check::findings(&world, &store, &Settings::default()),
            // The usual ones do meanwhile.
            Some(Err(error)) => {
                let mut findings = check::findings(&world, &store, &Settings::default());
                findings.insert(0, faulty_settings(&world, &error));
                findings
            }
        }
    };
    Some(Desk { folder, check: Arc::new(check) })
}

fn interactive(asked: Asked, mut options: Options) -> Result<End, Error> {
    let Asked { wanted, beside, parity } = asked;
    // A tool is one process, which is not started anew for each saved file.
    let only = wanted.also.is_empty() && wanted.state.as_of.is_none() && wanted.tool.is_none();
    let folder = Path::new(&wanted.world);
    options.watch = Some(folder.to_owned()).filter(|folder| only && folder.is_dir());
    let known: Mutex<Vec<Arc<Document>>> = Mutex::default();
    let other: Mutex<Option<Reader>> = Mutex::default();
    let opening: tui::Opening = Arc::new(move |tell| {
        let before = known.lock().map(|known| known.clone()).unwrap_or_default();
        // The explorer runs this beside its loop, where waiting is allowed.
        let worlds = Handle::current().block_on(wanted.open_again(tell, &before));
        let worlds = worlds.map_err(|error| error.to_string())?;
        if let (Ok(mut known), Some(store)) = (known.lock(), worlds.reader.store()) {
            if known.is_empty() {
                store.catalog().warm_up();
            }
            *known = store.catalog().documents().to_vec();
        }
        let mut opened = tui::Opened { parity, ..opened(worlds) };
        if let Some(beside) = &beside {
            // What it is compared with stays as it was when it was opened.
            let known = other.lock().ok().and_then(|other| other.clone());
            let reader = match known {
                Some(reader) => reader,
                None => {
                    let worlds = Handle::current().block_on(beside.open(tell));
                    worlds.map_err(|error| error.to_string())?.reader
                }
            };
            if let Ok(mut other) = other.lock() {
                *other = Some(reader.clone());
            }
            opened.beside = Some(reader);
            opened.beside_name = Some(beside.world.clone());
        }
        Ok(opened)
    });
    run_explorer(opening, options)
}

/// Runs the explorer on the terminal.
pub(super) fn run_explorer(opening: tui::Opening, options: Options) -> Result<End, Error> {
    match tui::run(opening, options)? {
        Exit::Quit => Ok(End::Fine),
        Exit::Signal(signal) => Ok(End::Signal(signal)),
        Exit::Failed(reason) => Err(Error::World(reason)),
    }
}
