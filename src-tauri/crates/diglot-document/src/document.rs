//! A parsed file: its bytes, its decoded text and its segments. Owns the order of reading (decode,
//! read by format, divide, number); must not know a syntax or an encoding.

mod assembly;

use std::ops::Range;
use std::sync::Arc;

use assembly::Assembly;

use crate::format::MAX_BYTES;
use crate::segment::{Frame, Piece, Setting};
use crate::shown::Form;
use crate::{Format, LanguageTag, Rules, Segment, Span, TextEncoding, Untranslatable};

/// Holds what parsing depends on besides the bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParseOptions {
    /// The encoding that a person chose, as a WHATWG label; `None` detects it.
    pub encoding: Option<String>,
    /// Soft limit of a unit in grapheme clusters; `None` takes [`SOFT_LIMIT`].
    pub soft_limit: Option<usize>,
    /// What the person set for the project's formats.
    pub rules: Rules,
    /// Language of the text, where it is known: it decides where bytes fit several encodings.
    pub source: Option<LanguageTag>,
    /// Language of the target: what a file says of its own language changes with it, and plural
    /// forms are its. `None` leaves both as they are.
    pub target: Option<LanguageTag>,
}

/// Longest unit before it is divided at sentence ends, in grapheme clusters (SPEC 4).
pub const SOFT_LIMIT: usize = 300;

/// Reports something odd that parsing met and worked around.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// Bytes that the encoding does not know; the lines, from 1, are left untranslated.
    InvalidBytes {
        /// Lines that hold them, from 1, ascending.
        lines: Vec<usize>,
    },
    /// The encoding is a guess that a person should look at.
    DoubtfulEncoding,
    /// A front matter or fence that never closes.
    Unclosed {
        /// Line where it opens, from 1.
        line: usize,
    },
}

/// Holds a file as its format reads it. Cheap to share, never changed.
#[derive(Debug, Clone)]
pub struct Document {
    /// What it was read as.
    pub format: Format,
    /// How its bytes become text; of a package, how its first text does.
    pub encoding: TextEncoding,
    /// The file's bytes.
    pub bytes: Arc<[u8]>,
    /// The decoded text without a byte-order mark; line ends as in the file. Of a package, its texts
    /// one after the other.
    pub text: Arc<str>,
    /// Translatable spans: ascending, disjoint, on character boundaries; may be empty.
    pub segments: Vec<Segment>,
    /// How many units the file itself says are finished; they are no segments.
    pub n_finished: usize,
    /// What was odd.
    pub problems: Vec<Problem>,
    /// What writing needs to know of each segment, in the same order.
    pub(crate) splices: Vec<Splice>,
    /// The texts of the file, in order; at least one.
    pub(crate) sheets: Vec<Sheet>,
}

/// Says how the target of one segment is fitted into the file. A large file has many, so what few of them need is
/// held apart.
#[derive(Debug, Clone)]
pub(crate) struct Splice {
    pub(crate) setting: Setting,
    pub(crate) is_bilingual: bool,
    /// Whether a suggestion that is confirmed keeps its bytes.
    pub(crate) stands: bool,
    /// The sheet that it is in.
    pub(crate) sheet: usize,
    /// Its bytes in the sheet.
    pub(crate) bytes: Range<usize>,
    special: Option<Box<Special>>,
}

/// Holds what most segments are written without.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Special {
    /// Prefix of a further line where the segment has none to take it from.
    pub(crate) fresh: String,
    pub(crate) frame: Option<Frame>,
    /// How the file writes what is shown of a coded text.
    pub(crate) forms: Vec<Form>,
    /// What changes elsewhere in the sheet.
    pub(crate) edits: Vec<ByteEdit>,
    pub(crate) group: Option<ByteGroup>,
    /// The table that is drawn anew around it.
    pub(crate) table: Option<Drawn>,
}

/// Holds where a table stands that is drawn anew as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Drawn {
    pub(crate) span: Span,
    /// Its bytes in the sheet.
    pub(crate) bytes: Range<usize>,
}

impl Splice {
    /// Makes the splice of a whole piece, without a place in a file.
    pub(crate) fn of(piece: &Piece) -> Self {
        Self::new(piece, Special::of(piece))
    }

    pub(crate) fn new(piece: &Piece, special: Special) -> Self {
        Self {
            setting: piece.setting,
            is_bilingual: piece.is_bilingual,
            stands: piece.stands,
            sheet: 0,
            bytes: 0..0,
            special: (special != Special::default()).then(|| Box::new(special)),
        }
    }

    pub(crate) fn fresh(&self) -> &str {
        self.special
            .as_ref()
            .map_or("", |special| special.fresh.as_str())
    }

    pub(crate) fn frame(&self) -> Option<&Frame> {
        self.special.as_ref()?.frame.as_ref()
    }

    pub(crate) fn forms(&self) -> &[Form] {
        self.special
            .as_ref()
            .map_or(&[], |special| special.forms.as_slice())
    }

    pub(crate) fn edits(&self) -> &[ByteEdit] {
        self.special
            .as_ref()
            .map_or(&[], |special| special.edits.as_slice())
    }

    pub(crate) fn group(&self) -> Option<&ByteGroup> {
        self.special.as_ref()?.group.as_ref()
    }

    pub(crate) fn table(&self) -> Option<&Drawn> {
        self.special.as_ref()?.table.as_ref()
    }
}

impl Special {
    /// Takes over what a piece tells without a place in a file.
    pub(crate) fn of(piece: &Piece) -> Self {
        Self {
            fresh: piece.fresh.clone(),
            frame: piece.frame.clone(),
            ..Self::default()
        }
    }
}

/// Binds segments of a bilingual sheet; see [`Group`](crate::segment::Group).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ByteGroup {
    pub(crate) id: usize,
    pub(crate) size: usize,
    pub(crate) idle: Option<String>,
    pub(crate) edits: Vec<ByteEdit>,
}

/// Holds one text of a file: the file itself, or a member of a package.
#[derive(Debug, Clone)]
pub(crate) struct Sheet {
    /// Place among the members of a package, from 0.
    pub(crate) member: usize,
    pub(crate) bytes: Arc<[u8]>,
    pub(crate) encoding: TextEncoding,
    /// What changes in it as soon as one unit of the document is written.
    pub(crate) edits: Vec<ByteEdit>,
}

/// Replaces bytes of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ByteEdit {
    pub(crate) bytes: Range<usize>,
    pub(crate) text: String,
}

/// Holds the bytes of a file and its text once where they are the same, as they are in UTF-8.
fn shared(bytes: &[u8], text: String, sheets: &mut [Sheet]) -> (Arc<[u8]>, Arc<str>) {
    let text: Arc<str> = text.into();
    let [only] = sheets else {
        return (bytes.into(), text);
    };
    if *only.bytes == *text.as_bytes() {
        only.bytes = Arc::from(Arc::clone(&text));
    }
    let bytes = if *only.bytes == *bytes {
        Arc::clone(&only.bytes)
    } else {
        bytes.into()
    };
    (bytes, text)
}

impl Document {
    /// Reads a file as what its name and content say that it is.
    ///
    /// # Errors
    /// As `parse`; `UnknownFormat`, or `SwitchedOff` by the rules.
    pub fn open(path: &str, bytes: &[u8], options: &ParseOptions) -> Result<Self, Untranslatable> {
        let format = Format::detect(path, bytes)?;
        if options.rules.off.contains(&format) {
            return Err(Untranslatable::SwitchedOff);
        }
        Self::parse(format, bytes, options)
    }

    /// Reads bytes as a document of a format.
    ///
    /// # Errors
    /// `Binary` or `TooLarge`, or what is wrong with a package; any text parses, odd or not.
    pub fn parse(
        format: Format,
        bytes: &[u8],
        options: &ParseOptions,
    ) -> Result<Self, Untranslatable> {
        if bytes.len() as u64 > MAX_BYTES {
            return Err(Untranslatable::TooLarge);
        }
        let mut assembly = Assembly::default();
        for member in format.members(bytes)? {
            assembly.take(format, member, options)?;
        }
        let Assembly {
            text,
            segments,
            splices,
            mut sheets,
            problems,
            n_finished,
            ..
        } = assembly;
        let first = sheets.first().map(|sheet| sheet.encoding.clone());
        let (bytes, text) = shared(bytes, text, &mut sheets);
        Ok(Self {
            format,
            encoding: first.ok_or(Untranslatable::Damaged)?,
            bytes,
            text,
            segments,
            n_finished,
            problems,
            splices,
            sheets,
        })
    }

    /// Returns where a target of a unit may change the text: in its own span, or in the whole table
    /// that is drawn with lines around it.
    pub fn reach(&self, ordinal: usize) -> Option<Span> {
        let splice = self.splices.get(ordinal)?;
        let own = || self.segments.get(ordinal).map(|segment| segment.span);
        splice.table().map(|table| table.span).or_else(own)
    }
}

#[cfg(test)]
mod tests;
