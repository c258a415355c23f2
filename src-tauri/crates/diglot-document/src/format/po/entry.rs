//! The entries of a PO file as spans of its text: comments and strings by their keywords. Entries
//! need no blank line between them. Must not know what an entry means.

use crate::Span;

/// Holds one entry that is not obsolete.
#[derive(Debug, Default)]
pub(super) struct Entry {
    /// Comments before it, each from its `#` to the end of its line.
    pub(super) comments: Vec<Span>,
    /// Each literal goes from the first quote to the last one, over several lines where it has them.
    pub(super) context: Option<Span>,
    pub(super) id: Option<Span>,
    pub(super) plural: Option<Span>,
    /// The targets with the numbers of their forms, as they stand in the file.
    pub(super) targets: Vec<(usize, Span)>,
    /// Whether a string of it never closes or a word in it is unknown.
    pub(super) is_broken: bool,
}

impl Entry {
    /// Returns the literal of a form; the first one, where the file has several.
    pub(super) fn target(&self, form: usize) -> Option<Span> {
        let mut targets = self.targets.iter();
        let found = targets.find(|(number, _)| *number == form);
        found.map(|(_, literal)| *literal)
    }
}

/// What the strings at hand belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    Nothing,
    Context,
    Id,
    Plural,
    Target(usize),
}

#[derive(Default)]
pub(super) struct Entries {
    pub(super) found: Vec<Entry>,
    /// Where a string opens that its line does not close.
    pub(super) unclosed: Vec<usize>,
}

/// Reads all entries of a text.
pub(super) fn entries(text: &str) -> Entries {
    let mut scan = Scan {
        text,
        entry: Entry::default(),
        slot: Slot::Nothing,
        entries: Entries::default(),
    };
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        at = match byte {
            b'"' => scan.take_string(at),
            b'#' => scan.take_comment(at),
            b' ' | b'\t' | b'\r' | b'\n' => at + 1,
            _ => scan.take_word(at),
        };
    }
    scan.finish_entry();
    scan.entries
}

/// Returns the offset of the quote that closes a string whose content begins at an offset, or of
/// the line end, or of the text's, that breaks it off.
pub(super) fn string_end(bytes: &[u8], content: usize) -> usize {
    let mut at = content;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' | b'\n' | b'\r' => return at,
            b'\\' if !matches!(bytes.get(at + 1), Some(b'\n' | b'\r')) => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

struct Scan<'t> {
    text: &'t str,
    entry: Entry,
    slot: Slot,
    entries: Entries,
}

impl Scan<'_> {
    fn finish_entry(&mut self) {
        let entry = std::mem::take(&mut self.entry);
        self.slot = Slot::Nothing;
        if entry.id.is_some() {
            self.entries.found.push(entry);
        }
    }

    fn take_comment(&mut self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        let end = at + rest.find(['\n', '\r']).unwrap_or(rest.len());
        if rest.starts_with("#~") || !self.entry.targets.is_empty() {
            self.finish_entry();
        }
        if !rest.starts_with("#~") {
            self.entry.comments.push(Span::new(at, end));
        }
        end
    }

    fn take_string(&mut self, open: usize) -> usize {
        let end = string_end(self.text.as_bytes(), open + 1);
        let is_closed = self.text.as_bytes().get(end) == Some(&b'"');
        if !is_closed {
            self.entry.is_broken = true;
            self.entries.unclosed.push(open);
        }
        let after = end + usize::from(is_closed);
        let fresh = Span::new(open, after);
        let entry = &mut self.entry;
        match self.slot {
            Slot::Nothing => {}
            Slot::Context => extend(&mut entry.context, fresh),
            Slot::Id => extend(&mut entry.id, fresh),
            Slot::Plural => extend(&mut entry.plural, fresh),
            Slot::Target(form) => match entry.targets.last_mut() {
                Some((last, literal)) if *last == form => literal.end = after,
                Some(_) | None => entry.targets.push((form, fresh)),
            },
        }
        after
    }

    fn take_word(&mut self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = rest.find(|c| !in_word(c)).unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        let after = rest.get(length..).unwrap_or_default();
        let (slot, number) = match word {
            "msgctxt" => (Slot::Context, 0),
            "msgid" => (Slot::Id, 0),
            "msgid_plural" => (Slot::Plural, 0),
            "msgstr" => {
                let (form, length) = index(after);
                (Slot::Target(form), length)
            }
            _ => (Slot::Nothing, 0),
        };
        let entry = &self.entry;
        let opens = match slot {
            Slot::Context => entry.id.is_some(),
            Slot::Id => entry.id.is_some() || !entry.targets.is_empty(),
            Slot::Nothing => word == "domain" || !entry.targets.is_empty(),
            Slot::Plural | Slot::Target(_) => false,
        };
        if opens {
            self.finish_entry();
        }
        self.slot = slot;
        self.entry.is_broken |= slot == Slot::Nothing && word != "domain";
        let skipped = rest.chars().next().map_or(1, char::len_utf8);
        at + if length == 0 {
            skipped
        } else {
            length + number
        }
    }
}

fn extend(slot: &mut Option<Span>, fresh: Span) {
    let start = slot.map_or(fresh.start, |span| span.start);
    *slot = Some(Span::new(start, fresh.end));
}

/// Reads `[1]`: the number of the form, and its length in bytes; 0 and 0 where there is none.
fn index(after: &str) -> (usize, usize) {
    let read = || {
        let inner = after.strip_prefix('[')?;
        let rest = inner.trim_start_matches(|c: char| c.is_ascii_digit());
        let digits = inner.get(..inner.len() - rest.len())?;
        rest.starts_with(']').then_some(())?;
        Some((digits.parse().ok()?, digits.len() + 2))
    };
    read().unwrap_or_default()
}
