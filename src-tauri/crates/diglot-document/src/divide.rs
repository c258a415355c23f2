//! Division of long pieces at sentence ends (SPEC 4). Must not know a format: it gets the inline
//! markup that may not be cut as spans.

mod sentence;

use std::cmp::Reverse;

use sentence::sentences;
use unicode_segmentation::UnicodeSegmentation;

use crate::Span;
use crate::placeable::message;
use crate::segment::{Part, Piece, Setting, split_prefix};
use crate::shown::{Form, Shown};
use crate::text::lines_of;

/// A sentence may be so many times as long as the soft limit before it is cut at a blank.
const HARD_FACTOR: usize = 10;

/// Words whose full stop ends no sentence, in lower case; single letters are initials as well.
const ABBREVIATIONS: [&str; 26] = [
    "abb", "approx", "bd", "bzw", "ca", "cf", "dr", "e.g", "etc", "fig", "i.e", "mr", "mrs", "ms",
    "no", "nr", "p.ej", "pp", "prof", "sr", "sra", "st", "usw", "vgl", "vs", "z.b",
];

/// Holds a stretch that is never cut, with its length in grapheme clusters.
struct Chunk {
    start: usize,
    end: usize,
    clusters: usize,
}

/// Divides a piece into parts as [`spans`] does.
pub(crate) fn divide(text: &str, piece: &Piece, soft: usize) -> Vec<Part> {
    let Some(shown) = &piece.shown else {
        let part = |span| Part { span, shown: None };
        return spans(text, piece, soft).into_iter().map(part).collect();
    };
    let flat = Piece {
        span: Span::new(0, shown.text.len()),
        shown: None,
        atoms: if shown.text.len() > soft {
            solid(piece, shown)
        } else {
            Vec::new()
        },
        ..piece.clone()
    };
    let found = spans(&shown.text, &flat, soft);
    let part = |inner: Span| {
        let (span, shown) = shown.part(piece.span, inner.start..inner.end);
        Part {
            span,
            shown: Some(shown),
        }
    };
    if found.len() < 2 {
        let (span, shown) = (piece.span, Some(shown.clone()));
        return vec![Part { span, shown }];
    }
    found.into_iter().map(part).collect()
}

/// Returns what must not be cut of a shown text: its markup, plural messages, and all that stands for
/// a form of the file in several characters.
fn solid(piece: &Piece, shown: &Shown) -> Vec<Span> {
    let is_long = |form: &&Form| {
        let text = shown.text.get(form.shown.clone()).unwrap_or_default();
        text.chars().nth(1).is_some()
    };
    let forms = shown.forms.iter().filter(is_long);
    let forms = forms.map(|form| Span::new(form.shown.start, form.shown.end));
    let messages = message::find(&shown.text).messages;
    let messages = messages.iter().map(|message| message.span);
    let atoms = piece.atoms.iter().copied();
    let mut atoms: Vec<Span> = atoms.chain(forms).chain(messages).collect();
    atoms.sort_by_key(|atom| (atom.start, Reverse(atom.end)));
    // Markup may begin inside of a form and reach over its end.
    let mut merged: Vec<Span> = Vec::with_capacity(atoms.len());
    for atom in atoms {
        match merged.last_mut() {
            Some(last) if atom.start < last.end => last.end = last.end.max(atom.end),
            _ => merged.push(atom),
        }
    }
    merged
}

/// Returns trimmed spans of at most `soft` grapheme clusters where the sentence ends of a piece
/// allow it; a sentence without an end is cut at blanks at [`HARD_FACTOR`] times that length.
fn spans(text: &str, piece: &Piece, soft: usize) -> Vec<Span> {
    let whole = vec![piece.span];
    let raw = piece.span.of(text);
    let divisible = !piece.is_whole
        && matches!(
            piece.setting,
            Setting::Plain
                | Setting::Block
                | Setting::Cell
                | Setting::Html
                | Setting::YamlBlock
                | Setting::Rst(_)
                | Setting::Adoc(_)
                | Setting::Tex(_)
                | Setting::Coded(_)
        );
    if !divisible || !is_longer(raw, soft) {
        return whole;
    }
    let flat = flatten(text, piece);
    let mut spans = Vec::new();
    let mut open: Option<Chunk> = None;
    for chunk in chunks(&flat, piece, soft.saturating_mul(HARD_FACTOR)) {
        match open.take() {
            Some(so_far) if so_far.clusters + chunk.clusters <= soft => {
                let clusters = so_far.clusters + chunk.clusters;
                open = Some(Chunk {
                    start: so_far.start,
                    end: chunk.end,
                    clusters,
                });
            }
            full => {
                spans.extend(full);
                open = Some(chunk);
            }
        }
    }
    spans.extend(open);
    // Trimmed in the flat copy, where the prefix of a continued line is blank as well.
    let absolute = |chunk: Chunk| {
        let inner = Span::new(chunk.start, chunk.end).trimmed(&flat);
        Span::new(piece.span.start + inner.start, piece.span.start + inner.end)
    };
    spans
        .into_iter()
        .map(absolute)
        .filter(|span| span.start < span.end)
        .collect()
}

/// Tells whether a text has more than so many grapheme clusters; in ASCII a byte is one, but for CRLF.
fn is_longer(text: &str, soft: usize) -> bool {
    if text.len() <= soft {
        false
    } else if text.is_ascii() {
        text.len() - text.matches("\r\n").count() > soft
    } else {
        text.graphemes(true).nth(soft).is_some()
    }
}

/// Counts grapheme clusters; flat text has no CRLF, so an ASCII byte is one.
fn count_clusters(flat: &str) -> usize {
    if flat.is_ascii() {
        flat.len()
    } else {
        flat.graphemes(true).count()
    }
}

/// Copies the piece, byte for byte of the same length, so that line breaks and prefixes read as
/// blanks and closing emphasis as closing punctuation.
fn flatten(text: &str, piece: &Piece) -> String {
    let mut flat = String::with_capacity(piece.span.end - piece.span.start);
    for (index, line) in lines_of(text, piece.span).enumerate() {
        let quotes = if index == 0 { 0 } else { piece.quotes };
        let (prefix, rest) = if index == 0 {
            ("", line.content(text))
        } else {
            split_prefix(line.content(text), quotes)
        };
        flat.extend(std::iter::repeat_n(' ', prefix.len()));
        flat.extend(
            rest.chars()
                .map(|c| if matches!(c, '*' | '_' | '~') { ')' } else { c }),
        );
        flat.extend(std::iter::repeat_n(' ', line.next - line.end));
    }
    flat
}

fn chunks(flat: &str, piece: &Piece, hard: usize) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut closed = true;
    for (start, sentence) in sentences(flat) {
        let end = start + sentence.len();
        let clusters = count_clusters(sentence);
        match chunks.last_mut() {
            Some(last) if !closed => {
                last.end = end;
                last.clusters += clusters;
            }
            _ => chunks.push(Chunk {
                start,
                end,
                clusters,
            }),
        }
        closed = may_cut(piece, end) && ends_sentence(sentence);
    }
    let cut = |chunk: Chunk| {
        if chunk.clusters > hard {
            cut_hard(flat, piece, &chunk, hard)
        } else {
            vec![chunk]
        }
    };
    chunks.into_iter().flat_map(cut).collect()
}

fn may_cut(piece: &Piece, at: usize) -> bool {
    let at = piece.span.start + at;
    let next = piece.atoms.partition_point(|atom| atom.end <= at);
    piece.atoms.get(next).is_none_or(|atom| atom.start >= at)
}

/// Tells a sentence's end from a mark inside a name: a blank follows it, or its script needs none,
/// and it ends no abbreviation.
fn ends_sentence(sentence: &str) -> bool {
    let apart = sentence.ends_with(|c: char| c.is_whitespace() || !c.is_ascii());
    apart && !ends_in_abbreviation(sentence)
}

fn ends_in_abbreviation(sentence: &str) -> bool {
    let word = sentence
        .trim_end()
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default();
    let Some(word) = word.strip_suffix('.') else {
        return false;
    };
    let word = word
        .trim_start_matches(['(', '[', '"', '“', '„', '«'])
        .to_lowercase();
    let initial = word.chars().count() == 1 && word.chars().all(char::is_alphabetic);
    initial || ABBREVIATIONS.contains(&word.as_str())
}

/// Cuts a chunk without sentence ends after the last blank that fits, else between two clusters.
fn cut_hard(flat: &str, piece: &Piece, chunk: &Chunk, hard: usize) -> Vec<Chunk> {
    let inner = flat.get(chunk.start..chunk.end).unwrap_or_default();
    let mut parts = Vec::new();
    let mut part = Chunk {
        start: chunk.start,
        end: chunk.start,
        clusters: 0,
    };
    let mut blank: Option<(usize, usize)> = None;
    for cluster in inner.graphemes(true) {
        if part.clusters >= hard {
            let (end, clusters) = blank.take().unwrap_or((part.end, part.clusters));
            if end == part.end && !may_cut(piece, end) {
                // Inside markup: the cut waits for its end.
            } else {
                let rest = Chunk {
                    start: end,
                    end: part.end,
                    clusters: part.clusters - clusters,
                };
                parts.push(Chunk {
                    start: part.start,
                    end,
                    clusters,
                });
                part = rest;
            }
        }
        part.end += cluster.len();
        part.clusters += 1;
        if cluster.chars().all(char::is_whitespace) && may_cut(piece, part.end) {
            blank = Some((part.end, part.clusters));
        }
    }
    parts.push(part);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SegmentKind;

    fn check(text: &str, soft: usize, expected: &[&str]) {
        let span = Span::new(0, text.len());
        let piece = Piece::new(text, span, SegmentKind::Paragraph, Setting::Plain);
        let found: Vec<_> = divide(text, &piece, soft)
            .into_iter()
            .map(|part| part.span.of(text))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn short_text_stays_whole() {
        check("One. Two.", 9, &["One. Two."]);
    }

    #[test]
    fn sentences_are_packed_up_to_the_limit() {
        check(
            "One one. Two two. Three three.",
            18,
            &["One one. Two two.", "Three three."],
        );
        check(
            "一只一只。离开岸边。里盘算着",
            6,
            &["一只一只。", "离开岸边。", "里盘算着"],
        );
    }

    #[test]
    fn line_breaks_and_abbreviations_end_no_sentence() {
        check(
            "See Dr. Smith and\nthe rest. Then go.",
            10,
            &["See Dr. Smith and\nthe rest.", "Then go."],
        );
    }

    #[test]
    fn marks_inside_of_names_end_no_sentence() {
        check(
            "Use #!/bin/sh or Yahoo!Mail there. Then go.",
            10,
            &["Use #!/bin/sh or Yahoo!Mail there.", "Then go."],
        );
    }

    #[test]
    fn endless_text_is_cut_at_blanks_or_clusters() {
        check("aaaaaaa bbbbbbb ccc", 1, &["aaaaaaa", "bbbbbbb", "ccc"]);
        check(
            "xxxxxxxxxxxxxxxxxxxxxxx",
            1,
            &["xxxxxxxxxx", "xxxxxxxxxx", "xxx"],
        );
    }

    #[test]
    fn a_plural_message_is_never_cut() {
        let text = "{\"a\": \"Yes. {n, plural, one {One file. It is new.} other {# files. All are new.}} No.\"}";
        let options = crate::ParseOptions {
            soft_limit: Some(10),
            ..crate::ParseOptions::default()
        };
        let document =
            crate::Document::parse(crate::Format::Json, text.as_bytes(), &options).unwrap();
        let found: Vec<_> = document
            .segments
            .iter()
            .map(|s| s.source.as_str())
            .collect();
        assert_eq!(
            found,
            [
                "Yes. {n, plural, one {One file. It is new.} other {# files. All are new.}}",
                "No."
            ]
        );
    }

    #[test]
    fn markup_is_never_cut() {
        let text = "One *two. Three* four. Five.";
        let mut piece = Piece::new(
            text,
            Span::new(0, text.len()),
            SegmentKind::Paragraph,
            Setting::Block,
        );
        piece.atoms = vec![Span::new(4, 16)];
        let found: Vec<_> = divide(text, &piece, 5)
            .into_iter()
            .map(|part| part.span.of(text))
            .collect();
        assert_eq!(found, ["One *two. Three* four.", "Five."]);
    }

    #[test]
    fn forms_and_markup_that_overlap_stay_whole() {
        let text = "One {a. b. c. d. e}";
        let form = |at: usize, end: usize| Form {
            shown: at..end,
            raw: Span::new(at, end),
        };
        let shown = Shown {
            text: text.to_owned(),
            forms: vec![form(8, 16)],
        };
        let mut piece = Piece::new(
            text,
            Span::new(0, text.len()),
            SegmentKind::Paragraph,
            Setting::Plain,
        );
        piece.atoms = vec![Span::new(4, 10)];
        assert_eq!(solid(&piece, &shown), [Span::new(4, 16)]);
    }
}
