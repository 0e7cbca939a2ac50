//! Where a page of a listing goes on: base64url of a form number, a flag for
//! archived entries, the directory with its length, and the last name given.

use crate::mark::wire::MAX_PATH;

const FORM: u8 = 1;
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Bytes in front of the directory.
const HEAD: usize = 4;

pub(super) fn write(path: &str, archived: bool, last: &str) -> String {
    let length = u16::try_from(path.len()).unwrap_or(u16::MAX);
    let mut bytes = vec![FORM, u8::from(archived)];
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(path.as_bytes());
    bytes.extend_from_slice(last.as_bytes());
    encode(&bytes)
}

/// The last name given, if the cursor is one for this request; else the message.
pub(super) fn read(text: &str, path: &str, archived: bool) -> Result<String, &'static str> {
    const INVALID: &str = "invalid LIST cursor";
    if text.len() > 2 * MAX_PATH {
        return Err("LIST cursor exceeds limit");
    }
    let bytes = decode(text).ok_or(INVALID)?;
    let form = bytes.first().ok_or(INVALID)?;
    if *form != FORM {
        return Err("unsupported LIST cursor");
    }
    let (head, rest) = bytes.split_at_checked(HEAD).ok_or(INVALID)?;
    let length = usize::from(u16::from_be_bytes([head[2], head[3]]));
    let (directory, last) = rest.split_at_checked(length).ok_or(INVALID)?;
    let last = str::from_utf8(last).map_err(|_| INVALID)?;
    if last.is_empty() || head[1] > 1 {
        return Err(INVALID);
    }
    if directory != path.as_bytes() || (head[1] == 1) != archived {
        return Err("LIST cursor does not match this request");
    }
    Ok(last.to_owned())
}

fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut group = [0; 4];
        group[1..=chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes(group);
        for at in 0..=chunk.len() {
            out.push(char::from(ALPHABET[(bits >> (18 - 6 * at)) as usize & 63]));
        }
    }
    out
}

fn decode(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    for chunk in text.as_bytes().chunks(4) {
        let mut bits = 0u32;
        for (at, byte) in chunk.iter().enumerate() {
            let value = ALPHABET.iter().position(|known| known == byte)?;
            bits |= u32::try_from(value).ok()? << (18 - 6 * at);
        }
        let bytes = bits.to_be_bytes();
        let whole = chunk.len().checked_sub(1).filter(|whole| *whole > 0)?;
        out.extend_from_slice(&bytes[1..=whole]);
        // Bits that make no byte must be empty, or two texts would be one cursor.
        if bytes[whole + 1..].iter().any(|byte| *byte != 0) {
            return None;
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for last in ["a", "ab", "abc", "größe.md"] {
            let text = write("/adr", true, last);
            assert_eq!(read(&text, "/adr", true).as_deref(), Ok(last));
            assert!(read(&text, "/adr", false).is_err());
            assert!(read(&text, "/ad", true).is_err());
        }
        assert_eq!(
            write("/adr", false, "0005-schema-changes.md"),
            "AQAABC9hZHIwMDA1LXNjaGVtYS1jaGFuZ2VzLm1k"
        );
    }

    #[test]
    fn anything_else_is_refused() {
        for (text, want) in [
            ("@@", "invalid LIST cursor"),
            ("A", "invalid LIST cursor"),
            ("AQ", "invalid LIST cursor"),
            ("AgAA", "unsupported LIST cursor"),
            (&"A".repeat(9000), "LIST cursor exceeds limit"),
        ] {
            assert_eq!(read(text, "/adr", false), Err(want));
        }
    }
}
