//! Numbers by value, whatever separators, digits or order the target's language asks for.

use std::collections::HashMap;

use super::words::may_spell;
use super::{Issue, IssueKind, Text};
use crate::placeable::{digit, is_group_blank};
use crate::{LanguagePair, LanguageTag, PlaceableKind};

/// Reports numbers that only one of the texts has.
pub(super) fn check(
    source: &Text<'_>,
    target: &Text<'_>,
    languages: &LanguagePair,
) -> Option<Issue> {
    let numbers = |text, language: &LanguageTag| numbers(text, language.primary());
    let wanted = numbers(source, &languages.source);
    let given = numbers(target, &languages.target);
    let (missing, extra) = unmatched(wanted, given);
    let (missing, extra) = unmatched_parts(missing, extra);
    let (missing, extra) = without_months(missing, extra);
    let mut issue = Issue::warning(IssueKind::Number);
    // Where both sides have a number left, one is not the word of the other in a language whose words are unknown.
    let guess = missing.is_empty() || extra.is_empty();
    let is_spelled = |text: &Text<'_>, language: &LanguageTag, number| {
        may_spell(language.primary(), &text.prose, number).unwrap_or(guess)
    };
    issue.missing = reported(&missing, |number| {
        is_spelled(target, &languages.target, number)
    });
    issue.extra = reported(&extra, |number| {
        is_spelled(source, &languages.source, number)
    });
    let found = !issue.missing.is_empty() || !issue.extra.is_empty();
    found.then_some(issue)
}

/// How a number is written, as far as its reading depends on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Plain,
    Time,
    Date,
    /// Groups parted by blanks, which may as well be two numbers.
    Blanks,
}

/// Languages in which a comma before three digits never begins a fraction.
const POINT_LANGUAGES: [&str; 4] = ["en", "zh", "ja", "ko"];

struct Number<'a> {
    text: &'a str,
    shape: Shape,
    /// The values that it may have, as digits with `.` before a fraction.
    values: Vec<String>,
    /// Its runs of digits without leading zeros.
    parts: Vec<String>,
    /// Whether it may be a month, which another language writes as a word.
    monthly: bool,
}

fn numbers<'a>(text: &Text<'a>, language: &str) -> Vec<Number<'a>> {
    let is_number = |kind: PlaceableKind| kind == PlaceableKind::Number;
    let mut numbers = Vec::new();
    for found in text.firm().filter(|found| is_number(found.kind)) {
        let after = text.raw.get(found.span.end..).unwrap_or_default();
        // 16進 is a word: hexadecimal.
        if after.trim_start().starts_with(['進', '进']) {
            continue;
        }
        let number = read(found.text(text.raw), after, language);
        if number.values.is_empty() {
            numbers.extend(split(&number));
        } else {
            numbers.push(number);
        }
    }
    numbers
}

fn read<'a>(text: &'a str, after: &str, language: &str) -> Number<'a> {
    let mut parts = vec![String::new()];
    let mut separators = Vec::new();
    for c in text.chars() {
        if let Some(value) = digit(c) {
            if let (Some(part), Some(digit)) = (parts.last_mut(), char::from_digit(value, 10)) {
                part.push(digit);
            }
        } else if matches!(c, '.' | ',' | ':' | '-' | '/' | '\u{066B}' | '\u{066C}')
            || is_group_blank(c)
        {
            separators.push(c);
            parts.push(String::new());
        }
    }
    let shape = shape(&parts, &separators);
    let mut values = values(&parts, &separators, shape);
    let is_grouping = separators.ends_with(&[',']) && POINT_LANGUAGES.contains(&language);
    if is_grouping && values.len() > 1 {
        // The first value is the one with groups, the second the one with a fraction.
        values.truncate(1);
    }
    let parts: Vec<String> = parts.iter().map(|part| integer(part)).collect();
    scale(&mut values, after);
    let monthly = shape == Shape::Date || after.trim_start().starts_with(['月', '월']);
    Number {
        text,
        shape,
        values,
        parts,
        monthly,
    }
}

fn shape(parts: &[String], separators: &[char]) -> Shape {
    let lengths: Vec<usize> = parts.iter().map(String::len).collect();
    let even = separators
        .windows(2)
        .all(|pair| pair.first() == pair.last());
    match (separators.first(), lengths.as_slice()) {
        (Some('-' | '/' | '.'), [4, 1 | 2, 1 | 2] | [1 | 2, 1 | 2, 2 | 4]) if even => Shape::Date,
        (Some(':'), _) => Shape::Time,
        (Some(&blank), _) if even && is_group_blank(blank) => Shape::Blanks,
        _ => Shape::Plain,
    }
}

/// Lists what a number may mean; none when it is no single number, such as a version.
fn values(parts: &[String], separators: &[char], shape: Shape) -> Vec<String> {
    let whole = |parts: &[String]| integer(&parts.concat());
    match (shape, parts.split_last(), separators.split_last()) {
        (Shape::Date, ..) => Vec::new(),
        (Shape::Time, ..) => {
            let parts: Vec<String> = parts.iter().map(|part| integer(part)).collect();
            vec![parts.join(":")]
        }
        (_, _, None) => vec![whole(parts)],
        (_, Some((last, head)), Some((separator, others))) => {
            let mut values = Vec::new();
            let one_kind = others.iter().all(|other| other == separator);
            let head_grouped = others.windows(2).all(|pair| pair.first() == pair.last())
                && (head.len() == 1 || is_grouped(head));
            let is_fraction = !is_group_blank(*separator)
                && *separator != '\u{066C}'
                && !others.contains(separator)
                && head_grouped;
            if one_kind && *separator != '\u{066B}' && is_grouped(parts) {
                values.push(whole(parts));
            }
            if is_fraction {
                values.push(decimal(&whole(head), last));
            }
            values
        }
        (_, None, Some(_)) => Vec::new(),
    }
}

/// Tells whether parts are groups of thousands, or of the Indian lakhs.
fn is_grouped(parts: &[String]) -> bool {
    let Some((first, rest)) = parts.split_first() else {
        return false;
    };
    let Some((last, middle)) = rest.split_last() else {
        return false;
    };
    (1..=3).contains(&first.len())
        && !first.starts_with('0')
        && last.len() == 3
        && middle.iter().all(|part| matches!(part.len(), 2 | 3))
}

fn integer(digits: &str) -> String {
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() { "0" } else { digits }.to_owned()
}

fn decimal(whole: &str, fraction: &str) -> String {
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction}")
    }
}

/// Adds the value with the word or letter after it: `1.5 million`, `150万`, `7 pm`.
fn scale(values: &mut Vec<String>, after: &str) {
    let word: String = after
        .trim_start()
        .chars()
        .take(8)
        .flat_map(char::to_lowercase)
        .collect();
    let zeros = [
        ("thousand", 3),
        ("million", 6),
        ("billion", 9),
        ("万", 4),
        ("萬", 4),
        ("만", 4),
        ("亿", 8),
        ("億", 8),
        ("억", 8),
    ];
    let power = zeros
        .iter()
        .find(|(name, _)| word.starts_with(name))
        .map(|(_, zeros)| *zeros);
    if let (Some(power), Some(value)) = (power, values.last().cloned()) {
        let (whole, fraction) = value.split_once('.').unwrap_or((&value, ""));
        if fraction.len() <= power {
            let padding = "0".repeat(power - fraction.len());
            values.push(integer(&format!("{whole}{fraction}{padding}")));
        }
    }
    if word.starts_with("pm") || word.starts_with("p.m") {
        let afternoon = values
            .iter()
            .filter_map(|value| value.parse::<u32>().ok())
            .find(|hour| *hour < 12);
        values.extend(afternoon.map(|hour| (hour + 12).to_string()));
    }
}

/// Takes away what both sides have.
fn unmatched<'a>(
    source: Vec<Number<'a>>,
    target: Vec<Number<'a>>,
) -> (Vec<Number<'a>>, Vec<Number<'a>>) {
    let mut by_value: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, number) in target.iter().enumerate().rev() {
        for value in &number.values {
            by_value.entry(value).or_default().push(index);
        }
    }
    let mut used = vec![false; target.len()];
    let mut missing = Vec::new();
    for number in source {
        let mut free = |value: &String| {
            let waiting = by_value.get_mut(value.as_str())?;
            std::iter::from_fn(|| waiting.pop()).find(|index| used.get(*index) == Some(&false))
        };
        match number.values.iter().find_map(&mut free) {
            Some(index) => {
                if let Some(used) = used.get_mut(index) {
                    *used = true;
                }
            }
            None => missing.push(number),
        }
    }
    let mut used = used.into_iter();
    let extra = target
        .into_iter()
        .filter(|_| used.next() == Some(false))
        .collect();
    (missing, extra)
}

/// Compares what is left by its parts, where a part may stand for itself: times, and groups that
/// may be two numbers. `10:30` may be `10.30`, `10 h 30` or, in the afternoon, `22:30`.
fn unmatched_parts<'a>(
    missing: Vec<Number<'a>>,
    extra: Vec<Number<'a>>,
) -> (Vec<Number<'a>>, Vec<Number<'a>>) {
    if missing.is_empty() && extra.is_empty() {
        return (missing, extra);
    }
    let timed = missing
        .iter()
        .chain(&extra)
        .any(|number| number.shape == Shape::Time);
    let parts = |numbers: Vec<Number<'a>>| -> Vec<Number<'a>> {
        let mut parts = Vec::new();
        for number in numbers {
            let clock = number.parts.len() == 2 && number.parts.iter().all(|part| part.len() <= 2);
            match number.shape {
                Shape::Time | Shape::Blanks => parts.extend(split(&number)),
                Shape::Plain if timed && clock => parts.extend(split(&number)),
                Shape::Plain | Shape::Date => parts.push(number),
            }
        }
        parts
    };
    let (mut missing, mut extra) = unmatched(parts(missing), parts(extra));
    let full_hour = |number: &Number<'_>| !(number.shape == Shape::Time && number.values == ["0"]);
    missing.retain(full_hour);
    extra.retain(full_hour);
    (missing, extra)
}

/// Turns a number into one for each of its parts.
fn split<'a>(number: &Number<'a>) -> Vec<Number<'a>> {
    let part = |(index, part): (usize, &String)| {
        let mut values = vec![part.clone()];
        if let (Shape::Time, 0, Ok(hour)) = (number.shape, index, part.parse::<u32>()) {
            values.extend((hour < 12).then(|| (hour + 12).to_string()));
            values.extend((hour > 12).then(|| hour.saturating_sub(12).to_string()));
        }
        Number {
            text: number.text,
            shape: if number.shape == Shape::Time {
                Shape::Time
            } else {
                Shape::Plain
            },
            values,
            parts: vec![part.clone()],
            monthly: number.monthly,
        }
    };
    number.parts.iter().enumerate().map(part).collect()
}

/// Drops a month that one side writes as a word: where only that side's number is left over.
fn without_months<'a>(
    mut missing: Vec<Number<'a>>,
    mut extra: Vec<Number<'a>>,
) -> (Vec<Number<'a>>, Vec<Number<'a>>) {
    let is_month = |number: &Number<'_>| number.monthly && matches!(whole(number), Some(1..=12));
    if extra.is_empty() {
        missing.retain(|number| !is_month(number));
    } else if missing.is_empty() {
        extra.retain(|number| !is_month(number));
    }
    (missing, extra)
}

fn whole(number: &Number<'_>) -> Option<u32> {
    number.values.first()?.parse().ok()
}

/// Lists the texts of numbers, each once, but for those that the other text may spell out.
fn reported(numbers: &[Number<'_>], may_spell: impl Fn(u32) -> bool) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    let mut known: HashMap<u32, bool> = HashMap::new();
    let mut is_spelled = |number| *known.entry(number).or_insert_with(|| may_spell(number));
    for number in numbers {
        let spelled = whole(number).is_some_and(&mut is_spelled);
        if !spelled && texts.last().is_none_or(|last| last != number.text) {
            texts.push(number.text.to_owned());
        }
    }
    texts
}
