//! What a model puts around a translation: thoughts, the source, a fence, a preamble, a remark, quotes. Takes it off one
//! layer at a time; what a layer looks like stands in the files of its kind.

use std::ops::ControlFlow;

use super::phrases::plain;
use super::{Issue, IssueKind, loops};
use crate::LanguagePair;

mod echoed;
mod remark;
mod shell;
mod thought;

/// Layers that are taken off at most.
const MOST_LAYERS: usize = 8;

/// The kinds of layers, in the order in which they are reported.
const KINDS: [IssueKind; 5] = [
    IssueKind::Markup,
    IssueKind::Reasoning,
    IssueKind::Echo,
    IssueKind::Commentary,
    IssueKind::Repetition,
];

/// A target without what surrounds it.
pub(super) struct Peeled<'a> {
    /// The translation itself; empty where there is none.
    pub(super) body: &'a str,
    /// What was taken off.
    layers: Vec<(IssueKind, String)>,
    /// Whether the body is written as it should stand in the document.
    is_plain: bool,
}

/// One layer: what is left inside of it, and what it was.
struct Layer<'a> {
    body: &'a str,
    kind: IssueKind,
    texts: Vec<&'a str>,
    /// Whether the body is written as it should stand in the document.
    is_plain: bool,
}

impl<'a> Layer<'a> {
    fn new(kind: IssueKind, body: &'a str, texts: impl Into<Vec<&'a str>>) -> Self {
        Self {
            body: body.trim(),
            kind,
            texts: texts.into(),
            is_plain: true,
        }
    }
}

/// A source as layers are looked for beside it.
struct Source<'s> {
    text: &'s str,
    /// In lower case.
    plain: String,
    /// Lines that are not blank.
    n_lines: usize,
}

impl Peeled<'_> {
    /// Reports what was taken off.
    pub(super) fn issues(&self) -> Vec<Issue> {
        let extra = |kind: IssueKind| -> Vec<String> {
            let own = self.layers.iter().filter(|(other, _)| *other == kind);
            own.map(|(_, text)| text.clone()).collect()
        };
        let is_known = self.is_plain && !self.body.is_empty();
        KINDS
            .into_iter()
            .map(|kind| (kind, extra(kind)))
            .filter(|(_, extra)| !extra.is_empty())
            .map(|(kind, extra)| Issue {
                extra,
                suggestion: is_known.then(|| self.body.to_owned()),
                ..Issue::warning(kind)
            })
            .collect()
    }
}

/// Takes off what the source does not have.
pub(super) fn peel<'a>(source: &str, target: &'a str, languages: &LanguagePair) -> Peeled<'a> {
    let source = Source {
        text: source,
        plain: plain(source),
        n_lines: n_lines(source),
    };
    let mut peeled = Peeled {
        body: target,
        layers: Vec::new(),
        is_plain: true,
    };
    for _ in 0..MOST_LAYERS {
        let ControlFlow::Continue(layer) = outermost(&source, &peeled, languages) else {
            break;
        };
        peeled.body = layer.body;
        peeled.is_plain &= layer.is_plain;
        let texts = layer
            .texts
            .into_iter()
            .map(|text| (layer.kind, text.to_owned()));
        peeled.layers.extend(texts);
    }
    peeled
}

/// Finds the layer that surrounds the rest.
fn outermost<'a>(
    source: &Source<'_>,
    peeled: &Peeled<'a>,
    languages: &LanguagePair,
) -> ControlFlow<(), Layer<'a>> {
    let body = peeled.body.trim();
    if body.is_empty() {
        return ControlFlow::Break(());
    }
    let is_remarked = peeled
        .layers
        .iter()
        .any(|(kind, _)| *kind == IssueKind::Commentary);
    let repeated = || {
        let part = loops::doubled(source.text, body)?;
        Some(Layer::new(IssueKind::Repetition, part, [part]))
    };
    let layer = repeated()
        .or_else(|| thought::tagged(source, body))
        .or_else(|| shell::fence(source, body))
        .or_else(|| shell::field(source, body))
        .or_else(|| shell::element(source, body))
        .or_else(|| remark::note(source, body))
        .or_else(|| echoed::beside(source, body, languages))
        .or_else(|| thought::aloud(source, body))
        .or_else(|| remark::preamble(source, body))
        .or_else(|| {
            is_remarked
                .then(|| remark::greeting(source, body))
                .flatten()
        })
        .or_else(|| shell::quotes(source, body));
    layer.map_or(ControlFlow::Break(()), ControlFlow::Continue)
}

/// Counts lines that are not blank.
fn n_lines(text: &str) -> usize {
    text.lines().filter(|line| !line.trim().is_empty()).count()
}
