//! A model that behaves well: it does what the last message asks for, and marks its translations. Owns the only
//! place that knows how results name the next open unit.

use std::path::Path;

use serde_json::{Value, json};

use crate::reply::Reply;
use crate::server::Recorded;

/// Translates by putting the source between U+27E6 and U+27E7, so that a test can take the marks off again.
pub fn marked(source: &str) -> String {
    format!("\u{27e6}{source}\u{27e7}")
}

/// Knows where a well-behaved model starts.
#[derive(Debug, Clone, Default)]
pub struct Cooperation {
    /// The document to read first; without one the project is listed.
    pub document: Option<String>,
}

/// Names what a well-behaved model does next.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Next {
    List,
    Read {
        path: String,
        from_unit: Option<usize>,
    },
    Translate {
        path: String,
        unit: usize,
        source: String,
    },
    Finish,
}

impl Cooperation {
    /// Answers a request.
    pub fn reply(&self, request: &Recorded) -> Reply {
        let texts: Vec<&str> = request
            .messages()
            .iter()
            .filter(|message| is_told(message))
            .filter_map(|message| message.get("content")?.as_str())
            .collect();
        let is_missing = |path: &str| {
            let told = format!("`{path}` does not exist");
            texts.iter().any(|text| text.contains(&told))
        };
        let next = texts
            .iter()
            .rev()
            .filter_map(|text| read_next(text))
            .find(|next| !matches!(next, Next::Read { path, .. } if is_missing(path)));
        let call = match next.unwrap_or_else(|| self.start()) {
            Next::List => ("LS", json!({"path": "."})),
            Next::Read {
                path,
                from_unit: None,
            } => ("Read", json!({"file_id": path})),
            Next::Read { path, from_unit } => {
                ("Read", json!({"file_id": path, "from_unit": from_unit}))
            }
            Next::Translate { path, unit, source } => (
                "Translate",
                json!({"file_id": path, "unit": unit, "translate_string": marked(&source)}),
            ),
            Next::Finish => return Reply::words("All units are proposed."),
        };
        if request.body.get("tools").is_some() {
            return Reply::calls(&[call]);
        }
        Reply::words(&json!({"name": call.0, "arguments": call.1}).to_string())
    }

    fn start(&self) -> Next {
        self.document.clone().map_or(Next::List, |path| Next::Read {
            path,
            from_unit: None,
        })
    }
}

fn is_told(message: &Value) -> bool {
    let role = message.get("role").and_then(Value::as_str);
    matches!(role, Some("user" | "tool"))
}

/// Reads what a message asks for, in the words of the product's tools; `None` when it asks for nothing.
fn read_next(text: &str) -> Option<Next> {
    if let Some((_, rest)) = text.rsplit_once("Next open unit: ") {
        return named_unit(rest);
    }
    if let Some((_, rest)) = text.rsplit_once("all Read with file_id \"") {
        let (path, _) = rest.split_once('"')?;
        return Some(Next::Read {
            path: path.to_owned(),
            from_unit: None,
        });
    }
    if text.contains("No other listed file is open.") {
        return Some(Next::Finish);
    }
    page(text).or_else(|| listing(text))
}

/// Reads `12 of guide/intro.md`, then the source between fences.
fn named_unit(rest: &str) -> Option<Next> {
    let (head, rest) = rest.split_once('\n')?;
    let (unit, path) = head.split_once(" of ")?;
    let (fence, rest) = rest.split_once('\n')?;
    let (source, _) = rest.split_once(&format!("\n{fence}"))?;
    let unit = unit.trim().parse().ok()?;
    Some(Next::Translate {
        path: path.trim().to_owned(),
        unit,
        source: source.to_owned(),
    })
}

/// Finds the first open unit of a page: `guide/intro.md: 3 units.`, then `[1 heading] text` and so on.
fn page(text: &str) -> Option<Next> {
    let lines: Vec<&str> = text.lines().collect();
    let is_head = |line: &&str| line.ends_with(" units.") || line.ends_with(" units");
    let start = lines
        .iter()
        .rposition(|line| is_head(line) && line.contains(": "))?;
    let (path, _) = lines.get(start)?.rsplit_once(": ")?;
    let mut found: Option<(usize, Vec<&str>)> = None;
    for line in lines.iter().skip(start + 1) {
        let head = unit_head(line);
        match (&mut found, head) {
            (Some(_), Some(_)) => break,
            (None, Some((unit, source))) if is_open(source) => {
                let source = source.strip_prefix("(rejected, to be translated anew) ");
                let source = source.unwrap_or(unit_head(line)?.1);
                found = Some((unit, vec![source]));
            }
            (None, _) => {}
            (Some((_, source)), None) => {
                if line.starts_with("Units ") && line.contains("call Read with from_unit") {
                    break;
                }
                source.push(line);
            }
        }
    }
    if let Some((unit, source)) = found {
        let source = source.join("\n").trim_end().to_owned();
        return Some(Next::Translate {
            path: path.to_owned(),
            unit,
            source,
        });
    }
    let (_, rest) = text.rsplit_once("call Read with from_unit ")?;
    let from_unit = rest.trim_end_matches(['.', '\n', ' ']).parse().ok();
    Some(Next::Read {
        path: path.to_owned(),
        from_unit,
    })
}

/// Reads `[12 list item] text`.
fn unit_head(line: &str) -> Option<(usize, &str)> {
    let (head, text) = line.strip_prefix('[')?.split_once("] ")?;
    let number = head.split(' ').next()?.parse().ok()?;
    Some((number, text))
}

fn is_open(source: &str) -> bool {
    !source.starts_with("(confirmed)") && !source.starts_with("(waits for the person)")
}

/// Finds the first document of a listing.
fn listing(text: &str) -> Option<Next> {
    let is_document = |word: &&str| {
        let kind = Path::new(word).extension().and_then(|kind| kind.to_str());
        kind.is_some_and(|kind| matches!(kind, "md" | "txt"))
    };
    let word = text
        .split_whitespace()
        .map(|word| word.trim_matches(['`', '"', ',', ':', '-']))
        .find(is_document)?;
    Some(Next::Read {
        path: word.to_owned(),
        from_unit: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translate(unit: usize, source: &str) -> Next {
        Next::Translate {
            path: "a b.md".into(),
            unit,
            source: source.into(),
        }
    }

    fn read(path: &str, from_unit: Option<usize>) -> Next {
        Next::Read {
            path: path.into(),
            from_unit,
        }
    }

    #[test]
    fn messages_of_the_product_are_understood() {
        let page = "a b.md: 3 units.\n[1 heading] (confirmed) One\n[2] Two\nlines\n[3] Three";
        let long = "a b.md: 40 units.\n[1] (confirmed) One\nUnits 2 to 40 follow: call Read with from_unit 2.";
        let rejected = "a b.md: 1 units.\n[1] (rejected, to be translated anew) One";
        for (text, expected) in [
            (
                "{}\nNext open unit: 2 of a b.md\n```\nTwo\n\nlines\n```",
                Some(translate(2, "Two\n\nlines")),
            ),
            (
                "Next open unit: 2 of a b.md\n````\na ``` b\n````",
                Some(translate(2, "a ``` b")),
            ),
            (page, Some(translate(2, "Two\nlines"))),
            (long, Some(read("a b.md", Some(2)))),
            (rejected, Some(translate(1, "One"))),
            (
                "No unit of a is left.\nCall Read with file_id \"b.md\".",
                Some(read("b.md", None)),
            ),
            (
                "No unit of a is left. No other listed file is open.",
                Some(Next::Finish),
            ),
            (
                "guide/intro.md  markdown, 12 bytes\nx.png  image",
                Some(read("guide/intro.md", None)),
            ),
            ("Translate into German.", None),
        ] {
            assert_eq!(read_next(text), expected, "{text}");
        }
    }
}
