//! Finds the unit that a model means (SPEC 3). Never by similarity.

use unicode_normalization::UnicodeNormalization;

use crate::Segment;

/// Says which unit was meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// The unit at this ordinal, and it is the next one or passes over none.
    Found(usize),
    /// The unit at this ordinal, but an earlier open one was never proposed.
    Skip(usize),
}

/// Says why no unit could be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The unit at this ordinal is confirmed already.
    AlreadyConfirmed(usize),
    /// The unit at this ordinal has a draft that waits for a person.
    AlreadyProposed(usize),
    /// No unit has this number.
    NoSuchUnit,
    /// The quote stands in no open unit, or fits several equally well.
    NotFound,
    /// The quote is a part of the unit at this ordinal.
    Part(usize),
    /// The quote covers the unit at this ordinal and more.
    Several(usize),
    /// The number names the unit at this ordinal, and the quote is not its text.
    Mismatch(usize),
}

/// Gives what locating depends on, by ordinal.
pub trait UnitStates {
    /// Tells whether a person has confirmed it.
    fn is_confirmed(&self, ordinal: usize) -> bool;
    /// Tells whether it can be proposed now: neither confirmed nor proposed in an open call.
    fn is_open(&self, ordinal: usize) -> bool;
    /// Returns the first open unit, or `None` when none is left.
    fn next_open(&self) -> Option<usize>;
    /// Returns the first open unit that was never proposed and not set aside by the person.
    fn first_never_proposed(&self) -> Option<usize>;
}

/// Shortest piece of a unit, in characters without blanks, that is recognised as a part of it.
const SHORTEST_PART: usize = 3;

/// Finds a unit by number, by quoted source text, or by both, in the order of SPEC 3: exact text of
/// the next open unit; exact text of another open unit; normalised text of the next open unit;
/// normalised text that fits exactly one open unit. `number` counts from 1. A blank quote counts as
/// none.
///
/// # Errors
/// A [`Refusal`] that says what is wrong.
pub fn locate(
    segments: &[Segment],
    states: &dyn UnitStates,
    number: Option<usize>,
    quote: Option<&str>,
) -> Result<Location, Refusal> {
    let quote = quote.filter(|quote| !quote.trim().is_empty());
    let ordinal = match (number, quote) {
        (Some(number), quote) => by_number(segments, number, quote)?,
        (None, Some(quote)) => by_quote(segments, states, quote)?,
        (None, None) => return Err(Refusal::NotFound),
    };
    if states.is_confirmed(ordinal) {
        return Err(Refusal::AlreadyConfirmed(ordinal));
    }
    if !states.is_open(ordinal) {
        return Err(Refusal::AlreadyProposed(ordinal));
    }
    Ok(match states.first_never_proposed() {
        Some(earlier) if earlier < ordinal => Location::Skip(ordinal),
        Some(_) | None => Location::Found(ordinal),
    })
}

/// Normalises text for comparison: NFC, quotes, dashes, blanks, invisible characters, line ends.
pub fn normalize(text: &str) -> String {
    normalized(text).collect()
}

fn by_number(segments: &[Segment], number: usize, quote: Option<&str>) -> Result<usize, Refusal> {
    let ordinal = number.checked_sub(1).ok_or(Refusal::NoSuchUnit)?;
    let segment = segments.get(ordinal).ok_or(Refusal::NoSuchUnit)?;
    match quote {
        Some(quote) if !same(&segment.source, quote) => Err(Refusal::Mismatch(ordinal)),
        Some(_) | None => Ok(ordinal),
    }
}

/// Returns the unit that a quote means; it may be one that is no longer open.
fn by_quote(segments: &[Segment], states: &dyn UnitStates, quote: &str) -> Result<usize, Refusal> {
    let next = states.next_open();
    let source = |ordinal: usize| segments.get(ordinal).map(|segment| segment.source.as_str());
    let open = || (next.unwrap_or(segments.len())..segments.len()).filter(|&at| states.is_open(at));

    if let Some(ordinal) = open().find(|&at| source(at) == Some(quote)) {
        return Ok(ordinal);
    }
    let fits = |&at: &usize| source(at).is_some_and(|text| same(text, quote));
    if let Some(ordinal) = next.filter(fits) {
        return Ok(ordinal);
    }
    let mut fitting = open().filter(fits);
    match (fitting.next(), fitting.next()) {
        (Some(ordinal), None) => return Ok(ordinal),
        (Some(_), Some(_)) => return Err(Refusal::NotFound),
        (None, _) => {}
    }
    if let Some(ordinal) = (0..segments.len()).find(fits) {
        return Ok(ordinal);
    }
    Err(explain(&normalize(quote), next, open(), |at| {
        source(at).map(normalize).unwrap_or_default()
    }))
}

/// Says what is wrong with a quote that fits no unit.
fn explain(
    quote: &str,
    next: Option<usize>,
    open: impl Iterator<Item = usize>,
    text: impl Fn(usize) -> String,
) -> Refusal {
    let long_enough =
        |text: &str| text.chars().filter(|c| !c.is_whitespace()).count() >= SHORTEST_PART;
    if let Some(ordinal) = next {
        let unit = text(ordinal);
        if long_enough(&unit) && quote.contains(&unit) {
            return Refusal::Several(ordinal);
        }
        if long_enough(quote) && unit.contains(quote) {
            return Refusal::Part(ordinal);
        }
    }
    if long_enough(quote) {
        let mut holding = open.filter(|&ordinal| text(ordinal).contains(quote));
        if let (Some(ordinal), None) = (holding.next(), holding.next()) {
            return Refusal::Part(ordinal);
        }
    }
    Refusal::NotFound
}

fn same(left: &str, right: &str) -> bool {
    left == right || normalized(left).eq(normalized(right))
}

/// Yields the characters of [`normalize`] one by one, so that a comparison ends at the first
/// difference instead of rewriting every unit of a document.
fn normalized(text: &str) -> impl Iterator<Item = char> {
    let mut blank_pending = false;
    let mut begun = false;
    text.nfc()
        .filter(|&c| !is_invisible(c))
        .flat_map(move |c| {
            if c.is_whitespace() {
                blank_pending = begun;
                return [None; 4];
            }
            let blank = blank_pending.then_some(' ');
            blank_pending = false;
            begun = true;
            match c {
                '…' => [blank, Some('.'), Some('.'), Some('.')],
                _ => [blank, Some(plain(c)), None, None],
            }
        })
        .flatten()
}

/// Maps typographic quotes and dashes to the ones of a keyboard.
fn plain(c: char) -> char {
    match c {
        '\u{2018}'..='\u{201B}'
        | '\u{2039}'
        | '\u{203A}'
        | '\u{2032}'
        | '\u{00B4}'
        | '\u{FF07}' => '\'',
        '\u{201C}'..='\u{201F}' | '\u{00AB}' | '\u{00BB}' | '\u{2033}' | '\u{FF02}' => '"',
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}' => '-',
        _ => c,
    }
}

/// Tells whether a character shows nothing: soft hyphen, zero widths, direction marks, joiners.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{FE0E}' | '\u{FE0F}' | '\u{FEFF}'
    )
}

#[cfg(test)]
mod tests;
