//! The neural engine: a language pack, read into memory at its first use. Owns everything that is
//! particular to the engine's library, and keeps its faults from becoming ours.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use fxtranslate::engine::{Aligned, Engine as Library};
use fxtranslate::segment::{IcuSegmenter, MAX_SOURCE_TOKENS, Segmenter};

use crate::align::{Drafter, Link, Translation};
use crate::pack::Pack;

/// Translates with one language pack. Cheap to make: the pack is read at the first use.
pub struct Engine {
    pack: Pack,
    library: OnceLock<Result<Library, EngineError>>,
}

/// Reports a language pack that the engine cannot work with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the language pack {pack} cannot be used: {detail}")]
pub struct EngineError {
    /// Its languages, for instance `en-pt`.
    pub pack: String,
    /// What the engine says.
    pub detail: String,
}

impl Engine {
    /// Makes an engine for a pack without reading it.
    pub fn new(pack: Pack) -> Self {
        Self {
            pack,
            library: OnceLock::new(),
        }
    }

    /// Returns its language pack.
    pub fn pack(&self) -> &Pack {
        &self.pack
    }

    /// Reads the pack if that was not done yet; takes about a tenth of a second.
    ///
    /// # Errors
    /// When the files are missing, cut off, or no models.
    pub fn load(&self) -> Result<(), EngineError> {
        self.library().map(|_| ())
    }

    /// Translates a text of one line.
    ///
    /// # Errors
    /// When the pack cannot be read, or fails at this text.
    pub fn translate(&self, text: &str) -> Result<String, EngineError> {
        self.run(|drafter| drafter.translate(text).text)
    }

    /// Runs work that translates.
    pub(crate) fn run<T>(&self, work: impl FnOnce(&dyn Drafter) -> T) -> Result<T, EngineError> {
        let library = self.library()?;
        guarded(|| work(&Sentences { library })).map_err(|detail| self.error(detail))
    }

    fn library(&self) -> Result<&Library, EngineError> {
        let read = || {
            let loaded = guarded(|| read(&self.pack)).and_then(|loaded| loaded);
            loaded.map_err(|detail| self.error(detail))
        };
        self.library
            .get_or_init(read)
            .as_ref()
            .map_err(Clone::clone)
    }

    fn error(&self, detail: String) -> EngineError {
        EngineError {
            pack: self.pack.name(),
            detail,
        }
    }
}

/// Runs work of the library; a panic in it becomes an error.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // Nothing of the library is written to after loading, so a panic leaves nothing half-changed.
    catch_unwind(AssertUnwindSafe(work)).map_err(|cause| {
        let text = cause.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| cause.downcast_ref::<&str>().copied());
        text.unwrap_or("the engine failed").to_owned()
    })
}

fn read(pack: &Pack) -> Result<Library, String> {
    let files = &pack.files;
    let library = Library::load_mmapped(
        &files.model,
        &files.source_vocabulary,
        &files.target_vocabulary,
    )?;
    match &files.shortlist {
        // Nearly three times as fast with it (measured, en-pt).
        Some(path) => {
            let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
            Ok(library.with_shortlist_bytes(&bytes))
        }
        None => Ok(library),
    }
}

struct Sentences<'a> {
    library: &'a Library,
}

impl Drafter for Sentences<'_> {
    fn translate(&self, text: &str) -> Translation {
        let mut out = Translation::default();
        let mut at = 0;
        for span in IcuSegmenter::new().sentences(text) {
            out.text
                .push_str(text.get(at..span.start).unwrap_or_default());
            self.sentence(
                text.get(span.start..span.end).unwrap_or_default(),
                span.start,
                &mut out,
            );
            at = span.end;
        }
        out.text.push_str(text.get(at..).unwrap_or_default());
        out
    }
}

impl Sentences<'_> {
    /// Translates one sentence that stands at `offset` and adds it.
    fn sentence(&self, sentence: &str, offset: usize, out: &mut Translation) {
        // The end mark is counted with the rest; longer ones are cut by the library, without alignment.
        if self.library.src_ids(sentence).len() > MAX_SOURCE_TOKENS + 1 {
            out.text.push_str(&self.library.translate_long(sentence));
            return;
        }
        let aligned = self.library.translate_aligned(sentence);
        let base = out.text.len();
        let target = without_aside(sentence, &aligned.target_text);
        out.text.push_str(target);
        let mut links = links(&aligned, sentence);
        links.retain(|link| link.target.end <= target.len());
        out.links.extend(links.into_iter().map(|link| Link {
            target: link.target.start + base..link.target.end + base,
            source: link.source.start + offset..link.source.end + offset,
            share: link.share,
        }));
    }
}

/// Takes off what small models like to add to a short text: `Screenshot (em inglês)`.
fn without_aside<'a>(source: &str, target: &'a str) -> &'a str {
    let added = target.strip_suffix(')').filter(|_| !source.contains('('));
    added
        .and_then(|rest| rest.rsplit_once(" ("))
        .map_or(target, |(text, _)| text)
}

/// Share below which an alignment is noise.
const SMALLEST_SHARE: f32 = 0.1;

/// Reads the alignment; empty where the library changed the source's characters.
fn links(aligned: &Aligned, sentence: &str) -> Vec<Link> {
    let Some(source_units) = source_offsets(aligned, sentence) else {
        return Vec::new();
    };
    let target_units = offsets(&aligned.target_text);
    let bytes = |units: &[usize], begin: usize, end: usize| -> Option<Range<usize>> {
        Some(*units.get(begin)?..*units.get(end)?)
    };
    let mut links = Vec::with_capacity(aligned.target_tokens.len());
    for (token, row) in aligned.target_tokens.iter().zip(&aligned.alignments) {
        let Some(target) = bytes(&target_units, token.begin, token.end) else {
            continue;
        };
        for (source, share) in aligned.source_tokens.iter().zip(row) {
            let source = bytes(&source_units, source.begin, source.end);
            if let Some(source) = source.filter(|_| *share >= SMALLEST_SHARE) {
                links.push(Link {
                    target: target.clone(),
                    source,
                    share: *share,
                });
            }
        }
    }
    links
}

/// Maps UTF-16 offsets of the library's form of the sentence, blanks as `▁` with one in front, to its
/// bytes; `None` where that form has other characters.
fn source_offsets(aligned: &Aligned, sentence: &str) -> Option<Vec<usize>> {
    let mut form = aligned.source_normalized.chars();
    let is_same = form.next() == Some('▁')
        && form
            .map(|c| if c == '▁' { ' ' } else { c })
            .eq(sentence.chars());
    let mut units = offsets(sentence);
    units.insert(0, 0);
    is_same.then_some(units)
}

/// Maps UTF-16 offsets of a text to byte offsets, the end among them.
fn offsets(text: &str) -> Vec<usize> {
    let mut units = Vec::with_capacity(text.len() + 1);
    for (at, c) in text.char_indices() {
        units.extend(std::iter::repeat_n(at, c.len_utf16()));
    }
    units.push(text.len());
    units
}

#[cfg(test)]
mod tests;
