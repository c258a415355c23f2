//! What names say: which are left out, how they are ordered, when two are the same. Knows no disk.

use std::cmp::Ordering;

use unicode_normalization::UnicodeNormalization;

/// Folders that hold what programs fetched or built, by the names their tools give them.
const MADE_BY_PROGRAMS: &[&str] = &[
    "__pycache__",
    "bower_components",
    "build",
    "DerivedData",
    "dist",
    "jspm_packages",
    "node_modules",
    "Pods",
    "site-packages",
    "target",
    "vendor",
    "venv",
];

/// Tells whether the name alone leaves an entry out: hidden, the lock file of an open office document, or
/// a folder of fetched or built files.
pub(crate) fn is_left_out(name: &str, is_folder: bool) -> bool {
    let is_hidden = name.starts_with('.') || name.starts_with("~$");
    is_hidden || is_folder && MADE_BY_PROGRAMS.contains(&name)
}

/// Returns a name with its accents in one form: systems differ in how they store them.
pub(crate) fn composed(name: &str) -> String {
    name.nfc().collect()
}

/// Orders names as people do: numbers by value, letters in any case.
pub(crate) fn natural_order(left: &str, right: &str) -> Ordering {
    let (mut rest, mut other_rest) = (left, right);
    loop {
        let order = match (rest.chars().next(), other_rest.chars().next()) {
            (None, None) => return left.cmp(right),
            (None, Some(_)) => Ordering::Less,
            (Some(_), None) => Ordering::Greater,
            (Some(c), Some(other)) if c.is_ascii_digit() && other.is_ascii_digit() => {
                let (number, other_number);
                (number, rest) = split_number(rest);
                (other_number, other_rest) = split_number(other_rest);
                number
                    .len()
                    .cmp(&other_number.len())
                    .then_with(|| number.cmp(other_number))
            }
            (Some(c), Some(other)) => {
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
                other_rest = other_rest.get(other.len_utf8()..).unwrap_or_default();
                if c.is_ascii() && other.is_ascii() {
                    c.to_ascii_lowercase().cmp(&other.to_ascii_lowercase())
                } else {
                    c.to_lowercase().cmp(other.to_lowercase())
                }
            }
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// Splits the number at the start off, without its leading zeros.
fn split_number(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (number, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    (number.trim_start_matches('0'), rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_ordered_as_people_do() {
        let sorted = [
            "1.md",
            "2.md",
            "02.md",
            "10.md",
            "a.md",
            "Chapter 2.md",
            "chapter 10.md",
            "chapter.md",
            "z",
            "Ä.md",
            "第2章.md",
            "第10章.md",
        ];
        let mut names = sorted.to_vec();
        names.reverse();
        names.sort_by(|a, b| natural_order(a, b));
        let expected: Vec<_> = {
            let mut expected = sorted.to_vec();
            // Equal by value: the plain comparison decides, so the order is total.
            expected.swap(1, 2);
            expected
        };
        assert_eq!(names, expected);
    }

    #[test]
    fn long_numbers_do_not_overflow() {
        let (small, large) = (
            format!("{}8", "9".repeat(40)),
            format!("{}9", "9".repeat(40)),
        );
        assert_eq!(natural_order(&small, &large), Ordering::Less);
    }

    #[test]
    fn what_is_left_out() {
        assert!(is_left_out(".env.md", false) && is_left_out(".git", true));
        assert!(is_left_out("target", true) && !is_left_out("target", false));
        assert!(!is_left_out("docs", true) && !is_left_out("rebuild", true));
    }
}
