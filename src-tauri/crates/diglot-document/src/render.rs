//! The way back: source bytes with unit spans replaced, and nothing else touched. What a target must
//! not contain at its place is the splice module's; how text becomes bytes, the encoding module's.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::document::{ByteEdit, Drawn, Sheet, Splice};
use crate::encoding::to_utf8;
use crate::format::rst::redraw;
use crate::segment::Setting;
use crate::splice::{escape_missing, fit};
use crate::{Document, Segment};

/// Reports characters of a target that the document's encoding cannot hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unit {ordinal} holds characters that {encoding} cannot: {characters}", ordinal = ordinal + 1)]
pub struct Unencodable {
    /// Unit that holds them, from 0.
    pub ordinal: usize,
    /// WHATWG name of the encoding.
    pub encoding: &'static str,
    /// The characters, each once.
    pub characters: String,
}

/// Says what becomes of characters that a file's encoding cannot hold. They are never replaced.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WhenMissing {
    /// They are refused.
    #[default]
    Refuse,
    /// They are written as the format's escapes, for instance `&#x20AC;`, where it has some.
    Escape,
    /// The whole file is written in UTF-8, and says so where it named another encoding.
    ConvertToUtf8,
}

/// Renders the target file: every segment that `target` answers is replaced, every other byte kept.
/// With no target the result is the source byte for byte; so it is with each target equal to its
/// source, unless the file holds both. A target of blanks alone counts as none. Blank lines of a
/// target are folded away where a unit is one block.
///
/// # Errors
/// [`Unencodable`] for the first unit whose text the encoding cannot hold.
pub fn render_target<'a>(
    document: &Document,
    target: impl Fn(usize) -> Option<&'a str>,
) -> Result<Vec<u8>, Unencodable> {
    render_target_with(document, WhenMissing::Refuse, target)
}

/// Renders the target file as [`render_target`] does; a person chose what becomes of characters that
/// its encoding cannot hold.
///
/// # Errors
/// [`Unencodable`] for the first unit whose text can be written in no such way.
pub fn render_target_with<'a>(
    document: &Document,
    when_missing: WhenMissing,
    target: impl Fn(usize) -> Option<&'a str>,
) -> Result<Vec<u8>, Unencodable> {
    let mut changes = changes(document, target);
    if changes.iter().all(Vec::is_empty) {
        return Ok(document.bytes.to_vec());
    }
    let mut members = Vec::new();
    for (sheet, changes) in document.sheets.iter().zip(&mut changes) {
        changes.extend(sheet.edits.iter().map(|edit| Change {
            bytes: &edit.bytes,
            text: Cow::Borrowed(&edit.text),
            unit: None,
        }));
        changes.sort_by_key(|change| (change.bytes.start, change.bytes.end));
        if !changes.is_empty() {
            members.push((
                sheet.member,
                written(document, sheet, changes, when_missing)?,
            ));
        }
    }
    Ok(document.format.assemble(&document.bytes, members))
}

/// Returns the characters of a unit's target that its file cannot hold; `None` when it holds all.
pub fn missing_characters(document: &Document, ordinal: usize, target: &str) -> Option<String> {
    let segment = document.segments.get(ordinal)?;
    let splice = document.splices.get(ordinal)?;
    let encoding = &document.sheets.get(splice.sheet)?.encoding;
    if escapes_by_itself(splice) {
        return None;
    }
    let fitted = fit(&document.text, segment, splice, target);
    encoding.missing_characters(&fitted)
}

/// Tells whether some unit of a document can hold any character by an escape of its format.
pub fn has_escapes(document: &Document) -> bool {
    let can_escape = |splice: &Splice| escape_missing(splice.setting, "\u{FFFD}", "\u{FFFD}");
    document
        .splices
        .iter()
        .any(|splice| can_escape(splice).is_some())
}

/// Stands for bytes of a sheet and what takes their place.
struct Change<'d> {
    bytes: &'d Range<usize>,
    text: Cow<'d, str>,
    /// The unit that it is of, and how that is written.
    unit: Option<(usize, &'d Splice)>,
}

/// Collects for each sheet what changes with its units.
fn changes<'d, 'a>(
    document: &'d Document,
    target: impl Fn(usize) -> Option<&'a str>,
) -> Vec<Vec<Change<'d>>> {
    let wanted = |segment: &Segment, splice: &Splice| {
        let text = target(segment.ordinal).filter(|text| !text.trim().is_empty());
        text.filter(|text| splice.is_bilingual || *text != segment.source)
    };
    let groups = Groups::new(document, |segment, splice| {
        wanted(segment, splice).is_some()
    });
    let mut changes: Vec<Vec<Change<'d>>> = document.sheets.iter().map(|_| Vec::new()).collect();
    let mut tables = Tables::default();
    for (segment, splice) in document.segments.iter().zip(&document.splices) {
        let Some(changes) = changes.get_mut(splice.sheet) else {
            continue;
        };
        let mut put = |bytes: &'d Range<usize>, text: Cow<'d, str>| {
            let unit = Some((segment.ordinal, splice));
            changes.push(Change { bytes, text, unit });
        };
        let Some(text) = wanted(segment, splice) else {
            if let Some(idle) = groups.idle(splice) {
                put(&splice.bytes, idle.into());
            }
            continue;
        };
        if let Some(table) = splice.table() {
            tables.take(table, segment, splice, text);
            continue;
        }
        if !splice.stands || segment.hints.suggestion.as_deref() != Some(text) {
            let fitted = fit(&document.text, segment, splice, text);
            put(&splice.bytes, fitted.into());
        }
        for edit in splice.edits().iter().chain(groups.edits(splice)) {
            put(&edit.bytes, edit.text.as_str().into());
        }
    }
    for (sheet, change) in tables.0.iter().filter_map(|cells| cells.change(document)) {
        if let Some(changes) = changes.get_mut(sheet) {
            changes.push(change);
        }
    }
    changes
}

/// Collects the targets of tables that are drawn anew.
#[derive(Default)]
struct Tables<'d, 'a>(Vec<Cells<'d, 'a>>);

/// The targets of one table, in document order.
struct Cells<'d, 'a> {
    table: &'d Drawn,
    targets: Vec<(&'d Segment, &'d Splice, &'a str)>,
}

impl<'d, 'a> Tables<'d, 'a> {
    fn take(&mut self, table: &'d Drawn, segment: &'d Segment, splice: &'d Splice, text: &'a str) {
        let target = (segment, splice, text);
        match self.0.last_mut() {
            Some(last) if last.table == table => last.targets.push(target),
            _ => self.0.push(Cells {
                table,
                targets: vec![target],
            }),
        }
    }
}

impl<'d> Cells<'d, '_> {
    /// Returns the sheet, and the table as it is drawn with the targets.
    fn change(&self, document: &'d Document) -> Option<(usize, Change<'d>)> {
        let targets: HashMap<usize, &str> = self
            .targets
            .iter()
            .map(|(segment, _, text)| (segment.span.start, *text))
            .collect();
        let target = |at: usize| targets.get(&at).copied();
        let text = redraw(&document.text, self.table.span, &target)?;
        // If its encoding cannot hold the table, then because of one of the targets.
        let is_missing = |(_, splice, text): &&(_, &Splice, &str)| {
            let sheet = document.sheets.get(splice.sheet);
            sheet.is_some_and(|sheet| sheet.encoding.missing_characters(text).is_some())
        };
        let mut targets = self.targets.iter();
        let (segment, splice, _) = targets.find(is_missing).or(self.targets.first())?;
        let change = Change {
            bytes: &self.table.bytes,
            text: text.into(),
            unit: Some((segment.ordinal, splice)),
        };
        Some((splice.sheet, change))
    }
}

/// Counts how many units of each group are confirmed.
struct Groups(HashMap<(usize, usize), usize>);

impl Groups {
    fn new(document: &Document, is_confirmed: impl Fn(&Segment, &Splice) -> bool) -> Self {
        let mut counts = HashMap::new();
        for (segment, splice) in document.segments.iter().zip(&document.splices) {
            if let Some(group) = splice.group().filter(|_| is_confirmed(segment, splice)) {
                *counts.entry((splice.sheet, group.id)).or_insert(0) += 1;
            }
        }
        Self(counts)
    }

    /// Returns what goes to the place of a unit that is not confirmed.
    fn idle<'d>(&self, splice: &'d Splice) -> Option<&'d str> {
        let group = splice.group()?;
        self.0.get(&(splice.sheet, group.id))?;
        group.idle.as_deref()
    }

    /// Returns what changes elsewhere, once all of the group are confirmed.
    fn edits<'d>(&self, splice: &'d Splice) -> &'d [ByteEdit] {
        let whole = splice.group().filter(|group| {
            let n_confirmed = self.0.get(&(splice.sheet, group.id));
            n_confirmed == Some(&group.size)
        });
        whole.map_or(&[], |group| group.edits.as_slice())
    }
}

fn escapes_by_itself(splice: &Splice) -> bool {
    matches!(splice.setting, Setting::Coded(notation) if notation.escapes_by_itself())
}

/// Returns the bytes of a sheet with its changes, which ascend.
fn written(
    document: &Document,
    sheet: &Sheet,
    changes: &[Change<'_>],
    when_missing: WhenMissing,
) -> Result<Vec<u8>, Unencodable> {
    let encoding = &sheet.encoding;
    let mut encoded = Vec::with_capacity(changes.len());
    for change in changes {
        // What a file says of itself is plain ASCII: a name of a language or an encoding.
        let bytes = match (encoding.encode(&change.text), change.unit) {
            (Ok(bytes), _) => bytes.into_owned(),
            (Err(_), None) => continue,
            (Err(characters), Some((ordinal, splice))) => {
                let escaped = match when_missing {
                    _ if escapes_by_itself(splice) => {
                        escape_missing(splice.setting, &change.text, &characters)
                    }
                    WhenMissing::Refuse => None,
                    WhenMissing::Escape => {
                        escape_missing(splice.setting, &change.text, &characters)
                    }
                    WhenMissing::ConvertToUtf8 => {
                        let texts = changes.iter().map(|change| (change.bytes, &*change.text));
                        if let Some(text) = encoding.join_text(&sheet.bytes, texts) {
                            return Ok(to_utf8(&text, document.format.utf8_mark()));
                        }
                        None
                    }
                };
                let bytes =
                    escaped.and_then(|text| Some(encoding.encode(&text).ok()?.into_owned()));
                bytes.ok_or(Unencodable {
                    ordinal,
                    encoding: encoding.name,
                    characters,
                })?
            }
        };
        encoded.push((change.bytes.clone(), bytes));
    }
    Ok(encoding.join(&sheet.bytes, &encoded))
}

#[cfg(test)]
mod tests;
