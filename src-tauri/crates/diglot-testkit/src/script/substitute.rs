//! The substitutions of scripts. The project's root becomes nothing, since the product's paths are relative.

use std::time::{Duration, SystemTime};

use serde_json::Value;

const ROOT: &str = "{{ROOT}}";

/// Substitutes in one text: `{{ROOT}}/x` is `x`, `{{ROOT}}` alone `.`; `{{REPEAT:n:text}}`;
/// `{{HTTP_DATE+3s}}`, from now.
pub(super) fn text(text: &str) -> String {
    let text = text.replace("{{ROOT}}/", "").replace(ROOT, ".");
    let text = replace(&text, "{{REPEAT:", |inside| {
        let (count, piece) = inside.split_once(':')?;
        Some(piece.repeat(count.parse().ok()?))
    });
    replace(&text, "{{HTTP_DATE+", |inside| {
        let seconds = inside.strip_suffix('s')?.parse().ok()?;
        Some(httpdate::fmt_http_date(
            SystemTime::now() + Duration::from_secs(seconds),
        ))
    })
}

fn replace(text: &str, open: &str, with: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        out.push_str(before);
        let Some((inside, after)) = after.split_once("}}") else {
            out.push_str(open);
            rest = after;
            continue;
        };
        out.push_str(&with(inside).unwrap_or_else(|| format!("{open}{inside}}}}}")));
        rest = after;
    }
    out + rest
}

/// Substitutes in every text of a value.
pub(super) fn value(json: &Value) -> Value {
    match json {
        Value::String(string) => Value::String(text(string)),
        Value::Array(items) => items.iter().map(value).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, field)| (name.clone(), value(field)))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => json.clone(),
    }
}

/// Substitutes in the lines of an event stream; a root that is divided between two pieces of one text, one
/// at the end of a line's text and one at the start of the next line's, is found too.
pub(super) fn lines(lines: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = lines.iter().map(|line| text(line)).collect();
    let marker = "{{ROOT}}/";
    for place in 1..lines.len() {
        for cut in 1..marker.len() {
            let (head, tail) = marker.split_at(cut);
            let (head, tail) = (format!("{head}\""), format!("\"{tail}"));
            let Some([first, second]) = lines.get_mut(place - 1..=place) else {
                continue;
            };
            if first.contains(&head) && second.contains(&tail) {
                *first = first.replacen(&head, "\"", 1);
                *second = second.replacen(&tail, "\"", 1);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_substitutions_are_made() {
        for (given, expected) in [
            ("{{ROOT}}/doc.md", "doc.md"),
            ("{\"path\": \"{{ROOT}}\"}", "{\"path\": \".\"}"),
            ("a{{REPEAT:3:la }}b", "ala la la b"),
            (
                "{{OTHER}} {{REPEAT:x:y}} {{REPEAT:",
                "{{OTHER}} {{REPEAT:x:y}} {{REPEAT:",
            ),
            ("{{HTTP_DATE+3}}", "{{HTTP_DATE+3}}"),
        ] {
            assert_eq!(text(given), expected);
        }
        assert!(httpdate::parse_http_date(&text("{{HTTP_DATE+3s}}")).is_ok());
    }

    #[test]
    fn a_divided_root_is_found() {
        let given = ["{\"a\": \"x{{RO\"}", "{\"a\": \"OT}}/doc.md\"}"].map(str::to_owned);
        assert_eq!(lines(&given), ["{\"a\": \"x\"}", "{\"a\": \"doc.md\"}"]);
    }
}
