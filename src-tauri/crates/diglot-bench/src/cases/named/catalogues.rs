//! Named checks of catalogues: JSON, YAML and PO. Owns the little reading that they need, apart from the product's own.

use diglot_document::render_target;
use serde_json::Value;

use super::{Line, unless};

/// `keys and key order unchanged`, `keys and order unchanged`.
pub(super) fn keys_unchanged(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["keys and", "order unchanged"]) {
        return None;
    }
    let faults = json_pairs(line)
        .into_iter()
        .filter_map(|(path, before, after)| {
            let same = keys(&before) == keys(&after?);
            (!same).then(|| format!("{path} has other keys, or in another order"))
        });
    Some(faults.chain(unparsed(line)).collect())
}

/// `the key sequence of the output is z, 10, 2, a, e.`
pub(super) fn key_sequence(line: &Line<'_>) -> Option<Vec<String>> {
    let (_, list) = line.text.split_once("key sequence of the output is ")?;
    let wanted: Vec<&str> = list.trim_end_matches('.').split(", ").collect();
    let faults = json_pairs(line).into_iter().filter_map(|(path, _, after)| {
        let found: Vec<String> = after?.as_object()?.keys().cloned().collect();
        (found != wanted).then(|| format!("{path} has the keys {found:?}"))
    });
    Some(faults.chain(unparsed(line)).collect())
}

/// `json.loads(output)['shown'] == 'a "{{ b }}"'; ['two'] has exactly one newline`.
pub(super) fn json_values(line: &Line<'_>) -> Option<Vec<String>> {
    let (_, conditions) = line.text.split_once("json.loads(output)")?;
    let outputs: Vec<Value> = json_pairs(line)
        .into_iter()
        .filter_map(|(.., after)| after)
        .collect();
    let faults = conditions.split("; ").filter_map(|condition| {
        let (key, rest) = condition.trim().strip_prefix("['")?.split_once("']")?;
        let found = outputs.iter().find_map(|value| value.get(key)?.as_str());
        let holds = match rest.trim().trim_end_matches('.').strip_prefix("== '") {
            Some(literal) => {
                let wanted = literal.trim_end_matches('\'').replace("\\\\", "\\");
                found == Some(wanted.as_str())
            }
            None => found.is_some_and(|text| text.matches('\n').count() == 1),
        };
        (!holds).then(|| format!("['{key}'] is {found:?}"))
    });
    Some(faults.chain(unparsed(line)).collect())
}

/// `'move' contains {count} and {folder} once each`.
pub(super) fn contains_once(line: &Line<'_>) -> Option<Vec<String>> {
    let (before, rest) = line.text.split_once("' contains ")?;
    let (list, _) = rest.split_once(" once each")?;
    let key = before.rsplit('\'').next()?;
    let outputs = json_pairs(line).into_iter().filter_map(|(.., after)| after);
    let texts: Vec<String> = outputs
        .filter_map(|value| Some(value.get(key)?.as_str()?.to_owned()))
        .collect();
    let wrong = list
        .split(" and ")
        .filter(|word| !texts.iter().any(|text| text.matches(*word).count() == 1));
    Some(
        wrong
            .map(|word| format!("{word} is not in {texts:?} once"))
            .collect(),
    )
}

/// `yaml(answer) == 'No' as a string`: the value is written so that YAML reads a string.
pub(super) fn yaml_strings(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["yaml(", "as a string"]) {
        return None;
    }
    let outputs = line.outputs();
    let faults = line.text.split("yaml(").skip(1).filter_map(|condition| {
        let (key, rest) = condition.split_once(") == '")?;
        let (value, _) = rest.split_once('\'')?;
        let prefix = format!("{key}: ");
        let lines = outputs.iter().flat_map(|(_, text)| text.lines());
        let written = lines
            .into_iter()
            .find_map(|line| line.trim().strip_prefix(&prefix));
        let quoted = ['"', '\''].map(|quote| format!("{quote}{value}{quote}"));
        let holds =
            written.is_some_and(|written| quoted.iter().any(|quoted| quoted == written.trim_end()));
        (!holds).then(|| format!("{key} is written {written:?}"))
    });
    Some(faults.collect())
}

/// Parses the outputs that are JSON, each with its source.
fn json_pairs<'a>(line: &'a Line<'_>) -> Vec<(&'a str, Value, Option<Value>)> {
    let outputs = line.outputs().into_iter();
    outputs
        .filter_map(|(path, text)| {
            let source = line.evidence.input.files.get(path)?;
            let before = serde_json::from_slice(source).ok()?;
            Some((path, before, serde_json::from_str(&text).ok()))
        })
        .collect()
}

fn unparsed<'a>(line: &'a Line<'_>) -> impl Iterator<Item = String> + 'a {
    let pairs = json_pairs(line).into_iter();
    pairs
        .filter(|(.., after)| after.is_none())
        .map(|(path, ..)| format!("{path} does not parse"))
}

/// Lists keys in order, those of values within.
fn keys(value: &Value) -> Vec<String> {
    let Some(object) = value.as_object() else {
        return value
            .as_array()
            .into_iter()
            .flatten()
            .flat_map(keys)
            .collect();
    };
    object
        .iter()
        .flat_map(|(key, value)| std::iter::once(key.clone()).chain(keys(value)))
        .collect()
}

/// `the open entry has msgstr[0], [1], [2] non-empty … each form that shows a number keeps %d`.
pub(super) fn plural_forms(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["msgstr[0]", "non-empty"]) {
        return None;
    }
    let outputs = line.outputs();
    let forms = outputs
        .iter()
        .flat_map(|(_, text)| text.lines())
        .filter(|line| line.starts_with("msgstr["));
    let wrong = forms.filter(|line| !line.contains("%d"));
    Some(
        wrong
            .map(|line| format!("{line} is empty or lost %d"))
            .collect(),
    )
}

/// `bytes of the finished entry and of the header unchanged`, `bytes of entries that were not translated are
/// unchanged`.
pub(super) fn finished_entries(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["bytes of", "entr", "unchanged"]) {
        return None;
    }
    let outputs = line.outputs();
    let n_written = line.case.pairs.len();
    let faults = outputs.iter().filter_map(|(path, after)| {
        let seen = line
            .evidence
            .documents
            .iter()
            .find(|seen| seen.path == *path)?;
        let blocks = seen.document.text.split("\n\n").map(str::trim_end);
        let lost: Vec<&str> = blocks.filter(|block| !after.contains(block)).collect();
        // Where no list says what is translated, everything open is.
        let n_changed = if n_written == 0 {
            lost.iter().filter(|block| is_open(block)).count()
        } else {
            n_written
        };
        (lost.len() > n_changed).then(|| format!("{path} has other entries: {lost:?}"))
    });
    Some(faults.collect())
}

fn is_open(block: &str) -> bool {
    block.contains("fuzzy")
        || block
            .lines()
            .any(|line| line.starts_with("msgstr") && line.ends_with(" \"\""))
}

/// `after approval the entry has no 'fuzzy' and no #| line, still has '#, c-format' and its #: reference`.
pub(super) fn fuzzy_gone(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["no 'fuzzy' and no #|"]) {
        return None;
    }
    let outputs = line.outputs();
    let holds = outputs.iter().all(|(path, after)| {
        let before = line
            .evidence
            .documents
            .iter()
            .find(|seen| seen.path == *path);
        let references = |text: &str| text.matches("#: ").count();
        let kept = before.is_some_and(|seen| references(&seen.document.text) == references(after));
        kept && !after.contains("fuzzy") && !after.contains("#|") && after.contains("#, c-format")
    });
    Some(unless(
        holds && !outputs.is_empty(),
        "an approved entry keeps the marks of a fuzzy one, or lost others",
    ))
}

/// `a fuzzy entry that was not reviewed stays fuzzy`: when only the first is confirmed.
pub(super) fn fuzzy_stays(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["not reviewed stays fuzzy"]) {
        return None;
    }
    let count = |text: &str| text.matches("fuzzy").count();
    let wrong = line.evidence.documents.iter().filter(|seen| {
        let output = render_target(&seen.document, |ordinal| {
            (ordinal == 0).then_some("Ein Ziel")
        });
        let text = output
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
            .unwrap_or_default();
        count(&text) + 1 != count(&seen.document.text)
    });
    Some(
        wrong
            .map(|seen| format!("{}: confirming one entry changes another", seen.path))
            .collect(),
    )
}

/// `entries without blank lines between them are read apart`.
pub(super) fn read_apart(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["without blank lines", "read apart"]) {
        return None;
    }
    let wrong = line
        .evidence
        .documents
        .iter()
        .filter(|seen| seen.view.n_units != seen.document.text.matches(", fuzzy").count());
    Some(
        wrong
            .map(|seen| format!("{} has {} units", seen.path, seen.view.n_units))
            .collect(),
    )
}

/// `begins/ends-with-newline agrees for every pair; ' Falsch' keeps its blank`.
pub(super) fn edges(line: &Line<'_>) -> Option<Vec<String>> {
    if !line.says(&["begins/ends-with-newline agrees"]) {
        return None;
    }
    let outputs = line.outputs();
    let entries: Vec<(String, String)> = outputs
        .iter()
        .flat_map(|(_, text)| po_pairs(text))
        .collect();
    let differ = |id: &str, target: &str| {
        let edge = |text: &str| {
            (
                text.starts_with("\\n"),
                text.ends_with("\\n"),
                text.starts_with(' '),
                text.ends_with(' '),
            )
        };
        !id.is_empty() && !target.is_empty() && edge(id) != edge(target)
    };
    let wrong = entries.iter().filter(|(id, target)| differ(id, target));
    let mut faults: Vec<String> = wrong
        .map(|(id, target)| format!("{target:?} has other edges than {id:?}"))
        .collect();
    let missing = line
        .quoted()
        .into_iter()
        .filter(|text| !entries.iter().any(|(_, target)| target == text));
    faults.extend(missing.map(|text| format!("{text:?} is no target")));
    Some(faults)
}

/// Reads sources and targets as they are written, strings of several lines joined.
fn po_pairs(text: &str) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    let mut is_target = false;
    for line in text.lines() {
        let Some((word, string)) = line.split_once('"') else {
            continue;
        };
        match word.trim() {
            "msgid" => {
                pairs.push(Default::default());
                is_target = false;
            }
            "msgstr" => is_target = true,
            _ => {}
        }
        if let Some((id, target)) = pairs.last_mut() {
            let side = if is_target { target } else { id };
            side.push_str(string.strip_suffix('"').unwrap_or(string));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_of_several_lines_are_one() {
        let text = "msgid \"\"\n\"a \"\n\"b\\n\"\nmsgstr \" c\"\n";
        assert_eq!(po_pairs(text), [("a b\\n".to_owned(), " c".to_owned())]);
    }

    #[test]
    fn keys_are_listed_in_order() {
        let value = serde_json::json!({"z": [{"b": 1}], "a": {"c": 2}});
        assert_eq!(keys(&value), ["z", "b", "a", "c"]);
    }
}
