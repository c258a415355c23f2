//! TBX: version 2 (`martif`, as TBX-Basic, OmegaT and translate-toolkit have it) and version 3 (`tbx`, its data as attributes or
//! as elements). A file is walked once; what it is nested in is kept on a stack of our own.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use quick_xml::escape::escape;

use super::{FileTerm, FileTerms, RefusedTerm, TermFileError, TermRefusal, refusal, status};
use crate::format::xml::{Token, TokenKind, tokens, unescaped};
use crate::term::TermStatus;
use crate::{LanguagePair, LanguageTag, Span};

/// Names a version of TBX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TbxVersion {
    /// TBX-Basic of 2008: root `martif`.
    V2,
    /// ISO 30042:2019: root `tbx`.
    V3,
}

/// What is nested in an entry, and where its data belong.
#[derive(Default)]
struct Entry {
    id: String,
    line: usize,
    note: Vec<String>,
    definition: String,
    subject: String,
    languages: Vec<Language>,
}

#[derive(Default)]
struct Language {
    tag: String,
    note: Vec<String>,
    terms: Vec<Term>,
}

#[derive(Default)]
struct Term {
    text: String,
    status: String,
    note: Vec<String>,
}

/// The data that a text between tags is.
#[derive(Clone, PartialEq, Eq)]
enum Field {
    Term,
    Status,
    Note,
    Definition,
    Subject,
    /// One that terms have no place for, by its name.
    Other(String),
}

struct Walk<'t> {
    text: &'t str,
    entry: Option<Entry>,
    entries: Vec<Entry>,
    field: Option<(Field, usize, String)>,
    depth: usize,
    left_out: BTreeMap<String, usize>,
    /// Whether a language, and a term of it, is open: what stands behind it belongs to what is around it.
    in_language: bool,
    in_term: bool,
    line: usize,
    counted: usize,
}

pub(super) fn read(text: &str, languages: &LanguagePair) -> Result<FileTerms, TermFileError> {
    let mut walk = Walk {
        text,
        entry: None,
        entries: Vec::new(),
        field: None,
        depth: 0,
        left_out: BTreeMap::new(),
        in_language: false,
        in_term: false,
        line: 1,
        counted: 0,
    };
    for token in tokens(text, Span::new(0, text.len())) {
        walk.take(&token);
    }
    let mut read = FileTerms {
        left_out: walk.left_out.into_iter().collect(),
        ..FileTerms::default()
    };
    if walk.entries.is_empty() {
        return Err(TermFileError::NotTbx);
    }
    for entry in walk.entries {
        pair(&entry, languages, &mut read);
    }
    Ok(read)
}

impl Walk<'_> {
    fn take(&mut self, token: &Token) {
        match token.kind {
            TokenKind::Open => {
                self.open(token);
                self.depth += 1;
            }
            TokenKind::Empty => self.open(token),
            TokenKind::Close => {
                self.depth = self.depth.saturating_sub(1);
                self.close(token);
            }
            TokenKind::Text | TokenKind::CData => {
                let raw = token.span.of(self.text);
                if let Some((_, _, text)) = &mut self.field {
                    match raw.strip_prefix("<![CDATA[") {
                        Some(data) => text.push_str(data.trim_end_matches("]]>")),
                        None => text.push_str(&unescaped(raw)),
                    }
                }
            }
            TokenKind::Comment | TokenKind::Instruction | TokenKind::Doctype => {}
        }
    }

    fn open(&mut self, token: &Token) {
        let attribute = |name: &str| {
            let value = token.attribute(self.text, name);
            value.map_or_else(String::new, |span| {
                unescaped(span.of(self.text)).into_owned()
            })
        };
        let name = token.local_name(self.text);
        match name {
            "termEntry" | "conceptEntry" => {
                let start = token.span.start;
                let lines = self.text.get(self.counted..start).unwrap_or_default();
                self.line += lines.matches('\n').count();
                self.counted = start;
                self.entry = Some(Entry {
                    id: attribute("id"),
                    line: self.line,
                    ..Entry::default()
                });
            }
            "langSet" | "langSec" => {
                self.in_language = token.kind == TokenKind::Open;
                let tag = attribute("xml:lang");
                if let Some(entry) = &mut self.entry {
                    entry.languages.push(Language {
                        tag,
                        ..Language::default()
                    });
                }
            }
            "tig" | "ntig" | "termSec" => {
                self.in_term = token.kind == TokenKind::Open;
                if let Some(language) = self.language() {
                    language.terms.push(Term::default());
                }
            }
            _ if self.entry.is_none() || self.field.is_some() => {}
            _ => {
                let field = field(name, &attribute("type"));
                if let (Some(field), TokenKind::Open) = (field, token.kind) {
                    self.field = Some((field, self.depth, String::new()));
                }
            }
        }
    }

    fn close(&mut self, token: &Token) {
        let is_end = |(_, depth, _): &mut (Field, usize, String)| *depth == self.depth;
        if let Some((field, _, text)) = self.field.take_if(is_end) {
            self.keep(field, text.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        match token.local_name(self.text) {
            "termEntry" | "conceptEntry" => self.entries.extend(self.entry.take()),
            "langSet" | "langSec" => self.in_language = false,
            "tig" | "ntig" | "termSec" => self.in_term = false,
            _ => {}
        }
    }

    fn language(&mut self) -> Option<&mut Language> {
        self.entry.as_mut()?.languages.last_mut()
    }

    fn keep(&mut self, field: Field, text: String) {
        if text.is_empty() {
            return;
        }
        if let Field::Other(name) = field {
            *self.left_out.entry(name).or_default() += 1;
            return;
        }
        let (in_language, in_term) = (self.in_language, self.in_term);
        let Some(entry) = &mut self.entry else {
            return;
        };
        let (definition, subject) = (&mut entry.definition, &mut entry.subject);
        let language = entry.languages.last_mut();
        match field {
            Field::Definition if definition.is_empty() => *definition = text,
            Field::Subject if subject.is_empty() => *subject = text,
            Field::Definition | Field::Subject => {
                *self.left_out.entry("definition".to_owned()).or_default() += 1;
            }
            Field::Note => match language {
                Some(language) if in_language => match language.terms.last_mut() {
                    Some(term) if in_term => term.note.push(text),
                    Some(_) | None => language.note.push(text),
                },
                Some(_) | None => entry.note.push(text),
            },
            Field::Term | Field::Status => {
                if let Some(language) = language {
                    language.put(&field, text);
                }
            }
            Field::Other(_) => {}
        }
    }
}

impl Language {
    fn put(&mut self, field: &Field, text: String) {
        if self.terms.is_empty() {
            self.terms.push(Term::default());
        }
        let Some(term) = self.terms.last_mut() else {
            return;
        };
        if *field == Field::Status {
            term.status = text;
        } else {
            term.text = text;
        }
    }

    /// Tells whether the language is one that is asked for, in whatever region.
    fn is(&self, wanted: &LanguageTag) -> bool {
        let tag = LanguageTag::parse(&self.tag);
        let primary = self.tag.split(['-', '_']).next().unwrap_or_default();
        tag.is_ok_and(|tag| tag.primary() == wanted.primary())
            || primary.eq_ignore_ascii_case(wanted.primary())
    }
}

fn field(name: &str, kind: &str) -> Option<Field> {
    let by_kind = |kind: &str| match kind {
        "administrativeStatus" | "normativeAuthorization" => Field::Status,
        "definition" => Field::Definition,
        "subjectField" => Field::Subject,
        other => Field::Other(other.to_owned()),
    };
    Some(match name {
        "term" => Field::Term,
        "note" => Field::Note,
        "descrip" | "termNote" | "admin" | "xref" | "ref" => by_kind(kind),
        "administrativeStatus" | "normativeAuthorization" | "definition" | "subjectField" => {
            by_kind(name)
        }
        "partOfSpeech"
        | "grammaticalGender"
        | "grammaticalNumber"
        | "termType"
        | "context"
        | "source"
        | "customerSubset"
        | "projectSubset"
        | "termLocation"
        | "externalCrossReference"
        | "crossReference"
        | "xGraphic"
        | "transac"
        | "date" => Field::Other(name.to_owned()),
        _ => return None,
    })
}

/// Makes a term of each pair of a source and a target of an entry.
fn pair(entry: &Entry, languages: &LanguagePair, read: &mut FileTerms) {
    let of = |wanted: &LanguageTag| {
        let exact = |language: &&Language| {
            LanguageTag::parse(&language.tag).is_ok_and(|tag| tag == *wanted)
        };
        let any = |language: &&Language| language.is(wanted);
        let found: Vec<&Language> = entry.languages.iter().filter(exact).collect();
        if found.is_empty() {
            entry.languages.iter().filter(any).collect()
        } else {
            found
        }
    };
    let (sources, targets) = (of(&languages.source), of(&languages.target));
    let terms = |languages: &[&Language]| {
        languages
            .iter()
            .map(|found| found.terms.len())
            .sum::<usize>()
    };
    let mut refuse = |text: &str, reason| {
        read.refused.push(RefusedTerm {
            line: entry.line,
            text: text.to_owned(),
            reason,
        });
    };
    let first = |languages: &[&Language]| {
        let term = languages.iter().find_map(|language| language.terms.first());
        term.map_or_else(String::new, |term| term.text.clone())
    };
    if terms(&sources) == 0 {
        return refuse(&first(&targets), TermRefusal::NoSource);
    }
    if terms(&targets) == 0 {
        return refuse(&first(&sources), TermRefusal::NoTarget);
    }
    let mut taken = Vec::new();
    for (source_language, source) in each_term(&sources) {
        for (target_language, target) in each_term(&targets) {
            let known = status(&target.status);
            let reason = refusal(&source.text, &target.text, languages)
                .or_else(|| known.is_none().then_some(TermRefusal::UnknownStatus));
            if let Some(reason) = reason {
                refuse(&source.text, reason);
                continue;
            }
            let mut notes: Vec<&str> = Vec::new();
            let all = [
                &entry.note,
                &source_language.note,
                &source.note,
                &target_language.note,
                &target.note,
            ];
            for note in all.into_iter().flatten() {
                if !notes.contains(&note.as_str()) {
                    notes.push(note);
                }
            }
            taken.push(FileTerm {
                source: source.text.clone(),
                target: target.text.clone(),
                status: known.unwrap_or_default(),
                note: notes.join("\n"),
                definition: entry.definition.clone(),
                subject: entry.subject.clone(),
                concept: entry.id.clone(),
            });
        }
    }
    read.terms.extend(taken);
}

fn each_term<'l>(languages: &'l [&Language]) -> impl Iterator<Item = (&'l Language, &'l Term)> {
    let terms = |language: &'l &Language| language.terms.iter().map(move |term| (*language, term));
    languages.iter().flat_map(terms)
}

/// Writes terms as TBX, those of one concept in one entry where they are all pairs of its sources and targets.
pub fn write_tbx(terms: &[FileTerm], languages: &LanguagePair, version: TbxVersion) -> String {
    let names = Names::of(version);
    let mut out = names.head(&languages.source);
    let mut ids: BTreeSet<String> = BTreeSet::new();
    for (number, group) in groups(terms).into_iter().enumerate() {
        names.entry(&mut out, &id(&group, number, &mut ids), &group, languages);
    }
    out.push_str(names.tail);
    out
}

/// Puts terms together: those of a concept, else those of a source.
fn groups(terms: &[FileTerm]) -> Vec<Vec<&FileTerm>> {
    let mut by_concept: HashMap<&str, Vec<&FileTerm>> = HashMap::new();
    for term in terms.iter().filter(|term| !term.concept.is_empty()) {
        by_concept.entry(&term.concept).or_default().push(term);
    }
    by_concept.retain(|_, own| is_whole(own));
    let mut places: HashMap<(bool, &str), usize> = HashMap::new();
    let mut groups: Vec<Vec<&FileTerm>> = Vec::new();
    for term in terms {
        let is_grouped = by_concept.contains_key(term.concept.as_str());
        let key = if is_grouped {
            term.concept.as_str()
        } else {
            term.source.as_str()
        };
        let alike = |group: &Vec<&FileTerm>| {
            is_grouped
                || group.first().is_some_and(|first| {
                    first.definition == term.definition && first.subject == term.subject
                })
        };
        let known = places.get(&(is_grouped, key)).copied();
        let open = known.and_then(|at| groups.get_mut(at));
        if let Some(group) = open.filter(|group| alike(group)) {
            group.push(term);
        } else {
            places.insert((is_grouped, key), groups.len());
            groups.push(vec![term]);
        }
    }
    groups
}

/// Tells whether the terms of a concept are all pairs of its sources and targets, and say the same of each.
fn is_whole(terms: &[&FileTerm]) -> bool {
    let sources: BTreeSet<&str> = terms.iter().map(|term| term.source.as_str()).collect();
    let mut targets: BTreeMap<&str, &FileTerm> = BTreeMap::new();
    let says_same = terms.iter().all(|term| {
        let first = targets.entry(&term.target).or_insert(term);
        first.status == term.status
            && first.note == term.note
            && first.definition == term.definition
            && first.subject == term.subject
    });
    let is_one = |first: Option<&&FileTerm>| {
        first.is_none_or(|first| {
            terms
                .iter()
                .all(|term| term.definition == first.definition && term.subject == first.subject)
        })
    };
    says_same && is_one(terms.first()) && sources.len() * targets.len() == terms.len()
}

/// Returns an id that no entry has yet: that of the file it came from, where it can be one.
fn id(group: &[&FileTerm], number: usize, ids: &mut BTreeSet<String>) -> String {
    let is_name = |id: &&str| {
        id.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && id.chars().all(|c| c.is_alphanumeric() || "._-".contains(c))
    };
    let own = group.first().map(|term| term.concept.as_str());
    let own = own.filter(is_name).filter(|id| !ids.contains(*id));
    let mut id = own.map_or_else(|| format!("c{}", number + 1), str::to_owned);
    while !ids.insert(id.clone()) {
        id.push('_');
    }
    id
}

/// What a version calls its parts.
struct Names {
    version: TbxVersion,
    entry: &'static str,
    language: &'static str,
    term: &'static str,
    tail: &'static str,
}

impl Names {
    const fn of(version: TbxVersion) -> Self {
        match version {
            TbxVersion::V2 => Self {
                version,
                entry: "termEntry",
                language: "langSet",
                term: "tig",
                tail: "</body></text>\n</martif>\n",
            },
            TbxVersion::V3 => Self {
                version,
                entry: "conceptEntry",
                language: "langSec",
                term: "termSec",
                tail: "</body></text>\n</tbx>\n",
            },
        }
    }

    fn head(&self, language: &LanguageTag) -> String {
        let (root, header) = match self.version {
            TbxVersion::V2 => (
                format!("<martif type=\"TBX-Basic\" xml:lang=\"{language}\">"),
                "martifHeader",
            ),
            TbxVersion::V3 => (
                format!(
                    "<tbx xmlns=\"urn:iso:std:iso:30042:ed-2\" style=\"dca\" type=\"TBX-Basic\" xml:lang=\"{language}\">"
                ),
                "tbxHeader",
            ),
        };
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{root}\n<{header}><fileDesc><sourceDesc><p>Diglot</p></sourceDesc>\
             </fileDesc></{header}>\n<text><body>\n"
        )
    }

    fn entry(&self, out: &mut String, id: &str, group: &[&FileTerm], languages: &LanguagePair) {
        let Some(first) = group.first() else { return };
        let _ = writeln!(out, "<{} id=\"{}\">", self.entry, escape(id));
        for (kind, text) in [
            ("subjectField", &first.subject),
            ("definition", &first.definition),
        ] {
            if !text.is_empty() {
                let _ = writeln!(out, "  <descrip type=\"{kind}\">{}</descrip>", escape(text));
            }
        }
        let mut sources: Vec<&str> = Vec::new();
        let mut targets: Vec<&FileTerm> = Vec::new();
        for term in group {
            if !sources.contains(&term.source.as_str()) {
                sources.push(&term.source);
            }
            if !targets.iter().any(|known| known.target == term.target) {
                targets.push(term);
            }
        }
        // A program that knows one translation takes the first.
        targets.sort_by_key(|term| term.status);
        let open = |tag: &LanguageTag| format!("  <{} xml:lang=\"{tag}\">\n", self.language);
        let close = format!("  </{}>\n", self.language);
        out.push_str(&open(&languages.source));
        for source in sources {
            let _ = writeln!(
                out,
                "    <{0}><term>{1}</term></{0}>",
                self.term,
                escape(source)
            );
        }
        out.push_str(&close);
        out.push_str(&open(&languages.target));
        for target in targets {
            self.target(out, target);
        }
        out.push_str(&close);
        let _ = writeln!(out, "</{}>", self.entry);
    }

    fn target(&self, out: &mut String, term: &FileTerm) {
        let status = match term.status {
            TermStatus::Preferred => "preferredTerm-admn-sts",
            TermStatus::Admitted => "admittedTerm-admn-sts",
            TermStatus::Forbidden => "deprecatedTerm-admn-sts",
        };
        let mut line = format!(
            "<term>{}</term><termNote type=\"administrativeStatus\">{status}</termNote>",
            escape(&term.target)
        );
        for note in term.note.lines().filter(|note| !note.trim().is_empty()) {
            let _ = write!(line, "<note>{}</note>", escape(note));
        }
        let _ = writeln!(out, "    <{0}>{line}</{0}>", self.term);
    }
}
