//! Makes bad drafts of true translations.

use unicode_segmentation::UnicodeSegmentation;

use super::corpus::{self, Row, Said, TARGETS};
use super::{Format, IssueKind};

/// What a text that lost its last sentences has left at most, in hundredths; with more left it may well be a short
/// translation.
const MOST_KEPT: usize = 60;

/// One draft, with what a check should find in it.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) fault: &'static str,
    pub(super) format: Format,
    pub(super) source_language: &'static str,
    pub(super) target_language: &'static str,
    pub(super) source: String,
    pub(super) target: String,
    /// Kinds of which one should be found.
    pub(super) wanted: &'static [IssueKind],
    /// The text that should be suggested instead, where one can be.
    pub(super) body: Option<String>,
}

impl Draft {
    pub(super) fn true_one(row: &Row, source: &'static str, target: &'static str) -> Self {
        Self {
            fault: "none",
            format: row.format,
            source_language: source,
            target_language: target,
            source: row.text(source).unwrap().to_owned(),
            target: row.text(target).unwrap().to_owned(),
            wanted: &[],
            body: None,
        }
    }

    fn become_bad(
        &self,
        fault: &'static str,
        target: String,
        wanted: &'static [IssueKind],
    ) -> Self {
        Self {
            fault,
            target,
            wanted,
            ..self.clone()
        }
    }
}

/// Makes all bad drafts.
pub(super) fn all() -> Vec<Draft> {
    let rows: Vec<Row> = corpus::good()
        .into_iter()
        .filter(|row| !matches!(row.genre, "traps" | "same"))
        .collect();
    let mut drafts = Vec::new();
    for target in TARGETS {
        for source in ["en", "de", "ja"]
            .into_iter()
            .filter(|code| *code != target)
        {
            let good: Vec<Draft> = rows
                .iter()
                .map(|row| Draft::true_one(row, source, target))
                .collect();
            let long: Vec<Draft> = good
                .iter()
                .filter(|draft| is_sentence(draft))
                .cloned()
                .collect();
            drafts.extend(said(&good, source, target));
            drafts.extend(long.iter().flat_map(echoes));
            drafts.extend(long.iter().flat_map(loops));
            drafts.extend(long.iter().flat_map(cuts));
            drafts.extend(in_other_languages(&rows, source, target));
        }
        drafts.extend(in_unknown_languages(target));
    }
    drafts
}

/// Tells whether a draft is long enough that what it says can be told.
fn is_sentence(draft: &Draft) -> bool {
    let is_long = |text: &str, code: &str| {
        let fewest = if matches!(code, "zh" | "ja") { 14 } else { 40 };
        text.graphemes(true).count() >= fewest
    };
    let is_other = draft.source != draft.target;
    is_other
        && is_long(&draft.source, draft.source_language)
        && is_long(&draft.target, draft.target_language)
}

/// Puts what models say around true translations, or in their place.
fn said(good: &[Draft], source: &'static str, target: &'static str) -> Vec<Draft> {
    const KINDS: [(Said, &str, &[IssueKind]); 4] = [
        (Said::Commentary, "commentary", &[IssueKind::Commentary]),
        (Said::Refusal, "refusal", &[IssueKind::Refusal]),
        (Said::Reasoning, "reasoning", &[IssueKind::Reasoning]),
        (
            Said::Wrapped,
            "wrapped",
            &[IssueKind::Markup, IssueKind::Commentary],
        ),
    ];
    let mut drafts = Vec::new();
    let mut turn = 0;
    for (said, fault, wanted) in KINDS {
        let mut patterns = said.patterns(target);
        for language in ["en", source] {
            if language != target {
                patterns.extend(said.patterns(language));
            }
        }
        patterns.sort();
        patterns.dedup();
        for pattern in patterns {
            for _ in 0..3 {
                turn += 7;
                let draft = &good[turn % good.len()];
                let is_quoted = |text: &str| text.contains(['"', '“', '”', '„', '«', '「']);
                if matches!(said, Said::Wrapped) && is_quoted(&draft.target) {
                    continue;
                }
                let text = pattern.replace("{}", &draft.target);
                let mut bad = draft.become_bad(fault, text, wanted);
                bad.body = matches!(said, Said::Wrapped).then(|| draft.target.clone());
                drafts.push(bad);
            }
        }
    }
    drafts
}

/// Leaves the source as it is, alone or above its translation.
fn echoes(draft: &Draft) -> Vec<Draft> {
    let Draft { source, target, .. } = draft;
    let both = [
        format!("{source}\n\n{target}"),
        format!("{target}\n\n{source}"),
        format!("{source} → {target}"),
    ];
    let wanted = &[IssueKind::Echo];
    let mut drafts = vec![draft.become_bad("echo", source.clone(), wanted)];
    drafts.extend(both.into_iter().map(|text| Draft {
        body: Some(target.clone()),
        ..draft.become_bad("echo above", text, wanted)
    }));
    drafts
}

/// Repeats the whole, or its end.
fn loops(draft: &Draft) -> Vec<Draft> {
    let text = &draft.target;
    let wanted = &[IssueKind::Repetition];
    let words: Vec<&str> = text.split_word_bounds().collect();
    let tail = |n: usize| words[words.len().saturating_sub(n)..].concat();
    [
        format!("{text}\n{text}"),
        format!("{text} {text} {text}"),
        format!("{text}{}", tail(7).repeat(9)),
        format!("{text} {}", format!("{} ", tail(3).trim()).repeat(30)),
        format!("{}{}", text, "ha".repeat(200)),
    ]
    .into_iter()
    .map(|text| draft.become_bad("repetition", text, wanted))
    .collect()
}

/// Ends a text in the middle of a sentence, or before its last sentences.
fn cuts(draft: &Draft) -> Vec<Draft> {
    let text = &draft.target;
    let ends = ['.', '!', '?', '。', '！', '？', '؟'];
    if !draft.source.ends_with(ends) || !text.ends_with(ends) {
        return Vec::new();
    }
    let mut drafts = Vec::new();
    let words: Vec<&str> = text.split_word_bounds().collect();
    for part in [30, 50, 70] {
        let cut = words[..words.len() * part / 100]
            .concat()
            .trim_end()
            .to_owned();
        if !cut.ends_with(ends) && !cut.is_empty() {
            drafts.push(draft.become_bad("cut", cut, &[IssueKind::Truncated]));
        }
    }
    let sentences: Vec<&str> = text.unicode_sentences().collect();
    if sentences.len() > 1 {
        let kept = sentences[..sentences.len() / 2]
            .concat()
            .trim_end()
            .to_owned();
        let wanted = &[IssueKind::Truncated, IssueKind::Length];
        if kept.len() * 100 <= text.len() * MOST_KEPT {
            drafts.push(draft.become_bad("lost end", kept, wanted));
        }
    }
    drafts
}

/// Gives texts in another language of the corpus.
fn in_other_languages(rows: &[Row], source: &'static str, target: &'static str) -> Vec<Draft> {
    let others = ["en"].into_iter().chain(TARGETS);
    let others: Vec<_> = others
        .filter(|code| ![source, target].contains(code))
        .collect();
    let mut drafts = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let draft = Draft::true_one(row, source, target);
        let other = others[index % others.len()];
        let wrong = Draft::true_one(row, source, other);
        if is_sentence(&draft) && is_sentence(&wrong) {
            drafts.push(draft.become_bad("language", wrong.target, &[IssueKind::Language]));
        }
    }
    drafts
}

/// Gives texts in languages that no draft is made in.
fn in_unknown_languages(target: &'static str) -> Vec<Draft> {
    let rows = corpus::other();
    let rows = rows.iter().flat_map(|row| {
        let texts = row
            .texts
            .iter()
            .filter(|(code, _)| ![target, "en"].contains(code));
        texts.map(move |(_, text)| Draft {
            fault: "language",
            format: row.format,
            source_language: "en",
            target_language: target,
            source: row.text("en").unwrap().to_owned(),
            target: text.clone(),
            wanted: &[IssueKind::Language],
            body: None,
        })
    });
    rows.collect()
}
