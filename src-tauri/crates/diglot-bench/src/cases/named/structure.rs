//! Named checks of markup and packages: inline tags of XLIFF, parts of Word files, chapters of books.

use std::collections::BTreeMap;

use diglot_document::{CheckContext, IssueKind, check};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::{Line, unless};
use crate::roundtrip::members::{self, Member};

/// `output is well-formed, each unit's target has the same inline ids as the source`.
pub(super) fn inline_ids(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["target has the same inline ids"]) {
        return None;
    }
    let mut faults = Vec::new();
    for (path, text) in line.outputs() {
        match units(&text) {
            None => faults.push(format!("{path} is not well-formed")),
            Some(units) => faults.extend(units.into_iter().filter_map(|[source, target]| {
                let target = target.filter(|ids| Some(ids) != source.as_ref())?;
                Some(format!(
                    "{path}: a target has the ids {target:?}, its source {source:?}"
                ))
            })),
        }
    }
    Some(faults)
}

/// Lists the ids inside of each unit's source and of its target, sorted; a target without text is none.
fn units(text: &str) -> Option<Vec<[Option<Vec<String>>; 2]>> {
    let mut reader = Reader::from_str(text);
    let (mut units, mut side, mut has_text) = (Vec::new(), None, false);
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) => match tag.name().as_ref() {
                "trans-unit" | "segment" => units.push([None, None]),
                "source" => side = Some((0, Vec::new())),
                "target" => {
                    side = Some((1, Vec::new()));
                    has_text = false;
                }
                _ => note(&mut side, &tag),
            },
            Event::Empty(tag) => note(&mut side, &tag),
            Event::Text(_) | Event::GeneralRef(_) => has_text = true,
            Event::End(tag) if matches!(tag.name().as_ref(), "source" | "target") => {
                let (place, mut ids) = side.take()?;
                ids.sort();
                let slot = units.last_mut().and_then(|unit| unit.get_mut(place));
                *slot? = (place == 0 || has_text).then_some(ids);
            }
            Event::Eof => return Some(units),
            Event::End(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => {}
        }
    }
}

fn note(side: &mut Option<(usize, Vec<String>)>, tag: &BytesStart<'_>) {
    if let Some((_, ids)) = side
        && let Ok(Some(id)) = tag.try_get_attribute("id")
    {
        ids.push(id.value.into_owned());
    }
}

/// `a proposal without <x id="3"/> is flagged as markup`: or without the tag that stands for it.
pub(super) fn lost_tag(line: &Line<'_>) -> Option<Vec<String>> {
    let (_, rest) = line.text.split_once("a proposal without ")?;
    let (tag, _) = rest.split_once(" is flagged as markup")?;
    let languages = line.evidence.languages()?;
    let flags = line.evidence.documents.iter().flat_map(|seen| {
        let context = CheckContext::new(seen.document.format, &languages);
        let units = seen.view.units.iter();
        let shorter = units.filter_map(|unit| {
            let raw = unit.source.contains(tag).then(|| tag.to_owned());
            let numbered = unit
                .source_parts
                .iter()
                .find(|part| part.placeable.is_some() && part.text.ends_with("/>"));
            let tag = raw.or_else(|| Some(numbered?.text.clone()))?;
            let issues = check(&unit.source, &unit.source.replacen(&tag, "", 1), &context);
            Some(
                issues
                    .iter()
                    .any(|issue| matches!(issue.kind, IssueKind::Markup | IssueKind::Placeholder)),
            )
        });
        shorter.collect::<Vec<bool>>()
    });
    let flags: Vec<bool> = flags.collect();
    let holds = !flags.is_empty() && flags.iter().all(|flag| *flag);
    Some(unless(holds, format!("losing {tag} is not flagged")))
}

/// `no unit is 'man' or 'ual' or 'is' alone … keeps bold … and the link target rId9`.
pub(super) fn whole_words(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["no unit is '", "alone"]) {
        return None;
    }
    let words = line.quoted();
    let units = line
        .evidence
        .documents
        .iter()
        .flat_map(|seen| &seen.view.units);
    let torn = units.filter(|unit| words.iter().any(|word| *word == unit.source.trim()));
    let mut faults: Vec<String> = torn
        .map(|unit| format!("{:?} is a unit", unit.source))
        .collect();
    if line.says(&["keeps bold", "rid9"]) {
        for (path, before, after) in packages(line) {
            let has = |members: &[Member], word: &str| text(members).contains(word);
            let lost = ["<w:b/>", "rId9"]
                .into_iter()
                .filter(|word| has(&before, word) && !has(&after, word));
            faults.extend(lost.map(|word| format!("{path} lost {word}")));
        }
    }
    Some(faults)
}

/// `all zip members except word/document.xml are byte-equal after unpacking; the page field is intact`.
pub(super) fn other_members(line: &Line<'_>) -> Option<Vec<String>> {
    let (_, rest) = line.text.split_once("all zip members except ")?;
    let changed = rest.split_whitespace().next()?;
    let mut faults = Vec::new();
    for (path, before, after) in packages(line) {
        if before.len() != after.len() {
            faults.push(format!("{path} has other members"));
        }
        for (old, new) in before
            .iter()
            .zip(&after)
            .filter(|(old, _)| old.name != changed)
        {
            faults.extend(
                (old.content != new.content).then(|| format!("{path}: {} was changed", new.name)),
            );
        }
        let fields = |members: &[Member]| {
            ["fldSimple", "instrText", "fldChar"].map(|word| text(members).matches(word).count())
        };
        faults.extend(
            (fields(&before) != fields(&after)).then(|| format!("{path} has other fields")),
        );
    }
    Some(faults)
}

/// `output is a valid zip whose first member is the stored 'mimetype'; each xhtml is well-formed; dc:language is …`.
pub(super) fn book(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["first member is the stored 'mimetype'"]) {
        return None;
    }
    let mut faults = Vec::new();
    for (path, _, after) in packages(line) {
        let first = after
            .first()
            .is_some_and(|member| member.name == "mimetype" && member.is_stored());
        faults.extend((!first).then(|| format!("{path} does not begin with its kind")));
        let chapters = after.iter().filter(|member| member.name.ends_with("html"));
        let broken = chapters.filter(|member| elements(&member.content).is_none());
        faults.extend(broken.map(|member| format!("{path}: {} is not well-formed", member.name)));
        let wanted = format!("<dc:language>{}</dc:language>", line.evidence.language);
        faults.extend(
            (!text(&after).contains(&wanted)).then(|| format!("{path} does not say {wanted}")),
        );
    }
    Some(faults)
}

/// `count of a, sup, hr, ruby, img elements equal in input and output`.
pub(super) fn elements_kept(line: &Line<'_>) -> Option<Vec<String>> {
    let (_, rest) = line.text.split_once("count of ")?;
    let (list, _) = rest.split_once(" elements equal")?;
    let names: Vec<&str> = list.split(", ").collect();
    let count = |members: &[Member], name: &str| -> usize {
        let chapters = members
            .iter()
            .filter(|member| member.name.ends_with("html"));
        chapters
            .filter_map(|member| elements(&member.content)?.get(name).copied())
            .sum()
    };
    let mut faults = Vec::new();
    for (path, before, after) in packages(line) {
        let wrong = names
            .iter()
            .filter(|name| count(&before, name) != count(&after, name));
        faults.extend(wrong.map(|name| format!("{path} has another number of {name}")));
    }
    Some(faults)
}

/// Counts the elements of a well-formed text by name.
fn elements(xml: &[u8]) -> Option<BTreeMap<String, usize>> {
    let mut reader = Reader::from_str(std::str::from_utf8(xml).ok()?);
    let mut counts = BTreeMap::new();
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) | Event::Empty(tag) => {
                let name = tag.name().as_ref().to_owned();
                *counts.entry(name).or_default() += 1;
            }
            Event::Eof => return Some(counts),
            Event::End(_)
            | Event::Text(_)
            | Event::GeneralRef(_)
            | Event::CData(_)
            | Event::Comment(_)
            | Event::Decl(_)
            | Event::PI(_)
            | Event::DocType(_) => {}
        }
    }
}

/// Unpacks the sources and outputs that are packages.
fn packages<'a>(line: &'a Line<'_>) -> Vec<(&'a str, Vec<Member>, Vec<Member>)> {
    let outputs = line.evidence.outputs().iter();
    outputs
        .filter_map(|(path, after)| {
            let before = line.evidence.input.files.get(path)?;
            Some((
                path.as_str(),
                members::read(before).ok()?,
                members::read(after).ok()?,
            ))
        })
        .collect()
}

fn text(members: &[Member]) -> String {
    members
        .iter()
        .map(|member| String::from_utf8_lossy(&member.content))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_both_sides_are_found() {
        let text = "<x><trans-unit><source>A <g id=\"2\">b</g><x id=\"1\"/></source><target/></trans-unit>\
            <trans-unit><source>A<x id=\"3\"/></source><target>B<x id=\"4\"/></target></trans-unit></x>";
        let found = units(text).unwrap();
        let ids = |list: &[&str]| Some(list.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>());
        assert_eq!(
            found,
            [[ids(&["1", "2"]), None], [ids(&["3"]), ids(&["4"])]]
        );
        assert!(units("<a></b>").is_none());
    }

    #[test]
    fn elements_are_counted() {
        let counts = elements(b"<p><a/><b><a>x</a></b></p>").unwrap();
        assert_eq!((counts.get("a"), counts.get("p")), (Some(&2), Some(&1)));
        assert!(elements(b"<a></b>").is_none());
    }
}
