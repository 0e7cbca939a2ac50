//! `markscope doctor`: what there is to know of terminal and machine, for a report.
//! It tells that there is a token and where, never the token.

use std::env;
use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::time::Duration;

use clap::Args;

use super::Home;
use super::args::Color;
use super::config::{FILE, THEMES, kept, panes_file};
use super::ground;
use super::looks::{self, depth};
use super::output::{self, End, Error};
use crate::home::expanded;
use crate::mark::client::Tokens;
use crate::text::visible_line;
use crate::tui::keymap::Keymap;
use crate::tui::layout::SMALLEST;
use crate::tui::theme::{Depth, Ground};

#[derive(Debug, Args)]
pub(super) struct Doctor {}

pub(super) fn run(_: &Doctor, home: &Home) -> Result<End, Error> {
    let mut report = Report::default();
    report.program();
    report.terminal();
    report.colours();
    report.files(home);
    report.network();
    output::result(&report.out)?;
    // A fault is a finding.
    Ok(if report.is_faulty { End::NoMatch } else { End::Fine })
}

#[derive(Default)]
struct Report {
    out: String,
    is_faulty: bool,
}

impl Report {
    fn line(&mut self, name: &str, value: &str) {
        self.out.push_str(&format!("{name:<14}{}\n", visible_line(value)));
    }

    fn fault(&mut self, name: &str, value: &str) {
        self.is_faulty = true;
        self.line(name, &format!("FAULT: {value}"));
    }

    fn program(&mut self) {
        self.line("markscope", env!("CARGO_PKG_VERSION"));
        self.line("system", &format!("{} {}", env::consts::OS, env::consts::ARCH));
    }

    fn terminal(&mut self) {
        let streams = [
            ("stdin", io::stdin().is_terminal()),
            ("stdout", io::stdout().is_terminal()),
            ("stderr", io::stderr().is_terminal()),
        ];
        let streams = streams.map(|(name, is)| format!("{name} {}", if is { "yes" } else { "no" }));
        self.line("terminal", &streams.join(", "));
        for name in ["TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "COLORFGBG"] {
            if let Ok(value) = env::var(name) {
                self.line(&format!("  {}", name.to_lowercase().replace('_', " ")), &value);
            }
        }
        let inside: Vec<&str> = ["TMUX", "STY", "ZELLIJ", "SSH_CONNECTION"]
            .into_iter()
            .filter(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
            .collect();
        if !inside.is_empty() {
            self.line("inside", &inside.join(", "));
        }
        let (wide, high) = SMALLEST;
        let is_terminal = io::stdout().is_terminal() || io::stderr().is_terminal();
        match crossterm::terminal::size() {
            _ if !is_terminal => self.line("size", "not known"),
            Ok((width, height)) if width < wide || height < high => {
                self.line("size", &format!("{width}x{height}, less than the {wide}x{high} needed"));
            }
            Ok((width, height)) => self.line("size", &format!("{width}x{height}")),
            Err(_) => self.line("size", "not known"),
        }
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .find_map(|name| Some((name, env::var(name).ok().filter(|value| !value.is_empty())?)));
        match locale {
            Some((name, value)) => {
                let lower = value.to_lowercase();
                let is = lower.contains("utf-8") || lower.contains("utf8");
                let way_out = if is { "yes" } else { "not announced; --ascii draws without it" };
                self.line("unicode", &format!("{way_out} ({name}={value})"));
            }
            None => self.line("unicode", "not announced; --ascii draws without it (no LANG)"),
        }
    }

    fn colours(&mut self) {
        let (depth, why) = depth(Color::Auto);
        let depth = match depth {
            Depth::None => "none",
            Depth::Ansi16 => "16",
            Depth::Ansi256 => "256",
            Depth::True => "all",
        };
        self.line("colours", &format!("{depth} (by {why})"));
        // Nobody reads here what comes later, so it has all the time it may need.
        let known = ground::of_terminal(Duration::from_secs(2));
        let ground = match known.ground {
            Some(Ground::Dark) => "dark",
            Some(Ground::Light) => "light",
            Some(Ground::Terminal) | None => "not known",
        };
        self.line("ground", &format!("{ground} ({})", known.how));
    }

    fn files(&mut self, home: &Home) {
        let Some(folder) = &home.folder else {
            return self.line("settings", "left alone, or there is no home folder");
        };
        let is = |path: &Path| if path.exists() { "" } else { " (not there)" };
        let file = folder.join(FILE);
        self.line("settings", &format!("{}{}", file.display(), is(&file)));
        let keys = match &home.config {
            Ok(config) => folder.join(expanded(config.keys())),
            Err(fault) => return self.fault("settings", fault),
        };
        self.line("keys", &format!("{}{}", keys.display(), is(&keys)));
        let read = super::config::text_of(&keys).and_then(|text| match text {
            Some(text) => Keymap::with_file(&text, &keys.display().to_string()).map(Some),
            None => Ok(None),
        });
        match read {
            Ok(Some(keymap)) => keymap.taken().iter().for_each(|taken| self.line("  taken", taken)),
            Ok(None) => {}
            Err(fault) => self.fault("keys", &fault),
        }
        let themes = folder.join(THEMES);
        self.line("themes", &format!("{}{}", themes.display(), is(&themes)));
        for (path, theme) in looks::own(Some(folder)) {
            match theme {
                Ok(theme) => {
                    self.line("  theme", &format!("{} ({})", theme.name(), path.display()));
                }
                Err(fault) => self.fault("theme", &fault),
            }
        }
        if let Some(path) = panes_file().filter(|path| path.exists()) {
            let theme = kept(&path).theme.map(|name| format!(", theme {name}"));
            self.line("kept", &format!("{}{}", path.display(), theme.unwrap_or_default()));
        }
    }

    fn network(&mut self) {
        match Tokens::of_process(None) {
            Ok(tokens) => {
                for (place, is) in tokens.places() {
                    self.line(
                        "token",
                        &format!("{place}: {}", if is { "present" } else { "none" }),
                    );
                }
            }
            Err(fault) => self.fault("token", &fault.to_string()),
        }
    }
}
