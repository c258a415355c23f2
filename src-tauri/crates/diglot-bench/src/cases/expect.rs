//! `expect.md`: a title and lines of `- KEY: value`. Owns their grammar; must not know what a key demands.

use anyhow::{Context, Result};

/// Holds what a case expects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Expect {
    pub(crate) title: String,
    /// The whole text, for words that steer a check.
    pub(crate) text: String,
    /// Whether the round trip must keep every byte.
    pub(crate) round_trip: bool,
    pub(crate) n_units: Option<usize>,
    pub(crate) inside: Vec<String>,
    pub(crate) outside: Vec<String>,
    pub(crate) protect: Vec<String>,
    /// Warnings that the reviewer must see; an empty list means that the reviewer is not asked.
    pub(crate) flag: Option<Vec<String>>,
    pub(crate) requests: Vec<String>,
    /// Files under `out/`, relative to it.
    pub(crate) finals: Vec<String>,
    pub(crate) checks: Vec<String>,
}

impl Expect {
    /// Reads the text. Unknown keys are passed over, since they are for readers.
    pub(crate) fn read(text: &str) -> Result<Self> {
        let text = text.replace("\r\n", "\n");
        let mut expect = Self {
            text: text.clone(),
            ..Self::default()
        };
        for line in text.lines() {
            if let Some(title) = line.strip_prefix("# ") {
                title.trim().clone_into(&mut expect.title);
            }
            let line = line.trim_start();
            let Some((key, value)) = line
                .strip_prefix("- ")
                .and_then(|line| line.split_once(':'))
            else {
                continue;
            };
            expect
                .set(key.trim(), value.trim())
                .with_context(|| line.to_owned())?;
        }
        Ok(expect)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        match key {
            "RT" => self.round_trip = value.starts_with("yes"),
            "UNITS" => {
                let digits: String = value.chars().take_while(char::is_ascii_digit).collect();
                self.n_units = Some(digits.parse()?);
            }
            "INSIDE" => self.inside.extend(list(value)?),
            "OUTSIDE" => self.outside.extend(list(value)?),
            "PROTECT" => self.protect.extend(list(value)?),
            "FLAG" => self.flag.get_or_insert_default().extend(list(value)?),
            "REQ" => self.requests.push(value.to_owned()),
            "FINAL" => self.finals.extend(outputs(value)),
            "CHECK" => self.checks.push(value.to_owned()),
            _ => {}
        }
        Ok(())
    }
}

/// Reads the JSON array that a value starts with; words after it are for readers.
fn list(value: &str) -> Result<Vec<String>> {
    let mut values = serde_json::Deserializer::from_str(value).into_iter::<Vec<String>>();
    Ok(values.next().transpose()?.unwrap_or_default())
}

/// Reads the files that a value names, `out/` taken off.
fn outputs(value: &str) -> Vec<String> {
    let words = value.split_whitespace();
    let trim = |c: char| matches!(c, ',' | ';' | '.' | '(' | ')' | '`');
    words
        .filter_map(|word| {
            word.trim_matches(trim)
                .strip_prefix("out/")
                .map(str::to_owned)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_is_read() {
        let text = "# C900 A title\r\n- kind: any (thing)\n- RIGHT: as it should: be\n- RT: yes\n- UNITS: 3 in all\n\
            - INSIDE: [\"a: b\", \"c\"]\n- OUTSIDE: [\"\\\\d\"] always\n- FLAG: []\n- REQ: one\n- REQ: two\n\
            - FINAL: out/a b.md, out/c/d.md (byte-equal).\n- CHECK: prose\n- OTHER: x\n";
        let expect = Expect::read(text).unwrap();
        let expected = Expect {
            title: "C900 A title".into(),
            text: text.replace("\r\n", "\n"),
            round_trip: true,
            n_units: Some(3),
            inside: vec!["a: b".into(), "c".into()],
            outside: vec!["\\d".into()],
            protect: vec![],
            flag: Some(vec![]),
            requests: vec!["one".into(), "two".into()],
            finals: vec!["a".into(), "c/d.md".into()],
            checks: vec!["prose".into()],
        };
        assert_eq!(expect, expected);
    }

    #[test]
    fn a_broken_list_names_its_line() {
        let error = Expect::read("- INSIDE: [\"a\"").unwrap_err();
        assert_eq!(error.to_string(), "- INSIDE: [\"a\"");
        assert_eq!(Expect::read("").unwrap(), Expect::default());
    }
}
