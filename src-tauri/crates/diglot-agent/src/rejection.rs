//! Why a person rejected a draft: by a short reason, in their words, and on which piece of it. Must not know who is told.

use serde::{Deserialize, Serialize};

/// Names what is wrong with a draft, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Fault {
    /// A term is not the one to use.
    Term,
    /// It says something else than the source.
    Meaning,
    /// Something of the source is missing.
    Omission,
    /// Something was added that the source does not say.
    Addition,
    /// It speaks to the wrong reader, or in the wrong tone.
    Register,
    /// It follows the words of the source and reads badly.
    TooLiteral,
    /// Numbers, punctuation or markup are set wrongly.
    Format,
}

impl Fault {
    /// Says the fault in a few words, for a model.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Term => "wrong term",
            Self::Meaning => "wrong meaning",
            Self::Omission => "something is missing",
            Self::Addition => "something was added",
            Self::Register => "wrong register or tone",
            Self::TooLiteral => "too literal",
            Self::Format => "wrong format, numbers or punctuation",
        }
    }
}

/// Names a piece of a draft by its text.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Marked {
    /// The piece as it stands in the draft; never empty.
    pub text: String,
    /// Which of the places where the draft has this text, from 1; places may overlap.
    pub occurrence: usize,
}

/// Says why a draft was rejected. Its own words may be empty where a fault is named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Rejection {
    /// The person's own words.
    pub reason: String,
    /// The fault in one word; since format 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The piece that is wrong; since format 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marked: Option<Marked>,
}

impl Rejection {
    /// Makes a rejection with the person's words alone.
    pub fn because(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            ..Self::default()
        }
    }

    /// Tells what is lacking or does not fit the draft.
    ///
    /// # Errors
    /// A sentence for the person.
    pub fn check(&self, draft: &str) -> Result<(), &'static str> {
        if self.fault.is_none() && self.reason.trim().is_empty() {
            return Err("a rejection needs a reason");
        }
        let Some(marked) = &self.marked else {
            return Ok(());
        };
        let is_there = !marked.text.trim().is_empty()
            && (1..=occurrences(draft, &marked.text)).contains(&marked.occurrence);
        is_there
            .then_some(())
            .ok_or("the marked text does not stand in the draft")
    }

    /// Says in plain words why the draft was rejected: `wrong term: “Datei” (the 2nd of 3). Use Ordner`.
    pub fn words(&self, draft: &str) -> String {
        let mut words = self.fault.map(Fault::words).unwrap_or_default().to_owned();
        if let Some(marked) = &self.marked {
            words.push_str(if words.is_empty() { "in " } else { ": " });
            words.push_str(&marked.quoted(draft));
        }
        let reason = self.reason.trim();
        if words.is_empty() {
            return reason.to_owned();
        }
        if !reason.is_empty() {
            words.push_str(if self.fault.is_some() { ". " } else { ": " });
            words.push_str(reason);
        }
        words
    }
}

impl Marked {
    fn quoted(&self, draft: &str) -> String {
        let n_places = occurrences(draft, &self.text);
        if n_places > 1 {
            let (text, occurrence) = (&self.text, self.occurrence);
            format!("“{text}” (place {occurrence} of {n_places})")
        } else {
            format!("“{}”", self.text)
        }
    }
}

/// Counts the places where a text stands in another, also those that overlap.
fn occurrences(text: &str, part: &str) -> usize {
    let starts = text.char_indices();
    let begins =
        |(at, _): &(usize, char)| text.get(*at..).is_some_and(|rest| rest.starts_with(part));
    starts.filter(begins).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str, occurrence: usize) -> Marked {
        Marked {
            text: text.to_owned(),
            occurrence,
        }
    }

    fn rejection(fault: Option<Fault>, marked: Option<Marked>, reason: &str) -> Rejection {
        Rejection {
            reason: reason.to_owned(),
            fault,
            marked,
        }
    }

    #[test]
    fn words_say_all_that_was_given() {
        let draft = "Die Datei in der Datei.";
        let said = |fault, marked, reason| rejection(fault, marked, reason).words(draft);
        let term = Some(Fault::Term);
        assert_eq!(said(None, None, " Use Ordner "), "Use Ordner");
        assert_eq!(said(term, None, ""), "wrong term");
        assert_eq!(
            said(term, Some(marked("Datei", 2)), "Use Ordner"),
            "wrong term: “Datei” (place 2 of 2). Use Ordner"
        );
        assert_eq!(
            said(None, Some(marked("in der", 1)), "odd"),
            "in “in der”: odd"
        );
    }

    #[test]
    fn a_rejection_has_a_reason_and_marks_what_is_there() {
        let check = |fault, marked| rejection(fault, marked, "").check("aaa b");
        assert!(check(None, None).is_err());
        assert!(check(None, Some(marked("b", 1))).is_err());
        let term = Some(Fault::Term);
        assert_eq!(check(term, None), Ok(()));
        assert_eq!(check(term, Some(marked("aa", 2))), Ok(()));
        for wrong in [
            Some(marked("aa", 3)),
            Some(marked("aa", 0)),
            Some(marked("", 1)),
            Some(marked("c", 1)),
        ] {
            assert!(check(term, wrong.clone()).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn older_entries_are_read() {
        let old: crate::Decision =
            serde_json::from_str(r#"{"kind":"reject","reason":"odd"}"#).unwrap();
        assert_eq!(old, crate::Decision::Reject(Rejection::because("odd")));
        let written = serde_json::to_string(&old).unwrap();
        assert_eq!(written, r#"{"kind":"reject","reason":"odd"}"#);
        let whole =
            crate::Decision::Reject(rejection(Some(Fault::TooLiteral), Some(marked("a", 1)), ""));
        let written = serde_json::to_string(&whole).unwrap();
        assert_eq!(
            serde_json::from_str::<crate::Decision>(&written).unwrap(),
            whole
        );
    }
}
