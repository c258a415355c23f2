//! Reads the texts of `tests/fixtures/drafts`. Knows no check.
//!
//! A line is a language's code, a blank and a text in which `\n` stands for a line break; `#` begins a remark. Lines
//! without a blank line between them translate each other.

use crate::Format;

/// The languages that drafts are made in.
pub(super) const TARGETS: [&str; 8] = ["zh", "ja", "de", "fr", "es", "pt", "ar", "ru"];

/// The files of true translations, with the format that each is checked as.
const GOOD: [(&str, Format, &str); 12] = [
    (
        "interface",
        Format::PlainText,
        include_str!("../../../../tests/fixtures/drafts/good/interface.txt"),
    ),
    (
        "manual",
        Format::Markdown,
        include_str!("../../../../tests/fixtures/drafts/good/manual.txt"),
    ),
    (
        "code",
        Format::Markdown,
        include_str!("../../../../tests/fixtures/drafts/good/code.txt"),
    ),
    (
        "legal",
        Format::PlainText,
        include_str!("../../../../tests/fixtures/drafts/good/legal.txt"),
    ),
    (
        "speech",
        Format::PlainText,
        include_str!("../../../../tests/fixtures/drafts/good/speech.txt"),
    ),
    (
        "marketing",
        Format::Markdown,
        include_str!("../../../../tests/fixtures/drafts/good/marketing.txt"),
    ),
    (
        "prose",
        Format::PlainText,
        include_str!("../../../../tests/fixtures/drafts/good/prose.txt"),
    ),
    (
        "news",
        Format::PlainText,
        include_str!("../../../../tests/fixtures/drafts/good/news.txt"),
    ),
    (
        "letters",
        Format::PlainText,
        include_str!("../../../../tests/fixtures/drafts/good/letters.txt"),
    ),
    (
        "titles",
        Format::Markdown,
        include_str!("../../../../tests/fixtures/drafts/good/titles.txt"),
    ),
    (
        "same",
        Format::Markdown,
        include_str!("../../../../tests/fixtures/drafts/good/same.txt"),
    ),
    (
        "traps",
        Format::Markdown,
        include_str!("../../../../tests/fixtures/drafts/good/traps.txt"),
    ),
];

/// One text in several languages.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// The file that it is from.
    pub(super) genre: &'static str,
    pub(super) format: Format,
    /// Codes with texts; the code `*` stands for all languages.
    pub(super) texts: Vec<(&'static str, String)>,
}

impl Row {
    pub(super) fn text(&self, language: &str) -> Option<&str> {
        let (_, text) = self
            .texts
            .iter()
            .find(|(code, _)| *code == language || *code == "*")?;
        Some(text)
    }
}

/// Returns every text that is translated truly.
pub(super) fn good() -> Vec<Row> {
    let rows = |&(genre, format, text)| {
        blocks(text).map(move |texts| Row {
            genre,
            format,
            texts,
        })
    };
    GOOD.iter().flat_map(rows).collect()
}

/// Returns the texts with their translations into languages that nobody asked for.
pub(super) fn other() -> Vec<Row> {
    let text = include_str!("../../../../tests/fixtures/drafts/bad/other.txt");
    blocks(text)
        .map(|texts| Row {
            genre: "other",
            format: Format::PlainText,
            texts,
        })
        .collect()
}

/// A file of what models say instead of a translation, or around one.
#[derive(Debug, Clone, Copy)]
pub(super) enum Said {
    Commentary,
    Refusal,
    Reasoning,
    Wrapped,
}

impl Said {
    /// Lists the patterns of this kind in one language, and those of every language. `{}` is the translation.
    pub(super) fn patterns(self, language: &str) -> Vec<String> {
        let text = match self {
            Self::Commentary => {
                include_str!("../../../../tests/fixtures/drafts/bad/commentary.txt")
            }
            Self::Refusal => include_str!("../../../../tests/fixtures/drafts/bad/refusal.txt"),
            Self::Reasoning => include_str!("../../../../tests/fixtures/drafts/bad/reasoning.txt"),
            Self::Wrapped => include_str!("../../../../tests/fixtures/drafts/bad/wrapped.txt"),
        };
        let is_said = |(code, _): &(&str, String)| *code == language || *code == "*";
        lines(text).filter(is_said).map(|(_, text)| text).collect()
    }
}

fn blocks(text: &'static str) -> impl Iterator<Item = Vec<(&'static str, String)>> {
    text.split("\n\n").flat_map(|block| {
        let mut texts: Vec<_> = lines(block).collect();
        let rest = if texts.first().is_some_and(|(code, _)| *code == "*") {
            texts.split_off(1)
        } else {
            Vec::new()
        };
        let alone = rest.into_iter().map(|text| vec![text]);
        std::iter::once(texts)
            .chain(alone)
            .filter(|texts| !texts.is_empty())
    })
}

fn lines(text: &'static str) -> impl Iterator<Item = (&'static str, String)> {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(' '))
        .map(|(code, text)| (code, text.replace("\\n", "\n")))
}
