//! What a model thinks before it translates: between tags, or aloud in paragraphs of its own.

use super::super::phrases::{begins_as_thought, plain};
use super::{IssueKind, Layer, Source};

/// Marks before and after thoughts, in lower case, as models and their servers write them.
const TAGS: [(&str, &str); 10] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<analysis>", "</analysis>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
    ("<|channel|>analysis", "<|channel|>final<|message|>"),
];

/// Takes off thoughts between tags, also where only one of the tags is left.
pub(super) fn tagged<'a>(source: &Source<'_>, target: &'a str) -> Option<Layer<'a>> {
    let lower = target.to_ascii_lowercase();
    TAGS.iter().find_map(|(open, close)| {
        if source.plain.contains(open) || source.plain.contains(close) {
            return None;
        }
        let (thought, body) = match (lower.find(open), lower.rfind(close)) {
            (_, Some(at)) => target.split_at_checked(at + close.len())?,
            (Some(at), None) => {
                let (body, thought) = target.split_at_checked(at)?;
                (thought, body)
            }
            (None, None) => return None,
        };
        Some(Layer::new(IssueKind::Reasoning, body, [thought]))
    })
}

/// Takes off paragraphs in which a model thinks aloud: those that the target has more than the source. The last ones are
/// the translation.
pub(super) fn aloud<'a>(source: &Source<'_>, target: &'a str) -> Option<Layer<'a>> {
    let starts = paragraphs(target);
    let n_extra = starts.len().checked_sub(paragraphs(source.text).len())?;
    let at = *starts.get(n_extra)?;
    let thinks = |text: &str| {
        text.lines()
            .any(|line| begins_as_thought(&plain(line.trim())))
    };
    let (thought, body) = target.split_at_checked(at)?;
    let begins = begins_as_thought(&plain(thought.trim_start()));
    (n_extra > 0 && begins && !thinks(source.text))
        .then(|| Layer::new(IssueKind::Reasoning, body, [thought.trim()]))
}

/// Lists where paragraphs begin.
fn paragraphs(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = 0;
    for paragraph in text.split_inclusive("\n\n") {
        if !paragraph.trim().is_empty() {
            starts.push(at);
        }
        at += paragraph.len();
    }
    starts
}
