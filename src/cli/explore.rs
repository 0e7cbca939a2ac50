//! `markscope [WORLD] [QUERY]`: the explorer, on the terminal or as one frame.

use std::env;
use std::io::{self, IsTerminal};
use std::sync::Arc;

use tokio::runtime::Handle;

use super::args::{Color, Explore};
use super::network::runtime;
use super::open::BUNDLED;
use super::output::{self, End, Error, tell};
use super::worlds::{Wanted, Worlds, open_worlds};
use crate::tui::theme::{Depth, Theme};
use crate::tui::{self, Exit, Options, Problems};

/// The frame where no size is asked for.
const FRAME: (u16, u16) = (120, 40);

pub(super) fn run(args: &Explore) -> Result<End, Error> {
    if !args.rest.is_empty() {
        let words: Vec<&str> = args.query.iter().chain(&args.rest).map(String::as_str).collect();
        return Err(Error::Usage(format!(
            "a query of several words goes in quotes: \"{}\"",
            words.join(" ")
        )));
    }
    let themes = themes(args.theme.as_deref(), args.color)?;
    let state = args.options.state;
    let world = args.world.clone().unwrap_or_else(|| BUNDLED.to_owned());
    let query = args.query.clone().filter(|query| !query.trim().is_empty());
    let options = Options {
        world: world.clone(),
        question: args.options.question(query.as_deref().unwrap_or_default()),
        query,
        budget: args.options.budget,
        themes,
        problems: Problems::default(),
        warning: None,
    };
    let wanted = Wanted { world, also: args.also.clone(), state, network: args.network.clone() };
    let options = Options { warning: wanted.is_insecure().then_some("INSECURE"), ..options };
    wanted.check(&options.question.request.scope)?;
    if args.print {
        return print(&wanted, options, args.size.unwrap_or(FRAME));
    }
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        tell(
            "markscope: no terminal here, so one frame as text; `markscope lookup` prints the reader's text",
        );
        return print(&wanted, options, args.size.unwrap_or(FRAME));
    }
    if env::var("TERM").is_ok_and(|term| term == "dumb") {
        return Err(Error::Usage(
            "this terminal (TERM=dumb) cannot show the explorer; use --print for one frame, or `markscope lookup`".into(),
        ));
    }
    interactive(wanted, options)
}

fn print(wanted: &Wanted, options: Options, (width, height): (u16, u16)) -> Result<End, Error> {
    runtime()?.block_on(async {
        let worlds = open_worlds(wanted).await?;
        let is_broken = !worlds.breaks.is_empty();
        let printed = tui::print(opened(worlds), options, width, height).await;
        output::result(&printed.frame)?;
        for trouble in &printed.troubles {
            tell(&format!("markscope: {trouble}"));
        }
        Ok(match is_broken {
            _ if !printed.troubles.is_empty() => End::World,
            true => End::NoMatch,
            false => End::Fine,
        })
    })
}

/// What the explorer shows of a world.
fn opened(worlds: Worlds) -> tui::Opened {
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
    let Worlds { reader, scope, .. } = worlds;
    tui::Opened { reader, problems, scope, warning }
}

fn interactive(wanted: Wanted, options: Options) -> Result<End, Error> {
    let opening: tui::Opening = Arc::new(move |tell| {
        // The explorer runs this beside its loop, where waiting is allowed.
        let worlds = Handle::current().block_on(wanted.open(tell));
        worlds.map(opened).map_err(|error| error.to_string())
    });
    match tui::run(opening, options)? {
        Exit::Quit => Ok(End::Fine),
        Exit::Signal(signal) => Ok(End::Signal(signal)),
        Exit::Failed(reason) => Err(Error::World(reason)),
    }
}

/// All themes at the depth of colour that this terminal shows, the chosen first.
fn themes(chosen: Option<&str>, color: Color) -> Result<Vec<Theme>, Error> {
    let variable = |name: &str| env::var(name).ok();
    let depth = match color {
        Color::Never => Depth::None,
        Color::Auto => Depth::detect(
            variable("NO_COLOR").as_deref(),
            variable("COLORTERM").as_deref(),
            variable("TERM").as_deref(),
        ),
        // Asked for, so NO_COLOR does not count; at least the sixteen colours.
        Color::Always => {
            match Depth::detect(None, variable("COLORTERM").as_deref(), variable("TERM").as_deref())
            {
                Depth::None => Depth::Ansi16,
                depth => depth,
            }
        }
    };
    let first = match chosen {
        Some(name) => Theme::named(name).map_err(|error| Error::Usage(error.to_string()))?,
        None => Theme::terminal(),
    };
    let others = Theme::builtin().into_iter().filter(|theme| theme.name() != first.name());
    Ok([first.clone()].into_iter().chain(others).map(|theme| theme.at_depth(depth)).collect())
}
