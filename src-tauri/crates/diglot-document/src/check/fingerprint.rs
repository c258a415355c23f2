//! The identity of a finding, by which a person's "this is fine" is remembered for a text. It is
//! stored, so that its making must stay as it is.

use super::{Issue, IssueKind};

/// The offset and the prime of FNV-1a in 64 bits: simple, and the same on every system for ever.
const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

impl Issue {
    /// Returns 16 hexadecimal digits that stand for the kind with what is missing and what is too
    /// much. Equal for two findings of one text only if they say the same; severity and suggestion
    /// do not count, nor does where in the text it is.
    pub fn fingerprint(&self) -> String {
        let mut hash = OFFSET;
        let mut add = |text: &str| {
            // The byte after each text occurs in no text, so that the parts cannot run together.
            for byte in text.bytes().chain([0xFF]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(PRIME);
            }
        };
        add(name(self.kind));
        for texts in [&self.missing, &self.extra] {
            for text in texts {
                add(text);
            }
            add("");
        }
        format!("{hash:016x}")
    }
}

/// Names a kind; never to be changed, whatever the variant is called.
fn name(kind: IssueKind) -> &'static str {
    match kind {
        IssueKind::Placeholder => "placeholder",
        IssueKind::Protected => "protected",
        IssueKind::Markup => "markup",
        IssueKind::Number => "number",
        IssueKind::Echo => "echo",
        IssueKind::Language => "language",
        IssueKind::Commentary => "commentary",
        IssueKind::Reasoning => "reasoning",
        IssueKind::Refusal => "refusal",
        IssueKind::Truncated => "truncated",
        IssueKind::Repetition => "repetition",
        IssueKind::Length => "length",
        IssueKind::Term => "term",
        IssueKind::ForbiddenTerm => "forbiddenTerm",
        IssueKind::Brackets => "brackets",
        IssueKind::Ending => "ending",
        IssueKind::Spacing => "spacing",
        IssueKind::DoubledWord => "doubledWord",
        IssueKind::TooLong => "tooLong",
        IssueKind::SourceScript => "sourceScript",
        IssueKind::PluralForms => "pluralForms",
        IssueKind::Accelerator => "accelerator",
        IssueKind::NoDraft => "noDraft",
        IssueKind::Gap => "gap",
        IssueKind::Outdated => "outdated",
    }
}
