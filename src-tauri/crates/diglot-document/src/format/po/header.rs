//! The header of a PO file: its fields, and what changes in them when the file gets a target. Must
//! not know the other entries.

use std::ops::Range;

use super::text::show;
use crate::format::plural::{Plural, rule};
use crate::segment::Edit;
use crate::shown::{Shown, ShownBuilder};
use crate::{LanguageTag, Span};

/// Holds the fields of a header.
pub(super) struct Header {
    /// The whole literal, and the part of it that holds the fields.
    literal: Span,
    span: Span,
    shown: Shown,
    /// Whether a line break ends the last field.
    is_closed: bool,
}

impl Header {
    /// Reads the target of the entry whose source is empty.
    pub(super) fn new(text: &str, literal: Span) -> Option<Self> {
        let mut builder = ShownBuilder::new(text, literal.start);
        show(text, literal, &mut builder);
        let (span, shown) = builder.finish()?;
        Some(Self {
            literal,
            span,
            shown,
            is_closed: Span::new(span.end, literal.end).of(text).contains("\\n"),
        })
    }

    /// Returns the plural forms that the file has set.
    pub(super) fn plural(&self) -> Option<Plural> {
        Plural::of_rule(self.value("Plural-Forms")?)
    }

    /// Lists what changes for a target. `line_end` is the file's.
    pub(super) fn edits(
        &self,
        target: &LanguageTag,
        has_plurals: bool,
        line_end: &str,
    ) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut added = String::new();
        let mut set = |field: &str, value: &str| {
            if let Some(range) = self.range(field) {
                edits.push(self.edit(range, value));
                return;
            }
            let is_closed = self.is_closed || !added.is_empty();
            let closing = if is_closed { "" } else { "\\n" };
            let line = format!("{line_end}\"{closing}{field}: {value}\\n\"");
            added.push_str(&line);
        };
        if !self
            .value("Language")
            .is_some_and(|language| names(language, target))
        {
            set("Language", &gettext_name(target));
        }
        let rules = self.value("Plural-Forms");
        let is_open = rules.is_some_and(|rules| rules.contains("INTEGER") || rules.is_empty());
        if let Some(rule) = rule(target).filter(|_| is_open || rules.is_none() && has_plurals) {
            set("Plural-Forms", rule);
        }
        if let Some(range) = self.open_charset() {
            edits.push(self.edit(range, "UTF-8"));
        }
        if !added.is_empty() {
            let end = Span::new(self.literal.end, self.literal.end);
            edits.push(Edit {
                span: end,
                text: added,
            });
        }
        edits
    }

    fn edit(&self, range: Range<usize>, value: &str) -> Edit {
        // An empty value stands behind the blank or the colon before it.
        let is_blank = range.is_empty();
        let before = range.start.saturating_sub(usize::from(is_blank))..range.end;
        let kept = self.shown.text.get(before.clone()).filter(|_| is_blank);
        let blank = if kept == Some(":") { " " } else { "" };
        Edit {
            span: self.shown.part(self.span, before).0,
            text: format!("{}{blank}{value}", kept.unwrap_or_default()),
        }
    }

    fn value(&self, field: &str) -> Option<&str> {
        self.shown.text.get(self.range(field)?)
    }

    /// Finds the value of a field without the blanks around it.
    fn range(&self, field: &str) -> Option<Range<usize>> {
        let mut at = 0;
        for line in self.shown.text.split('\n') {
            let start = at;
            at += line.len() + 1;
            let Some((name, value)) = line.split_once(':') else {
                continue;
            };
            if name.trim().eq_ignore_ascii_case(field) {
                let start = start + name.len() + 1 + (value.len() - value.trim_start().len());
                return Some(start..start + value.trim().len());
            }
        }
        None
    }

    /// Finds the place of a character set that was never chosen. One that was is the encoding's
    /// affair.
    fn open_charset(&self) -> Option<Range<usize>> {
        let range = self.range("Content-Type")?;
        let value = self.shown.text.get(range.clone())?;
        let at = value.find("charset=")? + "charset=".len();
        let is_open = matches!(value.get(at..)?.trim_end(), "CHARSET" | "");
        is_open.then_some(range.start + at..range.end)
    }
}

/// Makes a header for a file that has none.
pub(super) fn fresh(target: &LanguageTag, line_end: &str) -> String {
    let mut lines = vec![
        "msgid \"\"".to_owned(),
        "msgstr \"\"".to_owned(),
        format!("\"Language: {}\\n\"", gettext_name(target)),
        "\"MIME-Version: 1.0\\n\"".to_owned(),
        "\"Content-Type: text/plain; charset=UTF-8\\n\"".to_owned(),
        "\"Content-Transfer-Encoding: 8bit\\n\"".to_owned(),
    ];
    lines.extend(rule(target).map(|rule| format!("\"Plural-Forms: {rule}\\n\"")));
    lines.extend([String::new(), String::new()]);
    lines.join(line_end)
}

/// Tells whether a name stands for the target as closely as the target itself says it.
fn names(language: &str, target: &LanguageTag) -> bool {
    let plain = language.split('@').next().unwrap_or_default();
    let Ok(known) = LanguageTag::parse(plain) else {
        return false;
    };
    known == *target || language == gettext_name(target) || target.as_str() == known.primary()
}

/// Writes a tag as gettext names languages: `pt_BR`, `sr@latin`, `zh_TW`.
fn gettext_name(target: &LanguageTag) -> String {
    let mut subtags = target.as_str().split('-');
    let mut name = subtags.next().unwrap_or_default().to_owned();
    let mut script = "";
    let mut region = "";
    for subtag in subtags {
        match subtag.len() {
            4 => script = subtag,
            2 | 3 => region = subtag,
            _ => {}
        }
    }
    if let ("zh", "", "Hans") = (name.as_str(), region, script) {
        region = "CN";
    } else if let ("zh", "", "Hant") = (name.as_str(), region, script) {
        region = "TW";
    }
    if !region.is_empty() {
        name.push('_');
        name.push_str(region);
    }
    name.push_str(match script {
        "Latn" => "@latin",
        "Cyrl" => "@cyrillic",
        _ => "",
    });
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_named_as_gettext_does() {
        for (tag, expected) in [
            ("de", "de"),
            ("pt-BR", "pt_BR"),
            ("sr-Latn", "sr@latin"),
            ("zh-Hant", "zh_TW"),
            ("zh-Hant-HK", "zh_HK"),
            ("es-419", "es_419"),
        ] {
            assert_eq!(gettext_name(&LanguageTag::parse(tag).unwrap()), expected);
        }
        let names = |name: &str, tag: &str| names(name, &LanguageTag::parse(tag).unwrap());
        assert!(names("de_AT", "de") && names("pt_BR", "pt-BR") && names("sr@latin", "sr-Latn"));
        assert!(!names("pt", "pt-BR") && !names("", "de") && !names("fr", "de"));
    }
}
