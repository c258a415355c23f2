//! Between values and columns: enums by their stored name, counts, JSON.

use std::fmt::Display;

use diglot_document::{LanguagePair, LanguageTag};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::StoreError;

/// Returns the stored name of a value that serialises to a string.
pub(crate) fn name_of<T: Serialize>(value: &T) -> Result<String, StoreError> {
    let value = serde_json::to_value(value).map_err(StoreError::Encode)?;
    Ok(value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned))
}

/// Reads a stored name.
pub(crate) fn from_name<T: DeserializeOwned>(
    table: &'static str,
    name: String,
) -> Result<T, StoreError> {
    serde_json::from_value(Value::String(name)).map_err(|error| unreadable(table, &error))
}

/// Returns a value's stored JSON.
pub(crate) fn json_of<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(StoreError::Encode)
}

/// Reads stored JSON.
pub(crate) fn from_json<T: DeserializeOwned>(
    table: &'static str,
    text: &str,
) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| unreadable(table, &error))
}

/// Reads a stored pair of tags.
pub(crate) fn languages(
    table: &'static str,
    source: &str,
    target: &str,
) -> Result<LanguagePair, StoreError> {
    let tag = |text| LanguageTag::parse(text).map_err(|error| unreadable(table, &error));
    Ok(LanguagePair {
        source: tag(source)?,
        target: tag(target)?,
    })
}

/// Reports a row that cannot be read.
pub(crate) fn unreadable(table: &'static str, error: &dyn Display) -> StoreError {
    StoreError::UnreadableRow {
        table,
        detail: error.to_string(),
    }
}

/// Returns a count as SQLite holds it; none of ours comes near the bound.
pub(crate) fn int<N: TryInto<i64>>(n: N) -> i64 {
    n.try_into().unwrap_or(i64::MAX)
}

/// Returns a stored count; a negative one can only be damage and reads as zero.
pub(crate) fn count<N: TryFrom<i64> + Default>(n: i64) -> N {
    N::try_from(n).unwrap_or_default()
}
