//! Translation sources of Qt Linguist: a unit for each message that is not finished, one for each
//! plural form of a numerus message. Must not know how a target is escaped.

use crate::format::bilingual::{Content, Element, Slot, Tokens, note, set, unset};
use crate::format::plural::Plural;
use crate::format::xml::{Token, TokenKind, tokens, unescaped};
use crate::format::{ReadOptions, Reading};
use crate::segment::{Edit, Group};
use crate::{LanguageTag, Span};

/// Languages whose forms Qt counts in another way than gettext (`numerus.cpp` of Qt Linguist).
const OWN_RULES: [(&str, &str); 7] = [
    ("br", "nplurals=2; plural=n>1"),
    (
        "cy",
        "nplurals=5; plural=n==0 ? 0 : n==1 ? 1 : n>=2 && n<=5 ? 2 : n==6 ? 3 : 4",
    ),
    ("fa", "nplurals=1; plural=0"),
    ("hu", "nplurals=1; plural=0"),
    ("mk", "nplurals=3; plural=n%10==1 ? 0 : n%10==2 ? 1 : 2"),
    ("tr", "nplurals=1; plural=0"),
    ("tt", "nplurals=1; plural=0"),
];

/// Tells whether the beginning of a file is that of a translation source; the ending is TypeScript's
/// as well.
pub(super) fn fits(head: &[u8]) -> bool {
    let holds = |mark: &[u8]| head.windows(mark.len()).any(|window| window == mark);
    holds(b"<!DOCTYPE TS") || holds(b"<TS ") || holds(b"<TS>")
}

/// Reads the messages that are not finished.
pub(super) fn read(text: &str, options: &ReadOptions<'_>) -> Reading {
    let tokens = tokens(text, Span::new(0, text.len()));
    let tokens = Tokens {
        text,
        tokens: &tokens,
    };
    let is_root = |token: &&Token| token.kind == TokenKind::Open && token.name(text) == "TS";
    let root = tokens.tokens.iter().find(is_root);
    let language = root.and_then(|root| tokens.attribute(root, "language"));
    let language = language.and_then(|name| LanguageTag::parse(name).ok());
    let is_named = |target: &LanguageTag| {
        let known = language.as_ref();
        known.is_some_and(|known| known == target || known.primary() == target.as_str())
    };
    let target = options.target.or(language.as_ref());
    let mut source = Source {
        tokens,
        plural: target.and_then(plural),
        is_in_target: options.target.is_none_or(is_named),
        context: String::new(),
        n_groups: 0,
        reading: Reading::default(),
    };
    source.walk();
    if let (Some(root), Some(target)) = (root, options.target.filter(|target| !is_named(target))) {
        let name = target.as_str().replace('-', "_");
        source.reading.edits = vec![set(text, root, "language", &name)];
    }
    source.reading
}

fn plural(target: &LanguageTag) -> Option<Plural> {
    let own = OWN_RULES.iter().find(|(tag, _)| *tag == target.primary());
    own.map_or_else(
        || Plural::of_language(target),
        |(_, rule)| Plural::of_rule(rule),
    )
}

struct Source<'t> {
    tokens: Tokens<'t>,
    plural: Option<Plural>,
    /// Whether the file was made for the target language, so that its plural forms are right.
    is_in_target: bool,
    /// Name of the context at hand.
    context: String,
    n_groups: usize,
    reading: Reading,
}

/// Holds the parts of a message.
#[derive(Default)]
struct Message {
    is_numerus: bool,
    source: Option<Element>,
    translation: Option<Element>,
    notes: Vec<String>,
    /// Where a translation belongs that the file lacks.
    behind: usize,
}

impl Source<'_> {
    fn walk(&mut self) {
        let tokens = self.tokens;
        let mut message: Option<Message> = None;
        let mut index = 0;
        while let Some(token) = tokens.get(index) {
            let name = token.name(tokens.text);
            let is_close = token.kind == TokenKind::Close;
            if name == "message" && is_close {
                if let Some(message) = message.take() {
                    self.take(&message);
                }
            } else if name == "message" {
                message = Some(Message {
                    is_numerus: tokens.attribute(&token, "numerus") == Some("yes"),
                    notes: vec![self.context.clone()],
                    ..Message::default()
                });
            } else if is_part(name) && !is_close {
                let Some((element, after)) = tokens.element(index, tokens.tokens.len()) else {
                    return;
                };
                match &mut message {
                    Some(message) => message.add(tokens, name, element),
                    None if name == "name" => self.context = said(tokens, &element),
                    None => {}
                }
                index = after;
                continue;
            }
            index += 1;
        }
    }

    fn take(&mut self, message: &Message) {
        let tokens = self.tokens;
        let source = message
            .source
            .as_ref()
            .and_then(|source| tokens.content(source));
        let translation = message.translation.as_ref();
        let attribute = |name: &str| tokens.attribute(&translation?.open, name);
        let state = attribute("type");
        let is_left =
            matches!(state, Some("vanished" | "obsolete")) || attribute("variants") == Some("yes");
        let Some(source) = source.filter(|_| !is_left) else {
            return;
        };
        let edits = translation.and_then(|element| unset(tokens.text, &element.open, "type"));
        let edits: Vec<Edit> = edits.into_iter().collect();
        if message.is_numerus {
            self.take_forms(message, &source, state.is_some(), edits);
            return;
        }
        let old = translation.and_then(|translation| tokens.content(translation));
        if old.is_some() && state.is_none() {
            self.reading.n_finished += 1;
            return;
        }
        let mut piece = self.slot(message).piece(&source, old);
        piece.hints.note = note(message.notes.iter().cloned());
        piece.edits = edits;
        self.reading.pieces.push(piece);
    }

    /// Takes the forms of a numerus message. It is unfinished as a whole, so it stays so until the
    /// last of its forms is confirmed.
    fn take_forms(&mut self, message: &Message, source: &Content, is_open: bool, edits: Vec<Edit>) {
        let tokens = self.tokens;
        let forms = self.forms(message);
        let plural = self.plural(forms.len());
        let targets: Vec<Option<&Element>> =
            (0..plural.n_forms()).map(|form| forms.get(form)).collect();
        let first_missing = forms.len().min(targets.len());
        let mut pieces = Vec::new();
        for (form, target) in targets.iter().enumerate() {
            let old = target.and_then(|target| tokens.content(target));
            if old.is_some() && !is_open {
                self.reading.n_finished += 1;
                continue;
            }
            let mut idle = None;
            let slot = if let Some(target) = target {
                Slot::of(tokens.text, target)
            } else {
                let is_last = form + 1 == targets.len();
                let whole = self.form_slot(message, forms.last());
                let whole = whole.part(form == first_missing, is_last);
                let slot = whole.within("<numerusform>", "</numerusform>");
                idle = slot.idle();
                slot
            };
            let mut piece = slot.piece(source, old);
            let notes = std::iter::once(plural.note(form)).chain(message.notes.iter().cloned());
            piece.hints.note = note(notes);
            pieces.push((piece, idle));
        }
        self.n_groups += 1;
        let size = pieces.len();
        let mut edits = edits;
        for (mut piece, idle) in pieces {
            piece.group = Some(Group {
                id: self.n_groups,
                size,
                idle,
                edits: std::mem::take(&mut edits),
            });
            self.reading.pieces.push(piece);
        }
    }

    /// Returns the forms that a message has in the file.
    fn forms(&self, message: &Message) -> Vec<Element> {
        let mut forms = Vec::new();
        let Some(content) = message
            .translation
            .as_ref()
            .map(|element| element.content.clone())
        else {
            return forms;
        };
        let mut index = content.start;
        while index < content.end {
            let is_form = |tag: &Token| {
                matches!(tag.kind, TokenKind::Open | TokenKind::Empty)
                    && tag.name(self.tokens.text) == "numerusform"
            };
            if !self.tokens.get(index).as_ref().is_some_and(is_form) {
                index += 1;
                continue;
            }
            let Some((form, after)) = self.tokens.element(index, content.end) else {
                break;
            };
            forms.push(form);
            index = after;
        }
        forms
    }

    /// Returns the plural forms of a message: those of the file, where it was made for the target
    /// language, else the language's.
    fn plural(&self, n_in_file: usize) -> Plural {
        let known = self.plural.clone();
        let fits =
            |plural: &Plural| !self.is_in_target || n_in_file == 0 || plural.n_forms() == n_in_file;
        let known = known.filter(fits);
        known.unwrap_or_else(|| Plural::unknown(n_in_file.max(1)))
    }

    /// Returns the place of a translation.
    fn slot(&self, message: &Message) -> Slot {
        match &message.translation {
            Some(translation) => Slot::of(self.tokens.text, translation),
            None => Slot::new(
                message.behind,
                "<translation>".to_owned(),
                "</translation>".to_owned(),
            ),
        }
    }

    /// Returns the place of forms that a message lacks.
    fn form_slot(&self, message: &Message, last: Option<&Element>) -> Slot {
        match last {
            Some(last) => Slot::new(last.end, String::new(), String::new()),
            None => self.slot(message),
        }
    }
}

impl Message {
    /// Takes a part of the message.
    fn add(&mut self, tokens: Tokens<'_>, name: &str, element: Element) {
        match name {
            "translation" => {
                self.translation = Some(element);
                return;
            }
            "comment" | "extracomment" | "translatorcomment" => {
                self.notes.push(said(tokens, &element));
            }
            "location" => {
                let attribute = |name: &str| tokens.attribute(&element.open, name);
                if let Some(file) = attribute("filename") {
                    let line = attribute("line").unwrap_or_default();
                    self.notes.push(format!("{file}:{line}"));
                }
            }
            _ => {}
        }
        self.behind = element.end;
        if name == "source" {
            self.source = Some(element);
        }
    }
}

/// Tells whether an element is read as one.
fn is_part(name: &str) -> bool {
    matches!(
        name,
        "name"
            | "source"
            | "translation"
            | "comment"
            | "extracomment"
            | "translatorcomment"
            | "location"
            | "oldsource"
            | "oldcomment"
    )
}

/// Returns what an element says, without references.
fn said(tokens: Tokens<'_>, element: &Element) -> String {
    unescaped(element.inner.of(tokens.text)).trim().to_owned()
}

#[cfg(test)]
mod tests;
