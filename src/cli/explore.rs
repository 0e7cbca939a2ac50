//! `markscope [WORLD] [QUERY]`: the explorer, on the terminal or as one frame.

use std::env;
use std::io::{self, IsTerminal};
use std::sync::Arc;

use super::args::{Color, Explore, State};
use super::open::{BUNDLED, Opened, open, open_and_tell};
use super::output::{self, End, Error, tell};
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
    };
    if args.print {
        return print(&world, state, options, args.size.unwrap_or(FRAME));
    }
    if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
        tell(
            "markscope: no terminal here, so one frame as text; `markscope lookup` prints the reader's text",
        );
        return print(&world, state, options, args.size.unwrap_or(FRAME));
    }
    if env::var("TERM").is_ok_and(|term| term == "dumb") {
        return Err(Error::Usage(
            "this terminal (TERM=dumb) cannot show the explorer; use --print for one frame, or `markscope lookup`".into(),
        ));
    }
    interactive(world, state, options)
}

fn print(
    world: &str,
    state: State,
    options: Options,
    (width, height): (u16, u16),
) -> Result<End, Error> {
    let opened = open_and_tell(world, state)?;
    let end = opened.end(End::Fine);
    let options = Options { problems: problems(&opened), ..options };
    output::result(&tui::print(&Arc::new(opened.store), options, width, height))?;
    Ok(end)
}

/// What the explorer tells of the world's files.
fn problems(opened: &Opened) -> Problems {
    Problems {
        sentences: [opened.breaks.clone(), opened.problems.clone()].concat(),
        left_out: opened.left_out,
    }
}

fn interactive(world: String, state: State, options: Options) -> Result<End, Error> {
    let opening: tui::Opening = Box::new(move || match open(&world, state) {
        Ok(opened) => {
            let problems = problems(&opened);
            Ok((opened.store, problems))
        }
        Err(error) => Err(error.to_string()),
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
