//! `markscope outline`: the citable sections of a document.

use std::fmt::Write as _;

use serde::Serialize;

use super::args::{Format, Outline};
use super::network::fetch;
use super::open::open_and_tell;
use super::output::{self, End, Error};
use crate::document::Document;
use crate::mark::Address;
use crate::markdown::Heading;
use crate::selection::TOKEN;
use crate::text::visible_line;

#[derive(Serialize)]
struct Section<'a> {
    level: u8,
    text: &'a str,
    anchor: &'a str,
    start: usize,
    end: usize,
    lines: usize,
}

impl<'a> Section<'a> {
    fn of(heading: &'a Heading) -> Self {
        Self {
            level: heading.level,
            text: &heading.text,
            anchor: &heading.anchor,
            start: heading.start,
            end: heading.end,
            lines: heading.lines,
        }
    }
}

pub(super) fn run(args: &Outline) -> Result<End, Error> {
    if Address::is_meant(&args.world) {
        let document = fetch(&args.world, args.path.as_deref(), &args.network)?;
        print(&document, args.format)?;
        return Ok(End::Fine);
    }
    let Some(path) = &args.path else {
        return Err(Error::Usage("which document? Its path goes behind the world".into()));
    };
    let opened = open_and_tell(&args.world, args.state)?;
    print(&*opened.document(path)?, args.format)?;
    Ok(opened.end(End::Fine))
}

fn print(document: &Document, format: Format) -> Result<(), Error> {
    let headings = document.outline().headings();
    match format {
        Format::Text => output::result(&text(document)),
        Format::Json => {
            let sections: Vec<Section<'_>> = headings.iter().map(Section::of).collect();
            output::json(&sections)
        }
    }
}

fn text(document: &Document) -> String {
    let mut out = String::new();
    let version = document.version().map(|version| format!("/v{version}")).unwrap_or_default();
    let bytes = document.body().len();
    // Writing to a String cannot fail.
    let _ = writeln!(
        out,
        "{}{version}  {bytes} bytes, ~{} tokens",
        visible_line(document.path()),
        bytes / TOKEN
    );
    let headings = document.outline().headings();
    if headings.is_empty() {
        let _ = writeln!(out, "(no heading: only the whole document can be cited)");
        return out;
    }
    let _ = writeln!(out, "\n{:>7}  {:>6}  {:>13}  section", "tokens", "lines", "bytes");
    for heading in headings {
        let indent = "  ".repeat(usize::from(heading.level) - 1);
        let _ = writeln!(
            out,
            "{:>7}  {:>6}  {:>13}  {indent}{}  #{}",
            (heading.end - heading.start) / TOKEN,
            heading.lines,
            format!("{}..{}", heading.start, heading.end),
            visible_line(&heading.text),
            visible_line(&heading.anchor),
        );
    }
    out
}
