//! Lines of an archive, never more of them in memory than a limit allows.

use std::io::{self, BufRead};

use super::Limits;

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::world) enum Line<'a> {
    /// The bytes of a line, with its line feed if it has one.
    Text(&'a [u8]),
    /// A line over the limit, passed over.
    TooLong,
    /// More bytes than the whole may have.
    OverLimit,
    /// Nothing.
    End,
}

/// Reads one line after another.
pub(in crate::world) struct Lines<R> {
    reader: R,
    limits: Limits,
    line: Vec<u8>,
    read: u64,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    pub(in crate::world) fn new(reader: R, limits: Limits) -> Self {
        Self { reader, limits, line: Vec::new(), read: 0, number: 0 }
    }

    /// How many lines have come so far.
    pub(in crate::world) fn number(&self) -> usize {
        self.number
    }

    /// The next line.
    pub(in crate::world) fn next(&mut self) -> io::Result<Line<'_>> {
        self.line.clear();
        let mut length = 0usize;
        loop {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = memchr::memchr(b'\n', available);
            let taken = end.map_or(available.len(), |end| end + 1);
            let at_end = taken == 0;
            length += taken;
            self.read += taken as u64;
            if length <= self.limits.line {
                self.line.extend_from_slice(&available[..taken]);
            }
            self.reader.consume(taken);
            if self.read > self.limits.whole {
                return Ok(Line::OverLimit);
            }
            if end.is_some() || at_end {
                break;
            }
        }
        if length == 0 {
            return Ok(Line::End);
        }
        self.number += 1;
        Ok(if length > self.limits.line { Line::TooLong } else { Line::Text(&self.line) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, limits: Limits) -> Vec<String> {
        // A buffer of three bytes, so that lines are put together from pieces.
        let mut lines = Lines::new(io::BufReader::with_capacity(3, text.as_bytes()), limits);
        let mut all = Vec::new();
        loop {
            let line = match lines.next().expect("bytes in memory") {
                Line::Text(line) => String::from_utf8_lossy(line).into_owned(),
                Line::TooLong => "long".to_owned(),
                Line::OverLimit => "over".to_owned(),
                Line::End => return all,
            };
            let over = line == "over";
            all.push(line);
            if over {
                return all;
            }
        }
    }

    #[test]
    fn lines_and_their_limits() {
        let limits = Limits { line: 5, whole: 100 };
        assert_eq!(all("", limits), [""; 0]);
        assert_eq!(all("abcd\n\nabc", limits), ["abcd\n", "\n", "abc"]);
        assert_eq!(all("abcde\nab\nabcdef", limits), ["long", "ab\n", "long"]);
        let limits = Limits { line: 5, whole: 6 };
        assert_eq!(all("abc\nab", limits), ["abc\n", "ab"]);
        assert_eq!(all("abc\nabc", limits), ["abc\n", "over"]);
        assert_eq!(all("abcdefghijk", limits), ["over"]);
    }
}
