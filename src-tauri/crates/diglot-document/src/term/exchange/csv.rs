//! CSV: a line a term, the columns named by the first line. Knows the names that other programs give them.

use ::csv::{ReaderBuilder, StringRecord, WriterBuilder};

use super::{FileTerm, FileTerms, RefusedTerm, TermFileError, TermRefusal, refusal, status};
use crate::LanguagePair;
use crate::term::TermStatus;

const SOURCE: &[&str] = &["source", "source term", "src", "term"];
const TARGET: &[&str] = &["target", "target term", "trg", "tgt", "translation"];
const STATUS: &[&str] = &["status", "usage"];
const NOTE: &[&str] = &["note", "notes", "comment", "comments", "description"];
const DEFINITION: &[&str] = &["definition"];
const SUBJECT: &[&str] = &["subject", "domain", "subject field"];
const CONCEPT: &[&str] = &["concept", "entry", "id"];

/// Columns by their place.
struct Columns {
    source: usize,
    target: usize,
    status: Option<usize>,
    note: Option<usize>,
    definition: Option<usize>,
    subject: Option<usize>,
    concept: Option<usize>,
}

impl Columns {
    fn of(head: &StringRecord, languages: &LanguagePair) -> Option<Self> {
        let names: Vec<String> = head
            .iter()
            .map(|name| name.trim().to_lowercase().replace('_', "-"))
            .collect();
        let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        let of_language = |tag: &crate::LanguageTag| {
            let whole = tag.as_str().to_lowercase();
            let place = |wanted: &str| names.iter().position(|name| name == wanted);
            place(&whole).or_else(|| place(tag.primary()))
        };
        Some(Self {
            source: find(SOURCE).or_else(|| of_language(&languages.source))?,
            target: find(TARGET).or_else(|| of_language(&languages.target))?,
            status: find(STATUS),
            note: find(NOTE),
            definition: find(DEFINITION),
            subject: find(SUBJECT),
            concept: find(CONCEPT),
        })
    }

    /// Returns the columns of a file that names none: source, target and a note, as OmegaT has them.
    const fn bare() -> Self {
        Self {
            source: 0,
            target: 1,
            status: None,
            note: Some(2),
            definition: None,
            subject: None,
            concept: None,
        }
    }

    fn known(&self) -> Vec<usize> {
        let rest = [
            self.status,
            self.note,
            self.definition,
            self.subject,
            self.concept,
        ];
        let rest = rest.into_iter().flatten();
        rest.chain([self.source, self.target]).collect()
    }
}

pub(super) fn read(text: &str, languages: &LanguagePair) -> Result<FileTerms, TermFileError> {
    let (n_remarks, text) = without_remarks(text);
    let mut read = read_lines(text, languages)?;
    for refused in &mut read.refused {
        refused.line += n_remarks;
    }
    Ok(read)
}

/// Takes off the lines with which OmegaT heads a glossary of its own, and counts them.
fn without_remarks(text: &str) -> (usize, &str) {
    let mut n = 0;
    let mut rest = text;
    while let Some((_, after)) = rest
        .split_once('\n')
        .filter(|(line, _)| line.starts_with('#') && !line.contains(['\t', ',', ';']))
    {
        n += 1;
        rest = after;
    }
    (n, rest)
}

fn read_lines(text: &str, languages: &LanguagePair) -> Result<FileTerms, TermFileError> {
    let delimiter = delimiter(text);
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut records = reader.records().filter_map(Result::ok);
    let Some(head) = records.next() else {
        return Err(TermFileError::NoColumns);
    };
    let named = Columns::of(&head, languages);
    let mut read = FileTerms::default();
    let columns = match named {
        Some(columns) => {
            let known = columns.known();
            let others = head.iter().enumerate();
            let others = others.filter(|(place, name)| !known.contains(place) && !name.is_empty());
            read.left_out = others.map(|(_, name)| (name.to_owned(), 1)).collect();
            columns
        }
        // Glossaries without a head are parted by tabs; else any list would be one.
        None if delimiter == b'\t' && head.len() > 1 => {
            let columns = Columns::bare();
            take(&head, &columns, languages, &mut read);
            columns
        }
        None => return Err(TermFileError::NoColumns),
    };
    for record in records {
        take(&record, &columns, languages, &mut read);
    }
    Ok(read)
}

fn take(record: &StringRecord, columns: &Columns, languages: &LanguagePair, read: &mut FileTerms) {
    let field = |place: usize| record.get(place).unwrap_or_default().trim().to_owned();
    let other = |place: Option<usize>| place.map(field).unwrap_or_default();
    let line = record.position().map_or(0, ::csv::Position::line);
    let (source, target) = (field(columns.source), field(columns.target));
    if record.iter().all(|field| field.trim().is_empty()) {
        return;
    }
    let status = status(&other(columns.status));
    let reason = refusal(&source, &target, languages)
        .or_else(|| status.is_none().then_some(TermRefusal::UnknownStatus));
    if let Some(reason) = reason {
        read.refused.push(RefusedTerm {
            line: usize::try_from(line).unwrap_or(usize::MAX),
            text: if source.is_empty() { target } else { source },
            reason,
        });
        return;
    }
    read.terms.push(FileTerm {
        source,
        target,
        status: status.unwrap_or_default(),
        note: other(columns.note),
        definition: other(columns.definition),
        subject: other(columns.subject),
        concept: other(columns.concept),
    });
}

/// Tells what parts the columns, by the first line.
fn delimiter(text: &str) -> u8 {
    let line = text.lines().next().unwrap_or_default();
    let count = |c: char| line.matches(c).count();
    if line.contains('\t') {
        b'\t'
    } else if count(';') > count(',') {
        b';'
    } else {
        b','
    }
}

/// Writes terms as CSV, with the byte-order mark by which spreadsheets know UTF-8.
pub fn write_csv(terms: &[FileTerm]) -> Vec<u8> {
    let mut writer = WriterBuilder::new().from_writer("\u{FEFF}".as_bytes().to_vec());
    let head = [
        "source",
        "target",
        "status",
        "note",
        "definition",
        "subject",
        "concept",
    ];
    // Memory takes all that is written.
    let mut is_written = writer.write_record(head).is_ok();
    for term in terms {
        let status = match term.status {
            TermStatus::Preferred => "preferred",
            TermStatus::Admitted => "admitted",
            TermStatus::Forbidden => "forbidden",
        };
        let record = [
            term.source.as_str(),
            term.target.as_str(),
            status,
            term.note.as_str(),
            term.definition.as_str(),
            term.subject.as_str(),
            term.concept.as_str(),
        ];
        is_written &= writer.write_record(record).is_ok();
    }
    debug_assert!(is_written, "memory takes all that is written");
    writer.into_inner().unwrap_or_default()
}
