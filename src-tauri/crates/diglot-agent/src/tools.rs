//! The tools, and what they have in common: their names, the reading of arguments, and the sentences on
//! what is open.

use serde_json::Value;

use crate::context::{Context, DocumentState};
use crate::message::{ToolArguments, ToolCall};
use crate::tool::Tool;
use crate::workspace::ProjectPath;

pub mod ask;
pub mod guide;
pub mod ls;
pub mod read;
pub mod translate;

/// Names of the tools that act on documents and people; what memory holds does not name them.
pub const NAMES: [&str; 4] = ["LS", "Read", "Translate", "Ask"];

/// Tells the tools apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ToolName {
    /// Lists a folder.
    Ls,
    /// Gives the units of a document.
    Read,
    /// Proposes the translation of one unit.
    Translate,
    /// Asks the person.
    Ask,
    /// Gives a guide of the person.
    Guide,
}

impl ToolName {
    /// Recognises a name as models write it, in any case.
    pub fn of(name: &str) -> Option<Self> {
        match name.trim().to_lowercase().as_str() {
            "ls" => Some(Self::Ls),
            "read" => Some(Self::Read),
            "translate" => Some(Self::Translate),
            "ask" => Some(Self::Ask),
            "guide" => Some(Self::Guide),
            _ => None,
        }
    }
}

/// Returns all tools, in the order in which a model is told of them: what is called most comes first, since
/// small models lean to the first.
pub fn all() -> Vec<Box<dyn Tool>> {
    vec![
        Box::new(translate::Translate),
        Box::new(read::Read),
        Box::new(ls::Ls),
        Box::new(ask::Ask),
        Box::new(guide::LoadGuide),
    ]
}

/// Reads the arguments of a call field by field, tolerant of other spellings, strict on meaning.
pub(crate) struct Fields<'a> {
    map: &'a serde_json::Map<String, Value>,
}

impl<'a> Fields<'a> {
    /// Takes the arguments apart.
    ///
    /// # Errors
    /// A sentence for the model when they are no object.
    pub(crate) fn of(call: &'a ToolCall) -> Result<Self, String> {
        match &call.arguments {
            ToolArguments::Parsed(Value::Object(map)) => Ok(Self { map }),
            ToolArguments::Parsed(_) => Err("The arguments must be one JSON object.".to_owned()),
            ToolArguments::Malformed(_) => Err(
                "The arguments are not valid JSON. Escape quotes and backslashes and send the call again."
                    .to_owned(),
            ),
        }
    }

    /// Finds a field by its name or one of its other spellings; null counts as missing.
    fn find(&self, names: &[&str]) -> Option<&'a Value> {
        names
            .iter()
            .find_map(|name| self.map.get(*name))
            .filter(|value| !value.is_null())
    }

    /// Returns a text field.
    ///
    /// # Errors
    /// A sentence for the model when it is there and no text.
    pub(crate) fn text(&self, names: &[&str]) -> Result<Option<&'a str>, String> {
        match self.find(names) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!(
                "The field {} must be a text.",
                names.first().unwrap_or(&"")
            )),
        }
    }

    /// Returns a text field that must be there.
    ///
    /// # Errors
    /// A sentence for the model when it is missing or no text.
    pub(crate) fn need(&self, names: &[&str]) -> Result<&'a str, String> {
        let missing = || {
            let has: Vec<&str> = self.map.keys().map(String::as_str).collect();
            let has = if has.is_empty() {
                "none".to_owned()
            } else {
                has.join(", ")
            };
            format!(
                "The field {} is missing. Fields given: {has}.",
                names.first().unwrap_or(&"")
            )
        };
        self.text(names)?.ok_or_else(missing)
    }

    /// Returns a whole number from 1, also when it came as text.
    ///
    /// # Errors
    /// A sentence for the model when it is there and no such number.
    pub(crate) fn number(&self, names: &[&str]) -> Result<Option<usize>, String> {
        let Some(value) = self.find(names) else {
            return Ok(None);
        };
        let number = match value {
            // A whole number may come as `3.0`: its text without the fraction is read.
            Value::Number(number) => {
                let text = number.to_string();
                text.strip_suffix(".0").unwrap_or(&text).parse().ok()
            }
            Value::String(text) => text.trim().trim_matches(['[', ']', '#']).parse().ok(),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        };
        let number = number.filter(|n: &usize| *n >= 1);
        number.map(Some).ok_or_else(|| {
            format!(
                "The field {} must be a whole number from 1.",
                names.first().unwrap_or(&"")
            )
        })
    }

    /// Returns a whole number where 0 means what missing means.
    ///
    /// # Errors
    /// A sentence for the model when it is there and no such number.
    pub(crate) fn count(&self, names: &[&str]) -> Result<Option<usize>, String> {
        let is_zero = self
            .find(names)
            .is_some_and(|value| value.as_u64() == Some(0));
        if is_zero {
            Ok(None)
        } else {
            self.number(names)
        }
    }

    /// Returns a list of texts; one text alone counts as a list.
    ///
    /// # Errors
    /// A sentence for the model when it is there and no such list.
    pub(crate) fn texts(&self, names: &[&str]) -> Result<Vec<String>, String> {
        let wrong = || {
            format!(
                "The field {} must be a list of texts.",
                names.first().unwrap_or(&"")
            )
        };
        match self.find(names) {
            None => Ok(Vec::new()),
            Some(Value::String(text)) => Ok(vec![text.clone()]),
            Some(Value::Array(values)) => values
                .iter()
                .map(|value| value.as_str().map(str::to_owned).ok_or_else(wrong))
                .collect(),
            Some(_) => Err(wrong()),
        }
    }

    /// Tells whether a field is true.
    pub(crate) fn is_true(&self, name: &str) -> bool {
        self.map.get(name) == Some(&Value::Bool(true))
    }
}

/// Spellings of the field that names a document (SPEC 10.16).
pub(crate) const FILE_ID: [&str; 5] = ["file_id", "fileId", "file_path", "filePath", "path"];

/// Names the next open unit of a document with its exact text, or says that none is left and where the
/// work goes on. Every answer about a draft ends with this.
pub(crate) fn next_open_text(context: &Context, path: &ProjectPath) -> String {
    next_text_with(context, path, 0)
}

/// Does the same for an answer that confirms units of which the context does not know yet.
pub(crate) fn next_text_with(context: &Context, path: &ProjectPath, n_confirming: usize) -> String {
    let next = context.document(path).and_then(DocumentState::next_open);
    next.map_or_else(
        || nothing_left(context, path, n_confirming),
        |ordinal| named_unit(context, path, ordinal),
    )
}

/// Names a unit as the one to translate next, with its exact text.
pub(crate) fn named_unit(context: &Context, path: &ProjectPath, ordinal: usize) -> String {
    let source = context
        .segment(path, ordinal)
        .map_or("", |segment| segment.source.as_str());
    let unit = ordinal + 1;
    format!(
        "Call Translate with file_id \"{path}\" and unit {unit}.\nNext open unit: {unit} of {path}\n{}",
        fenced(source)
    )
}

/// Puts text between fences that it does not contain.
pub(crate) fn fenced(text: &str) -> String {
    let mut fence = "```".to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    format!("{fence}\n{text}\n{fence}")
}

fn nothing_left(context: &Context, path: &ProjectPath, n_confirming: usize) -> String {
    let waiting = context
        .document(path)
        .is_some_and(|document| document.n_confirmed() + n_confirming < document.units().len());
    let here = if waiting {
        format!("No unit of {path} is open: the others are with the person.")
    } else {
        format!("No unit of {path} is left.")
    };
    let mut unfinished = context.unfinished().filter(|other| *other != path);
    match unfinished.next().or_else(|| context.unread().next()) {
        Some(other) => format!("{here}\nCall Read with file_id \"{other}\"."),
        None => format!("{here} No other listed file is open."),
    }
}
