//! Lines and words of a text with their places.

use super::MeshError;

/// A text being read. Blanks are space, tab, form feed and carriage return; lines end with LF.
pub(super) struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    line_start: usize,
}

/// A run of non-blank bytes and its place.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    pub text: &'a [u8],
    pub line: usize,
    // the column is counted only for a message: lines may hold millions of words
    before: &'a [u8],
}

/// A line without its end.
#[derive(Clone, Copy)]
pub(super) struct TextLine<'a> {
    pub text: &'a [u8],
    pub number: usize,
}

/// Progress within a section, for the message if the file ends early.
#[derive(Clone, Copy)]
pub(super) struct TextProgress {
    pub section: &'static str,
    pub noun: &'static str,
    pub done: u64,
    pub total: u64,
}

impl<'a> Text<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        // a byte order mark is no part of the text
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Text { bytes, at: 0, line: 1, line_start: 0 }
    }

    /// `count`, or the number of items of at least `bytes` each that can still follow if that is
    /// less: a bound for allocations.
    pub(crate) fn room_for(&self, count: u64, bytes: usize) -> usize {
        let most = (self.bytes.len() - self.at) / bytes + 1;
        usize::try_from(count).map_or(most, |count| count.min(most))
    }

    /// The bytes not yet read.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The number of the current line.
    pub(crate) fn line_number(&self) -> usize {
        self.line
    }

    /// The rest of the current line.
    pub(crate) fn next_line(&mut self) -> Option<TextLine<'a>> {
        if self.at == self.bytes.len() {
            return None;
        }
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&b| b == b'\n');
        let line = TextLine { text: &rest[..length.unwrap_or(rest.len())], number: self.line };
        self.at += length.map_or(rest.len(), |length| length + 1);
        if length.is_some() {
            self.line += 1;
            self.line_start = self.at;
        }
        Some(line)
    }

    /// The next line that is not blank.
    pub(crate) fn next_filled_line(&mut self) -> Option<TextLine<'a>> {
        loop {
            let line = self.next_line()?;
            if !line.text.iter().all(u8::is_ascii_whitespace) {
                return Some(line);
            }
        }
    }

    /// The next word, on this or a later line.
    pub(crate) fn next_word(&mut self) -> Option<Word<'a>> {
        while let Some(byte) = self.bytes.get(self.at) {
            if !byte.is_ascii_whitespace() {
                break;
            }
            self.at += 1;
            if *byte == b'\n' {
                self.line += 1;
                self.line_start = self.at;
            }
        }
        let start = self.at;
        let rest = &self.bytes[start..];
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then(|| Word {
            text: &rest[..length],
            line: self.line,
            before: &self.bytes[self.line_start..start],
        })
    }

    /// The error of a file that ends too early.
    pub fn ended(&self, progress: TextProgress) -> MeshError {
        let TextProgress { section, noun, done, total } = progress;
        MeshError::line(
            self.last_line(),
            format!("the file ends inside {section}, after {done} of {total} {noun}"),
            "the file is truncated: copy or save it again",
        )
    }

    /// The error of a file that ends before `expected`.
    pub(crate) fn ended_before(&self, expected: &str) -> MeshError {
        MeshError::line(
            self.last_line(),
            format!("the file ends where {expected} is expected"),
            "the file is truncated: copy or save it again",
        )
    }

    /// The last line with content; 1 of an empty text.
    pub(crate) fn last_line(&self) -> usize {
        let text = self.bytes.trim_ascii_end();
        1 + text.iter().filter(|&&b| b == b'\n').count()
    }
}

impl<'a> TextLine<'a> {
    /// The words of the line.
    pub fn words(self) -> impl Iterator<Item = Word<'a>> {
        let mut text = Text { bytes: self.text, at: 0, line: self.number, line_start: 0 };
        std::iter::from_fn(move || text.next_word())
    }

    /// Exactly `N` words; `what` names them in messages.
    pub fn exactly<const N: usize>(self, what: &str) -> Result<[Word<'a>; N], MeshError> {
        let mut words = self.words();
        let mut found = [Word { text: b"", line: self.number, before: b"" }; N];
        let mut count = 0;
        for word in &mut words {
            if count < N {
                found[count] = word;
            }
            count += 1;
        }
        if count == N {
            return Ok(found);
        }
        Err(self.wrong(format!("expected {what} ({N} values), found {count}")))
    }

    /// An error of this line.
    pub fn wrong(self, message: impl Into<String>) -> MeshError {
        MeshError::line(
            self.number,
            message,
            "the file is damaged or truncated: save the mesh again",
        )
    }
}

impl Word<'_> {
    /// A whole number ≥ 0; `what` names it in messages.
    pub fn whole(self, what: &str) -> Result<u64, MeshError> {
        std::str::from_utf8(self.text)
            .ok()
            .filter(|text| text.bytes().all(|b| b.is_ascii_digit()))
            .and_then(|text| text.parse().ok())
            .ok_or_else(|| {
                self.wrong(format!("expected {what} (a whole number), found {}", quoted(self.text)))
            })
    }

    /// A whole number of either sign.
    pub fn integer(self, what: &str) -> Result<i64, MeshError> {
        std::str::from_utf8(self.text).ok().and_then(|text| text.parse().ok()).ok_or_else(|| {
            self.wrong(format!("expected {what} (a whole number), found {}", quoted(self.text)))
        })
    }

    /// A finite coordinate \[m\], at most 1e15 in magnitude; `what` names its owner in messages.
    pub fn coordinate(self, what: impl std::fmt::Display) -> Result<f64, MeshError> {
        let text = std::str::from_utf8(self.text).unwrap_or("\u{fffd}");
        let shown = quoted(self.text);
        let Ok(value) = text.parse::<f64>() else {
            let mut error = self.wrong(format!("{what}: expected a number, found {shown}"));
            if text.contains(',') && text.replace(',', ".").parse::<f64>().is_ok() {
                error.help = "write decimals with a point, not with a comma".to_string();
            }
            return Err(error);
        };
        if !value.is_finite() {
            return Err(self.wrong(format!("{what}: {shown} is not a finite number")));
        }
        if value.abs() > 1e15 {
            return Err(self.wrong(format!("{what}: {shown} is beyond ±1e15")));
        }
        Ok(value)
    }

    /// The part before the first `end`, or the whole word.
    pub fn until(self, end: u8) -> Self {
        let length = self.text.iter().position(|&b| b == end).unwrap_or(self.text.len());
        Word { text: &self.text[..length], ..self }
    }

    /// An error at this word.
    pub fn wrong(self, message: impl Into<String>) -> MeshError {
        MeshError {
            column: Some(column(self.before)),
            ..MeshError::line(
                self.line,
                message,
                "the file is damaged or was edited by hand: save the mesh again",
            )
        }
    }

    /// Whether the word is this keyword, ignoring case.
    pub fn is(self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword.as_bytes())
    }
}

/// The column after `before`, counted in characters from 1.
fn column(before: &[u8]) -> usize {
    1 + before.iter().filter(|&&b| b & 0xc0 != 0x80).count()
}

/// A text for a message: shortened, control characters escaped.
pub(super) fn quoted(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    let head = &text[..text.len().min(4 * LONGEST)];
    let text = String::from_utf8_lossy(head);
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().count() > LONGEST {
        shown.push('…');
    }
    format!("`{shown}`")
}
