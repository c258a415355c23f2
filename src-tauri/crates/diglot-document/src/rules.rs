//! What a person sets for the formats of a project: which are left out, and which keys, columns and
//! attributes hold text. Must not know where it is kept.

use serde::{Deserialize, Serialize};

use crate::Format;

/// Holds the rules of a project; the default leaves every choice to the formats.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Rules {
    /// Formats that are left out.
    pub off: Vec<Format>,
    /// Keys that hold no text, although they look like it; see [`Rules::key`].
    pub keys_out: Vec<String>,
    /// Keys that hold text, although they do not look like it; they win over `keys_out`.
    pub keys_in: Vec<String>,
    /// Columns of tables that hold text: their names in the first row, or their numbers from 1.
    pub columns: Vec<String>,
    /// Further attributes of tags that hold text.
    pub attributes: Vec<String>,
}

impl Rules {
    /// Tells whether the value at a path of keys is text: `None` when no rule speaks of it.
    ///
    /// A rule is a key (`title`), a path (`menu.title`) that the path ends with, or either with `*`
    /// for any one key or index (`menu.*.url`).
    pub fn key(&self, path: &[&str]) -> Option<bool> {
        let met = |rules: &[String]| rules.iter().any(|rule| ends_with(path, rule));
        if met(&self.keys_in) {
            Some(true)
        } else {
            met(&self.keys_out).then_some(false)
        }
    }
}

fn ends_with(path: &[&str], rule: &str) -> bool {
    let wanted: Vec<&str> = rule.split('.').map(str::trim).collect();
    let tail = path
        .len()
        .checked_sub(wanted.len())
        .and_then(|at| path.get(at..));
    let fits = |(key, want): (&&str, &&str)| *want == "*" || key == want;
    !rule.trim().is_empty() && tail.is_some_and(|tail| tail.iter().zip(&wanted).all(fits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_a_key_or_the_end_of_a_path() {
        let rules = Rules {
            keys_out: ["id", "menu.*.url", "*"].map(str::to_owned).into(),
            keys_in: vec!["page.id".to_owned()],
            ..Rules::default()
        };
        let none = Rules::default();
        for (path, expected) in [
            (vec!["page", "id"], Some(true)),
            (vec!["a", "id"], Some(false)),
            (vec!["menu", "0", "url"], Some(false)),
            (vec!["other"], Some(false)),
            (vec![], None),
        ] {
            assert_eq!(rules.key(&path), expected, "{path:?}");
            assert_eq!(none.key(&path), None);
        }
    }
}
