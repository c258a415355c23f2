//! Text and inline markup between two block tags, and which of the markup at its edges is no part of
//! the text. Must not know what an element means to a reader.

use std::collections::HashMap;

use super::element::is_break;
use super::tag::Tag;
use crate::Span;

/// Holds text and inline markup since the last block tag.
#[derive(Default)]
pub(super) struct Run<'t> {
    pub(super) start: usize,
    pub(super) has_prose: bool,
    /// The inline markup, in order; the attributes of what is outside of the text are units.
    pub(super) marks: Vec<Mark<'t>>,
    /// The element around the current place whose text is no prose, and how many of its name are
    /// open inside.
    code: Option<(String, usize)>,
}

/// Holds one piece of inline markup.
pub(super) struct Mark<'t> {
    pub(super) span: Span,
    pub(super) tag: Option<Tag<'t>>,
    kind: MarkKind,
}

#[derive(PartialEq, Eq)]
enum MarkKind {
    Open(String),
    Close(String),
    /// Stands alone; no part of the text at its edge.
    Lone,
    /// Stands for text.
    Text,
}

impl<'t> Run<'t> {
    pub(super) fn new(start: usize) -> Self {
        Self {
            start,
            ..Self::default()
        }
    }

    pub(super) fn in_code(&self) -> bool {
        self.code.is_some()
    }

    /// Takes an inline tag; the text of a code-like one is no prose.
    pub(super) fn take_tag(&mut self, tag: Tag<'t>, name: String, opens: bool, is_code: bool) {
        match &mut self.code {
            Some((code, depth)) if *code == name => {
                if tag.closes() && *depth == 0 {
                    self.code = None;
                } else if tag.closes() {
                    *depth -= 1;
                } else if opens {
                    *depth += 1;
                }
            }
            None if is_code && opens => self.code = Some((name.clone(), 0)),
            Some(_) | None => {}
        }
        let kind = if tag.closes() {
            MarkKind::Close(name)
        } else if opens || !is_break(&name) {
            MarkKind::Open(name)
        } else {
            MarkKind::Lone
        };
        self.marks.push(Mark {
            span: tag.span,
            tag: Some(tag),
            kind,
        });
    }

    /// Takes the tag of a component; one that holds nothing stands for text.
    pub(super) fn take_component(&mut self, tag: Tag<'t>) {
        let kind = if tag.closes() {
            MarkKind::Close(tag.name())
        } else if tag.is_empty() {
            MarkKind::Text
        } else {
            MarkKind::Open(tag.name())
        };
        let (span, tag) = (tag.span, Some(tag));
        self.marks.push(Mark { span, tag, kind });
    }

    /// Takes a comment.
    pub(super) fn take_comment(&mut self, span: Span) {
        self.push(span, MarkKind::Lone);
    }

    /// Takes a mark of a template engine.
    pub(super) fn take_template(&mut self, text: &str, span: Span) {
        self.push(span, template_kind(span.of(text)));
    }

    fn push(&mut self, span: Span, kind: MarkKind) {
        let tag = None;
        self.marks.push(Mark { span, tag, kind });
    }

    /// Returns where a line break stands that only blanks part from the end of the run.
    pub(super) fn trailing_break(&self, text: &str, end: usize) -> Option<usize> {
        let last = self.marks.last()?;
        let is_break = last.tag.is_some_and(|tag| tag.name() == "br");
        let between = Span::new(last.span.end, end).of(text);
        (is_break && between.trim().is_empty()).then_some(last.span.start)
    }

    /// Takes off the edges of the text what is no part of it: blanks, line breaks, comments, elements
    /// that hold all of it or nothing that is read, tags whose other half is elsewhere.
    pub(super) fn inner(&self, text: &str, end: usize) -> Span {
        let partners = self.partners();
        let partner = |index: usize| partners.get(index).copied().flatten();
        let mut span = Span::new(self.start, end).trimmed(text);
        let (mut first, mut last) = (0, self.marks.len());
        while let Some(mark) = self.marks.get(first).filter(|_| first < last) {
            if mark.span.start != span.start {
                break;
            }
            let Some(other) = partner(first) else {
                if mark.kind == MarkKind::Text {
                    break;
                }
                first += 1;
                span = Span::new(mark.span.end, span.end).trimmed(text);
                continue;
            };
            let Some(close) = self.marks.get(other) else {
                break;
            };
            if other + 1 == last && close.span.end == span.end {
                (first, last) = (first + 1, other);
                span = Span::new(mark.span.end, close.span.start).trimmed(text);
            } else if self.is_ornament(text, first, other) {
                first = other + 1;
                span = Span::new(close.span.end, span.end).trimmed(text);
            } else {
                break;
            }
        }
        while let Some(mark) = last.checked_sub(1).and_then(|at| self.marks.get(at)) {
            if first >= last || mark.span.end != span.end {
                break;
            }
            let (from, cut) = match partner(last - 1) {
                None if mark.kind == MarkKind::Text => break,
                None => (last - 1, mark.span.start),
                Some(open) if self.is_ornament(text, open, last - 1) => (
                    open,
                    self.marks
                        .get(open)
                        .map_or(span.start, |open| open.span.start),
                ),
                Some(_) => break,
            };
            last = from;
            span = Span::new(span.start, cut).trimmed(text);
        }
        span
    }

    /// Tells whether an element holds nothing that is read: an anchor, an icon, the mark of a link to
    /// itself.
    fn is_ornament(&self, text: &str, open: usize, close: usize) -> bool {
        let Some([first, inner @ .., last]) = self.marks.get(open..=close) else {
            return false;
        };
        let mut at = first.span.end;
        let mut gaps = inner.iter().map(|mark| mark.span).chain([last.span]);
        let blank = gaps.all(|next| {
            let gap = Span::new(at, next.start).of(text);
            at = next.end;
            gap.chars().all(is_symbol)
        });
        blank && inner.iter().all(|mark| mark.kind != MarkKind::Text)
    }

    /// Finds for each mark the one that closes or opens its element.
    fn partners(&self) -> Vec<Option<usize>> {
        let mut partners = vec![None; self.marks.len()];
        let mut open: Vec<usize> = Vec::new();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (index, mark) in self.marks.iter().enumerate() {
            match &mark.kind {
                MarkKind::Open(name) => {
                    open.push(index);
                    *counts.entry(name).or_default() += 1;
                }
                MarkKind::Close(name) => {
                    if counts.get(name.as_str()).is_none_or(|count| *count == 0) {
                        continue;
                    }
                    while let Some(opened) = open.pop() {
                        let Some(MarkKind::Open(found)) = self.marks.get(opened).map(|m| &m.kind)
                        else {
                            continue;
                        };
                        if let Some(count) = counts.get_mut(found.as_str()) {
                            *count -= 1;
                        }
                        if found == name {
                            if let Some(place) = partners.get_mut(opened) {
                                *place = Some(index);
                            }
                            if let Some(place) = partners.get_mut(index) {
                                *place = Some(opened);
                            }
                            break;
                        }
                    }
                }
                MarkKind::Lone | MarkKind::Text => {}
            }
        }
        partners
    }
}

/// Tells whether a character is neither read nor a part of a sentence: an icon, a paragraph mark.
fn is_symbol(c: char) -> bool {
    const PUNCTUATION: &str =
        "!\"%&'()*+,-./:;=?@[]{|}$€£¥¡¿«»‹›“”„‘’‚–—…、。，；：？！（）「」『』《》〈〉·•";
    !c.is_alphanumeric() && !PUNCTUATION.contains(c)
}

/// Tells what a mark of a template engine does: it opens or closes a block, or stands for text.
fn template_kind(mark: &str) -> MarkKind {
    let inner = mark.get(2..).unwrap_or_default();
    let word = |from: &str| {
        let from = from
            .trim_start_matches(|c: char| c == '-' || c == '+' || c == '~' || c.is_whitespace());
        let length = from
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(from.len());
        format!("%{}", from.get(..length).unwrap_or_default())
    };
    if mark.starts_with("{%") {
        let name = word(inner);
        return match name.strip_prefix("%end") {
            Some(name) => MarkKind::Close(format!("%{name}")),
            None => MarkKind::Open(name),
        };
    }
    if let Some(inner) = mark.strip_prefix("{{") {
        return match inner.chars().next() {
            Some('#') => MarkKind::Open(word(inner.get(1..).unwrap_or_default())),
            Some('/') => MarkKind::Close(word(inner.get(1..).unwrap_or_default())),
            Some('!' | '>' | '^') => MarkKind::Lone,
            _ if word(inner) == "%else" => MarkKind::Lone,
            _ => MarkKind::Text,
        };
    }
    let speaks = ["<?=", "<?php echo ", "<%=", "<%-"]
        .iter()
        .any(|lead| mark.starts_with(lead));
    if speaks {
        MarkKind::Text
    } else {
        MarkKind::Lone
    }
}
