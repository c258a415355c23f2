//! Guides: pages of instructions that a person wrote once and attached to a project. Owns titles, first lines and the
//! pages that a model is given. Must not know where guides are kept.

use diglot_document::{Document, ParseOptions, SegmentKind, locate, shorten};
use serde::{Deserialize, Serialize};

use crate::limits;

/// Holds one guide.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guide {
    /// Its Markdown, as the person wrote it.
    pub text: String,
    /// What a chunk tells of it.
    pub note: GuideNote,
}

/// Tells of a guide in the head of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GuideNote {
    /// Its first heading, else its first line; never empty.
    pub title: String,
    /// The beginning of what follows the title, may be empty.
    pub opening: String,
    /// Hash of its text, so that a change of it is seen.
    pub hash: String,
}

impl Guide {
    /// Takes a text; `None` when it holds nothing that a guide could be called by.
    pub fn of(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        let options = ParseOptions {
            encoding: Some("utf-8".to_owned()),
            ..ParseOptions::default()
        };
        let document = Document::open("guide.md", text.as_bytes(), &options).ok()?;
        let is_heading = |kind: SegmentKind| matches!(kind, SegmentKind::Heading(_));
        let heading = document
            .segments
            .iter()
            .position(|segment| is_heading(segment.kind));
        let mut rest = document.segments.iter().skip(heading.unwrap_or(0));
        let title = shorten(&rest.next()?.source, limits::GUIDE_TITLE);
        let opening = rest.find(|segment| !is_heading(segment.kind));
        let opening = opening.map_or_else(String::new, |segment| {
            shorten(&segment.source, limits::GUIDE_OPENING)
        });
        let hash = blake3::hash(text.as_bytes()).to_hex().to_string();
        let note = GuideNote {
            title,
            opening,
            hash,
        };
        (!note.title.is_empty()).then_some(Self { text, note })
    }

    /// Counts the pages; there is one at least.
    pub fn n_pages(&self) -> usize {
        self.pages().count()
    }

    /// Returns a page, from 1.
    pub fn page(&self, page: usize) -> Option<&str> {
        self.pages().nth(page.checked_sub(1)?)
    }

    fn pages(&self) -> impl Iterator<Item = &str> {
        let mut rest = Some(self.text.as_str());
        std::iter::from_fn(move || {
            let (page, left) = split_page(rest?);
            rest = (!left.is_empty()).then_some(left);
            Some(page)
        })
    }
}

impl GuideNote {
    /// Returns the title as titles are compared: in whatever case, form and spacing.
    pub fn key(&self) -> String {
        title_key(&self.title)
    }
}

/// Returns a title as titles are compared.
pub fn title_key(title: &str) -> String {
    locate::normalize(title.trim()).to_lowercase()
}

/// Finds the guide that a model means: by its title in whatever case, else by the only title that holds its words.
pub(crate) fn find<'a>(guides: &'a [Guide], name: &str) -> Option<&'a Guide> {
    let wanted = title_key(name.trim().trim_matches(['"', '#', '*']));
    if wanted.is_empty() {
        return None;
    }
    let exact = guides.iter().find(|guide| guide.note.key() == wanted);
    let mut near = guides
        .iter()
        .filter(|guide| guide.note.key().contains(&wanted));
    exact.or_else(|| match (near.next(), near.next()) {
        (Some(only), None) => Some(only),
        (Some(_) | None, _) => None,
    })
}

/// Cuts the first page off a text: at a blank line where there is one, else at a line's or a word's end.
fn split_page(text: &str) -> (&str, &str) {
    let most = limits::GUIDE_PAGE;
    if text.len() <= most {
        return (text, "");
    }
    let fits = |end: &usize| text.is_char_boundary(*end);
    let most = (0..=most).rev().find(fits).unwrap_or(0);
    let (head, _) = text.split_at_checked(most).unwrap_or((text, ""));
    let ends = ["\n\n", "\r\n\r\n", "\n", " "].into_iter();
    let mut ends = ends.filter_map(|mark| Some(head.rfind(mark)? + mark.len()));
    let end = ends.find(|end| *end > most / 2).unwrap_or(head.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(text: &str) -> Option<(String, String)> {
        let Guide { note, .. } = Guide::of(text)?;
        Some((note.title, note.opening))
    }

    #[test]
    fn a_guide_is_called_by_its_first_heading() {
        let named = |title: &str, opening: &str| Some((title.to_owned(), opening.to_owned()));
        assert_eq!(
            note("# House style\n\n## Voice\n\nWrite short sentences.\n"),
            named("House style", "Write short sentences.")
        );
        assert_eq!(
            note("\u{feff}Some words.\r\n\r\nTitle\r\n=====\r\n\r\nMore.\r\n"),
            named("Title", "More.")
        );
        assert_eq!(
            note("```\n# not this\n```\n\n# Größe\n"),
            named("Größe", "")
        );
        assert_eq!(note("Only words.\n"), named("Only words.", ""));
        for empty in ["", " \n\n", "```\ncode\n```\n", "<!-- a remark -->\n"] {
            assert_eq!(note(empty), None, "{empty:?}");
        }
    }

    #[test]
    fn long_titles_and_openings_are_cut() {
        let text = format!("# {}\n\n{}\n", "t".repeat(500), "o".repeat(500));
        let (title, opening) = note(&text).unwrap();
        assert_eq!(title.chars().count(), limits::GUIDE_TITLE);
        assert_eq!(opening.chars().count(), limits::GUIDE_OPENING);
    }

    #[test]
    fn pages_are_the_whole_text_and_end_between_lines() {
        let line = "Immer „Größe“ schreiben, nie etwas anderes.\n";
        for (text, n_pages) in [
            ("# A\n".to_owned(), 1),
            (format!("# A\n\n{}", line.repeat(400)), 5),
            (format!("# A {}", "ß".repeat(limits::GUIDE_PAGE)), 3),
        ] {
            let guide = Guide::of(text.clone()).unwrap();
            let pages: Vec<&str> = guide.pages().collect();
            assert_eq!(pages.concat(), text);
            assert_eq!((pages.len(), guide.n_pages()), (n_pages, n_pages));
            assert!(pages.iter().all(|page| page.len() <= limits::GUIDE_PAGE));
            assert_eq!(guide.page(n_pages), pages.last().copied());
            assert_eq!((guide.page(0), guide.page(n_pages + 1)), (None, None));
        }
    }

    #[test]
    fn a_guide_is_found_as_models_write_its_name() {
        let guides: Vec<Guide> = ["# House style\n", "# House rules\n", "# Medicine\n"]
            .into_iter()
            .filter_map(Guide::of)
            .collect();
        let found = |name| find(&guides, name).map(|guide| guide.note.title.as_str());
        assert_eq!(found("house  STYLE"), Some("House style"));
        assert_eq!(found("# Medicine"), Some("Medicine"));
        assert_eq!(found("medic"), Some("Medicine"));
        assert_eq!(
            (found("house"), found(""), found("law")),
            (None, None, None)
        );
    }
}
