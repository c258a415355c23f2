//! JSON as servers send it: with a byte-order mark, with half characters. Repairs nothing that could change
//! a text's quotes or backslashes.

use serde_json::{Deserializer, Value};

/// Reads one JSON value. What no text can hold or no database likes, half surrogates and U+0000, becomes
/// U+FFFD, which a reviewer sees.
pub(crate) fn parse(text: &str) -> Option<Value> {
    let mut values = values(text)?;
    values.pop().filter(|_| values.is_empty())
}

/// Reads JSON values that follow one another; `None` when anything else is between or behind them.
pub(crate) fn values(text: &str) -> Option<Vec<Value>> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let read = |text: &str| {
        let values = Deserializer::from_str(text).into_iter();
        values.collect::<Result<Vec<Value>, _>>().ok()
    };
    let mut values = read(text).or_else(|| read(&mend_surrogates(text)?))?;
    if text.contains("\\u0000") {
        values.iter_mut().for_each(mend_nul);
    }
    Some(values)
}

fn mend_nul(value: &mut Value) {
    match value {
        Value::String(text) if text.contains('\0') => *text = text.replace('\0', "\u{fffd}"),
        Value::Array(items) => items.iter_mut().for_each(mend_nul),
        Value::Object(fields) => fields.values_mut().for_each(mend_nul),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Replaces `\uD800` to `\uDFFF` escapes that have no partner; `None` when there are none.
fn mend_surrogates(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    let mut mended = false;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        out.push('\\');
        let unit = surrogate(after);
        let low = unit
            .and_then(|_| after.get(5..)?.strip_prefix('\\'))
            .and_then(surrogate);
        let taken = match (unit, low) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => after.get(..11),
            (Some(_), _) => {
                mended = true;
                out.push_str("ufffd");
                rest = after.get(5..)?;
                continue;
            }
            // The escaped character goes along, so that `\\u` is not taken for an escape.
            (None, _) => after.chars().next().and_then(|c| after.get(..c.len_utf8())),
        }
        .unwrap_or_default();
        out.push_str(taken);
        rest = after.get(taken.len()..)?;
    }
    out.push_str(rest);
    mended.then_some(out)
}

/// Reads `uD83D` at the start of what follows a backslash.
fn surrogate(after: &str) -> Option<u32> {
    let digits = after.strip_prefix('u')?.get(..4)?;
    u32::from_str_radix(digits, 16)
        .ok()
        .filter(|unit| (0xd800..=0xdfff).contains(unit))
}

/// Returns the text of a field, unless it is missing, no text or blank.
pub(crate) fn text<'a>(object: &'a Value, field: &str) -> Option<&'a str> {
    object
        .get(field)?
        .as_str()
        .filter(|text| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn half_characters_are_replaced_and_whole_ones_kept() {
        for (text, expected) in [
            (r#""a \ud83d b""#, json!("a \u{fffd} b")),
            (
                r#""\ude00\ud83d\ude00\ud83d""#,
                json!("\u{fffd}\u{1f600}\u{fffd}"),
            ),
            (
                r#""\ud83d\n\\ud83d \"x\" ""#,
                json!("\u{fffd}\n\\ud83d \"x\" "),
            ),
            (r#""\ud83d\ud83d\ude00""#, json!("\u{fffd}\u{1f600}")),
            ("\u{feff} {\"a\": 1}\n", json!({"a": 1})),
            (
                r#"{"a": ["\u0000x", "\\u0000"]}"#,
                json!({"a": ["\u{fffd}x", "\\u0000"]}),
            ),
        ] {
            assert_eq!(parse(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn nothing_else_is_repaired() {
        for text in [
            "",
            "{'a': 1}",
            "{\"a\": 1",
            "{\"a\": 1,}",
            "{\"a\": \"x\ny\"}",
            "{} {}",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn values_in_a_row_are_mended_as_one_is() {
        let read = values("{\"a\": \"\\ud83d\"}\n[1]");
        assert_eq!(read, Some(vec![json!({"a": "\u{fffd}"}), json!([1])]));
        assert_eq!(values("{} and {}"), None);
        assert_eq!(values(""), Some(Vec::new()));
    }
}
