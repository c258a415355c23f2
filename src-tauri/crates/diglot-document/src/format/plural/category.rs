//! The plural categories of the languages, each with the numbers that it is for: those of the Unicode
//! CLDR 48. A language that is not listed is not known. Must not know where a format keeps its forms.

mod table;

use Category::{Few, Many, One, Other, Two, Zero};
use table::{CARDINALS, ORDINALS};

use crate::LanguageTag;

/// Names a set of numbers for which a language has a form of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::format) enum Category {
    Zero,
    One,
    Two,
    Few,
    Many,
    Other,
}

/// The names that formats have for the categories.
pub(super) const NAMES: [(&str, Category); 6] = [
    ("zero", Zero),
    ("one", One),
    ("two", Two),
    ("few", Few),
    ("many", Many),
    ("other", Other),
];

impl Category {
    /// Returns the category of a name, exactly as formats write it.
    pub(in crate::format) fn of(name: &str) -> Option<Self> {
        let found = NAMES.iter().find(|(known, _)| *known == name);
        found.map(|(_, category)| *category)
    }

    pub(in crate::format) fn name(self) -> &'static str {
        let found = NAMES.iter().find(|(_, category)| *category == self);
        found.map_or("other", |(name, _)| name)
    }
}

/// Says what is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::format) enum Counting {
    /// How many: 1, 2, 3.
    Cardinal,
    /// Which one: 1st, 2nd, 3rd.
    Ordinal,
}

/// The categories of a language in their order, each with its first numbers.
pub(super) type Categories = &'static [(Category, &'static str)];

/// Returns the categories of a language, if it is known.
pub(super) fn categories(target: &LanguageTag, counting: Counting) -> Option<Categories> {
    let table = match counting {
        Counting::Cardinal => CARDINALS,
        Counting::Ordinal => ORDINALS,
    };
    let find = |tag: &str| {
        let row = table.iter().find(|(_, tags)| tags.contains(&tag));
        row.map(|(categories, _)| *categories)
    };
    find(target.as_str()).or_else(|| find(target.primary()))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::languages;
    use super::table::{ANY, FRACTIONS, MILLIONS};
    use super::*;

    #[test]
    fn each_language_is_listed_once_with_categories_in_order() {
        for table in [CARDINALS, ORDINALS] {
            let mut tags = HashSet::new();
            for (categories, languages) in table {
                assert!(categories.is_sorted_by(|one, next| one.0 < next.0));
                assert_eq!(categories.last().map(|last| last.0), Some(Other));
                for tag in *languages {
                    assert!(LanguageTag::parse(tag).is_ok() && tags.insert(tag), "{tag}");
                }
            }
        }
    }

    #[test]
    fn whole_numbers_have_as_many_forms_as_in_gettext() {
        // What gettext counts otherwise.
        let differs = |tag: &str| ["br", "ga", "he", "mt"].contains(&tag);
        let mut n_compared = 0;
        for (tag, rule) in languages::all().filter(|(tag, _)| !differs(tag)) {
            let target = LanguageTag::parse(tag).unwrap();
            let Some(categories) = categories(&target, Counting::Cardinal) else {
                continue;
            };
            let is_counted = |numbers: &str| ![FRACTIONS, MILLIONS].contains(&numbers);
            let counted = categories.iter().filter(|(_, numbers)| is_counted(numbers));
            let n_forms = super::super::Plural::of_rule(rule).unwrap().n_forms();
            assert_eq!(counted.count(), n_forms, "{tag}");
            n_compared += 1;
        }
        assert!(n_compared > 80, "{n_compared}");
    }

    #[test]
    fn a_region_goes_before_its_language() {
        let one = |tag: &str, counting| {
            let found = categories(&LanguageTag::parse(tag).unwrap(), counting)?;
            found.first().copied()
        };
        assert_eq!(one("pt-PT", Counting::Cardinal), Some((One, "1")));
        assert_eq!(
            one("pt-BR", Counting::Cardinal),
            Some((One, "0, 1, 0.1–1.9"))
        );
        assert_eq!(one("zh-Hant-TW", Counting::Cardinal), Some((Other, ANY)));
        assert_eq!(one("de", Counting::Ordinal), Some((Other, ANY)));
        assert_eq!(one("tlh", Counting::Cardinal), None);
    }
}
