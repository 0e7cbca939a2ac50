//! The command line.
//!
//! - `options`: what a lookup may ask for, and values as they are typed
//! - `order`: options ahead of the command, put behind it

mod options;
mod order;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::world::MAX_DOCUMENTS;

#[cfg(feature = "tokenizer")]
pub(super) use options::TokenizerName;
pub(super) use options::{Budgets, EngineName, MatchName, Options, State, budget, time, tokens};
use options::{bound, command_line, seconds, size};
pub(super) use order::command_first;

const EXAMPLES: &str = "\
Examples:
  markscope                                   explore the bundled example world
  markscope ./notes \"retention policy\"        explore a folder, with a question
  markscope lookup ./notes retention          print what a reader gets
  markscope lookup ./notes retention --match body --budget 3000 --format json
  markscope outline ./notes /adr/0001.md      the citable sections of a document
  markscope relations ./notes /adr/0001.md    what a document declares
  markscope ./notes retention --print         one frame of the explorer as text
  markscope mark://kb.example/recipes         explore what a server answers
  markscope ./notes --also mark://kb.example  ask two worlds at once

A WORLD is a folder of .md files, the root folder of a demarkus store, an archive
(.json, .jsonl, .jsonl.gz), the word `bundled` for the example world inside the
program, or a server's mark://host[:port]/scope. A store is only read: whoever may
read its folder sees all of it.

Exit codes: 0 fine, 1 nothing found or a broken history, 2 usage, 3 a world
could not be opened or the result could not be written.";

/// Where the help has what the explorer looks like.
const LOOKS: &str = "Options for the explorer";

/// Show what a reader gets from one budgeted lookup over a demarkus world, and why.
#[derive(Debug, Parser)]
#[command(
    name = "markscope",
    version,
    about,
    after_help = "Run `markscope --help` for examples.",
    after_long_help = EXAMPLES,
    args_conflicts_with_subcommands = true
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) explore: Explore,
    /// Leave the settings, themes and keys of your own folder alone
    #[arg(long, global = true, help_heading = "Options")]
    pub(super) no_config: bool,
    /// Write what is done and how long it takes to this file, behind what is in it
    #[arg(long, global = true, value_name = "FILE", help_heading = "Options")]
    pub(super) log: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Print what a reader gets: the table and the evidence, byte for byte.
    #[command(after_long_help = LOOKUP_EXAMPLES)]
    Lookup(Lookup),
    /// List the citable sections of a document.
    #[command(after_long_help = OUTLINE_EXAMPLES)]
    Outline(Outline),
    /// List what documents declare in rel-* metadata, and what is rejected.
    #[command(after_long_help = RELATIONS_EXAMPLES)]
    Relations(Relations),
    /// Find faults in relations, citations and metadata that no lookup reports.
    #[command(after_long_help = super::check::EXAMPLES)]
    Check(super::check::Check),
    /// Measure what each budget buys, over recorded lookups.
    #[command(after_long_help = super::sweep::EXAMPLES)]
    Sweep(super::sweep::SweepArgs),
    /// Put recorded lookups again, under one engine or two, and report what they give.
    #[command(after_long_help = super::replay::EXAMPLES)]
    Replay(Box<super::replay::ReplayArgs>),
    /// Read recorded lookups out of what others keep: tasks, reports, transcripts.
    #[command(after_long_help = super::import::EXAMPLES)]
    Import(super::import::Import),
    /// Hold two reports of replays against each other.
    #[command(after_long_help = super::compare::EXAMPLES)]
    Compare(super::compare::Compare),
    /// Show what an edit changes for readers: the results that differ between two worlds.
    #[command(after_long_help = super::diff::EXAMPLES)]
    Diff(Box<super::diff::DiffArgs>),
    /// Show what publishing a folder to a server would change; nothing is published
    #[command(after_help = super::diff::PREVIEW_EXAMPLES)]
    Preview(Box<super::diff::PreviewArgs>),
    /// Open a recorded result, as an agent's transcript holds it, in the explorer.
    #[command(after_long_help = super::view::EXAMPLES)]
    View(super::view::View),
    /// Serve a world read-only over the Mark Protocol, for development.
    #[command(after_long_help = SERVE_EXAMPLES)]
    Serve(Serve),
    /// Print or write a file with every setting, or tell where it is looked for.
    #[command(after_long_help = super::config::EXAMPLES)]
    Config(super::config::ConfigArgs),
    /// Tell what this terminal and this machine are like, for a report.
    Doctor(super::doctor::Doctor),
    /// Print completions for a shell.
    #[command(after_long_help = super::pages::COMPLETIONS)]
    Completions(super::pages::Completions),
    /// Print the manual page, or write those of all commands.
    Man(super::pages::Man),
}

const LOOKUP_EXAMPLES: &str = "\
Examples:
  markscope lookup bundled \"doom metal\"
  markscope lookup bundled drone --match body --budget 800
  markscope lookup bundled drone --filter tag=genre,modified-after=2026-03-01
  markscope lookup bundled drone --format json | jq .breakpoints
  markscope lookup /srv/store drone --as-of 2026-06-30 --chain
  markscope lookup mark://kb.example/recipes \"sour dough\" --match body

To a pipe or a file, --format text is exactly the reader's bytes; to a terminal,
control and direction characters are made visible.";

const OUTLINE_EXAMPLES: &str = "\
Examples:
  markscope outline bundled /genres/doom-metal.md
  markscope outline bundled /genres/doom-metal.md --format json
  markscope outline /srv/store /adr/0001.md/v2
  markscope outline mark://kb.example/adr/0001.md";

const RELATIONS_EXAMPLES: &str = "\
Examples:
  markscope relations bundled
  markscope relations bundled /bands/melvins.md --format json
  markscope relations mark://kb.example/ --crawl";

const SERVE_EXAMPLES: &str = "\
Examples:
  markscope serve ./notes
  markscope lookup mark://localhost/ retention --insecure
  markscope serve ./notes --listen 127.0.0.1:7000 --token-file tokens.toml

Anyone who reaches the address can read what no token protects.";

#[derive(Debug, Args)]
pub(super) struct Explore {
    /// Folder, archive, `bundled` (the default), or a server's mark://host[:port]/scope
    pub(super) world: Option<String>,
    /// What to look up
    pub(super) query: Option<String>,
    // Words behind the query are a query without its quotes: told as that.
    #[arg(hide = true)]
    pub(super) rest: Vec<String>,
    /// Ask this world as well, and merge the rows; can be given again
    #[arg(long, value_name = "WORLD", conflicts_with = "mcp")]
    pub(super) also: Vec<String>,
    #[command(flatten)]
    pub(super) options: Options,
    #[command(flatten)]
    pub(super) network: Network,
    /// Another world to compare with: as it was before an edit, or anywhere else
    #[arg(long, value_name = "WORLD", conflicts_with = "mcp")]
    pub(super) against: Option<String>,
    #[command(flatten)]
    pub(super) deployed: Deployed,
    /// Write each lookup behind what is in this file, as a recorded lookup
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// Recorded lookups, to see what a budget buys over all of them
    #[arg(long, value_name = "FILE")]
    pub(super) lookups: Option<PathBuf>,
    /// Count the reader's text in a model's tokens too
    #[cfg(feature = "tokenizer")]
    #[arg(long, value_name = "NAME")]
    pub(super) tokenizer: Option<TokenizerName>,
    /// Print everything as plain sentences, line by line, for a screen reader
    #[arg(long, help_heading = LOOKS, conflicts_with = "print", requires = "query")]
    pub(super) plain: bool,
    #[command(flatten)]
    pub(super) shown: Shown,
}

/// What the explorer looks like, and what it is drawn to.
#[derive(Debug, Clone, Args)]
pub(super) struct Shown {
    /// Draw one frame to stdout and end; as text, or --print=svg and so on
    #[arg(
        long,
        help_heading = LOOKS,
        value_name = "FORMAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "text"
    )]
    pub(super) print: Option<Picture>,
    /// Size of the frame for --print, in cells
    #[arg(long, help_heading = LOOKS, value_name = "WxH", value_parser = size)]
    pub(super) size: Option<(u16, u16)>,
    /// Colours of the explorer: auto (by the terminal's ground), terminal, dark, dusk,
    /// light, paper, contrast, sixteen, mono, one of your own, or a theme file; without
    /// it the one it was last switched to
    #[arg(
        long,
        help_heading = LOOKS,
        value_name = "NAME|FILE",
        default_value = super::looks::AUTO,
        env = "MARKSCOPE_THEME",
        hide_env = true
    )]
    pub(super) theme: String,
    /// When to use colours
    #[arg(long, help_heading = LOOKS, value_name = "WHEN", default_value = "auto")]
    pub(super) color: Color,
    /// Draw lines, bars and signs with ASCII alone
    #[arg(
        long,
        help_heading = LOOKS,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value = "false",
        default_missing_value = "true",
        hide_default_value = true,
        hide_possible_values = true,
        env = "MARKSCOPE_ASCII",
        hide_env = true,
        action = clap::ArgAction::Set
    )]
    pub(super) ascii: bool,
    /// Listen to the mouse; --mouse=false leaves it to the terminal
    #[arg(
        long,
        help_heading = LOOKS,
        value_name = "BOOL",
        num_args = 0..=1,
        require_equals = true,
        default_value = "true",
        default_missing_value = "true",
        hide_default_value = true,
        hide_possible_values = true,
        env = "MARKSCOPE_MOUSE",
        hide_env = true,
        action = clap::ArgAction::Set
    )]
    pub(super) mouse: bool,
    /// A file of keys, over those built in
    #[arg(long, help_heading = LOOKS, value_name = "FILE", env = "MARKSCOPE_KEYS", hide_env = true)]
    pub(super) keys: Option<PathBuf>,
}

/// What a frame is printed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Picture {
    /// Text without colours
    Text,
    /// Text with the escape sequences of colours
    Ansi,
    /// A drawing, the same in any font
    Svg,
    /// A page that needs no other file
    Html,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Args)]
pub(super) struct Lookup {
    /// Folder, archive, `bundled`, or a server's mark://host[:port]/scope
    pub(super) world: String,
    /// What to look up; `*` is everything
    pub(super) query: String,
    /// Ask this world as well, and merge the rows; can be given again
    #[arg(long, value_name = "WORLD", conflicts_with = "mcp")]
    pub(super) also: Vec<String>,
    #[command(flatten)]
    pub(super) options: Options,
    #[command(flatten)]
    pub(super) network: Network,
    #[command(flatten)]
    pub(super) deployed: Deployed,
    /// Write the lookup behind what is in this file, as a recorded lookup
    #[arg(long, value_name = "FILE")]
    pub(super) record: Option<PathBuf>,
    /// The reader's text, or one JSON object that explains it
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,
}

/// The tool that agents have, asked in place of the world.
#[derive(Debug, Clone, Args)]
pub(super) struct Deployed {
    /// Ask the `mark_lookup` of this MCP server, a command line, and show its text
    #[arg(long, value_name = "COMMAND", value_parser = command_line)]
    pub(super) mcp: Option<String>,
    /// Hold the tool's text against markscope's own for the same world, byte for byte
    #[arg(long, requires = "mcp")]
    pub(super) parity: bool,
}

/// How a server is called, where the world is on one.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Options for a server")]
pub(super) struct Network {
    /// Trust any certificate; whoever is on the way can read and change everything
    #[arg(long)]
    pub(super) insecure: bool,
    /// Trust the certificates of this file (PEM) instead of this machine's
    #[arg(long, value_name = "FILE", conflicts_with = "insecure")]
    pub(super) ca: Option<PathBuf>,
    /// Longest wait for a connection, and for each sign of life of an answer
    #[arg(long, value_name = "SECS", default_value = "10", value_parser = seconds)]
    pub(super) timeout: Duration,
    /// A file with the token for this server; else DEMARKUS_AUTH, ~/.mark/tokens.toml
    /// and ~/.mark/tokens.d are looked at
    #[arg(long, value_name = "FILE")]
    pub(super) token_file: Option<PathBuf>,
    /// List and fetch the server's documents and ask them here: for a server that
    /// has no LOOKUP or no body match
    #[arg(long)]
    pub(super) crawl: bool,
    /// The most documents that a crawl reads
    #[arg(long, value_name = "N", default_value_t = MAX_DOCUMENTS, value_parser = bound)]
    pub(super) max_documents: usize,
}

#[derive(Debug, Args)]
pub(super) struct Serve {
    /// Folder, archive, or `bundled`
    pub(super) world: String,
    #[command(flatten)]
    pub(super) state: State,
    /// Address and UDP port to listen at
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:6309")]
    pub(super) listen: SocketAddr,
    /// Certificate in PEM; without one, a new one for localhost
    #[arg(long, value_name = "FILE", requires = "key")]
    pub(super) cert: Option<PathBuf>,
    /// Key of the certificate in PEM
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub(super) key: Option<PathBuf>,
    /// Who may read what: a server's tokens file, with hashes of tokens
    #[arg(long, value_name = "FILE")]
    pub(super) token_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct Outline {
    /// Folder, archive, `bundled`, or a server's mark://host[:port]
    pub(super) world: String,
    /// The document's path below the world, such as /adr/0001.md, or one version
    /// of it, such as /adr/0001.md/v2; not needed behind a document's mark:// location
    pub(super) path: Option<String>,
    #[command(flatten)]
    pub(super) state: State,
    #[command(flatten)]
    pub(super) network: Network,
    /// A table, or a JSON array
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,
}

#[derive(Debug, Args)]
pub(super) struct Relations {
    /// Folder, archive, `bundled`, or a server's mark://host[:port]
    pub(super) world: String,
    /// The path of a document below the world or of one version of it; all
    /// documents without it, which of a server takes --crawl
    pub(super) path: Option<String>,
    #[command(flatten)]
    pub(super) state: State,
    #[command(flatten)]
    pub(super) network: Network,
    /// A list, or JSON
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Text,
    Json,
}
