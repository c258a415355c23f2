//! The plural forms of a language: how many there are, and which numbers each stands for. Owns the
//! rules as gettext writes them; must not know where a format keeps its forms.

mod category;
mod entries;
mod expression;
mod languages;

pub(super) use category::{Category, Counting};
pub(super) use entries::{Entries, Entry, Evidence, blanks_before};

use crate::LanguageTag;

/// More forms than any language has are a mistake of the file.
const MOST_FORMS: usize = 8;
/// So many numbers are tried to learn what a form stands for.
const PROBE: u64 = 1000;
/// So many of them are named to the translator.
const NAMED: usize = 4;

/// Holds the plural forms of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Plural {
    /// For each form the first numbers that it stands for; empty where no rule is known.
    forms: Vec<Vec<u64>>,
}

impl Plural {
    /// Reads the value of a `Plural-Forms` field; `None` when it is not filled in or makes no sense.
    pub(super) fn of_rule(value: &str) -> Option<Self> {
        let field = |name: &str| {
            let mut parts = value.split(';');
            parts.find_map(|part| part.trim().strip_prefix(name)?.trim().strip_prefix('='))
        };
        let n_forms: usize = field("nplurals")?.trim().parse().ok()?;
        if !(1..=MOST_FORMS).contains(&n_forms) {
            return None;
        }
        let expression = field("plural")?;
        let mut forms = vec![Vec::new(); n_forms];
        for n in 0..=PROBE {
            let form = expression::value(expression, n)?;
            let numbers = forms.get_mut(usize::try_from(form).ok()?)?;
            if numbers.len() <= NAMED {
                numbers.push(n);
            }
        }
        Some(Self { forms })
    }

    /// Returns the forms of a language, if it is known.
    pub(super) fn of_language(target: &LanguageTag) -> Option<Self> {
        Self::of_rule(rule(target)?)
    }

    /// Makes forms of which only the count is known.
    pub(super) fn unknown(n_forms: usize) -> Self {
        Self {
            forms: vec![Vec::new(); n_forms],
        }
    }

    pub(super) fn n_forms(&self) -> usize {
        self.forms.len()
    }

    /// Tells whether a form is for the number one alone, so that its text need not say the number.
    pub(super) fn is_singular(&self, form: usize) -> bool {
        let numbers = self.forms.get(form);
        let unknown = self.n_forms() > 1 && form == 0;
        numbers.is_none_or(|numbers| *numbers == [1] || numbers.is_empty() && unknown)
    }

    /// Says which numbers a form is for, in English.
    pub(super) fn note(&self, form: usize) -> String {
        let numbers = self.forms.get(form).map(Vec::as_slice).unwrap_or_default();
        let named: Vec<String> = numbers.iter().take(NAMED).map(u64::to_string).collect();
        let head = format!("plural form {} of {}", form + 1, self.n_forms());
        match (named.is_empty(), numbers.len() > NAMED) {
            (true, _) => head,
            (false, true) => format!("{head}: {} …", named.join(", ")),
            (false, false) => format!("{head}: {}", named.join(", ")),
        }
    }
}

/// Returns a language's value for the `Plural-Forms` field.
pub(super) fn rule(target: &LanguageTag) -> Option<&'static str> {
    languages::rule(target.as_str()).or_else(|| languages::rule(target.primary()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_name_the_numbers_of_a_form() {
        let plural = |tag: &str| Plural::of_language(&LanguageTag::parse(tag).unwrap()).unwrap();
        let notes = |tag: &str| {
            let plural = plural(tag);
            (0..plural.n_forms())
                .map(|form| plural.note(form))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            notes("pl"),
            [
                "plural form 1 of 3: 1",
                "plural form 2 of 3: 2, 3, 4, 22 …",
                "plural form 3 of 3: 0, 5, 6, 7 …",
            ]
        );
        assert_eq!(notes("ja"), ["plural form 1 of 1: 0, 1, 2, 3 …"]);
        assert_eq!(notes("pt-BR")[0], "plural form 1 of 2: 0, 1");
        assert_eq!(notes("ar").len(), 6);
        assert!(plural("pt").is_singular(0) && !plural("pt-BR").is_singular(0));
        assert!(!plural("ru").is_singular(0) && !plural("zh").is_singular(0));
        assert!(Plural::unknown(2).is_singular(0) && !Plural::unknown(1).is_singular(0));
        assert_eq!(Plural::unknown(2).note(1), "plural form 2 of 2");
    }

    #[test]
    fn every_language_of_the_table_has_a_sound_rule() {
        for (tag, rule) in languages::all() {
            let plural = Plural::of_rule(rule).unwrap_or_else(|| panic!("{tag}: {rule}"));
            assert!(
                plural
                    .forms
                    .iter()
                    .all(|numbers| !numbers.is_empty() || tag == "br"),
                "{tag}"
            );
            assert_eq!(
                Plural::of_language(&LanguageTag::parse(tag).unwrap()),
                Some(plural)
            );
        }
    }

    #[test]
    fn a_rule_that_makes_no_sense_is_none() {
        for value in [
            "",
            "nplurals=INTEGER; plural=EXPRESSION;",
            "nplurals=2",
            "nplurals=0; plural=0",
            "nplurals=1000000000; plural=n",
            "nplurals=2; plural=n",
            "nplurals=2; plural=(n!=1",
            "nplurals=2; plural=n!=1)",
        ] {
            assert_eq!(Plural::of_rule(value), None, "{value}");
        }
    }
}
