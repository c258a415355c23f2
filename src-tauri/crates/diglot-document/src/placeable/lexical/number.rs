//! Numbers as people write them: any decimal digits, grouped, with a fraction, as a time or a date.

/// The zeros of the decimal digits in use today.
const ZEROS: [char; 18] = [
    '0', '\u{0660}', '\u{06F0}', '\u{0966}', '\u{09E6}', '\u{0A66}', '\u{0AE6}', '\u{0B66}',
    '\u{0BE6}', '\u{0C66}', '\u{0CE6}', '\u{0D66}', '\u{0E50}', '\u{0ED0}', '\u{0F20}', '\u{1040}',
    '\u{17E0}', '\u{FF10}',
];

/// Returns the value of a decimal digit of any script.
pub(crate) fn digit(c: char) -> Option<u32> {
    let value = |zero: char| {
        u32::from(c)
            .checked_sub(u32::from(zero))
            .filter(|value| *value < 10)
    };
    if c.is_ascii() {
        c.to_digit(10)
    } else {
        ZEROS.iter().find_map(|zero| value(*zero))
    }
}

/// Tells whether a blank or an apostrophe may part groups of three digits.
pub(crate) fn is_group_blank(c: char) -> bool {
    matches!(
        c,
        ' ' | '\u{A0}' | '\u{2009}' | '\u{202F}' | '\'' | '\u{2019}'
    )
}

/// Reads the number that `rest` begins with, in bytes, with a percent or degree sign.
pub(super) fn number(rest: &str) -> Option<usize> {
    let first = digits(rest);
    if first == 0 {
        return None;
    }
    let end = date(rest).unwrap_or_else(|| grouped(rest, first));
    let sign = rest
        .get(end..)?
        .chars()
        .next()
        .filter(|c| matches!(c, '%' | '‰' | '°' | '٪' | '％'));
    let doubled = rest.get(end..)?.starts_with("%%");
    Some(end + sign.filter(|_| !doubled).map_or(0, char::len_utf8))
}

/// Adds to the first digits what separators join to them.
fn grouped(rest: &str, first: usize) -> usize {
    let mut end = first;
    let mut groupable = count(rest, first) <= 3;
    while let Some(tail) = rest.get(end..) {
        let Some(separator) = tail.chars().next() else {
            break;
        };
        let after = tail.get(separator.len_utf8()..).unwrap_or_default();
        let length = digits(after);
        let three = count(after, length) == 3;
        let joins = match separator {
            '.' | ',' | ':' | '\u{066B}' | '\u{066C}' => length > 0,
            _ => is_group_blank(separator) && groupable && three,
        };
        if !joins {
            break;
        }
        groupable &= three && separator != ':';
        end += separator.len_utf8() + length;
    }
    end
}

/// Reads a date in digits, for instance `2024-05-01` or `5/1/2024`.
fn date(rest: &str) -> Option<usize> {
    let mut end = digits(rest);
    let mut counts = vec![count(rest, end)];
    let separator = rest
        .get(end..)?
        .chars()
        .next()
        .filter(|c| matches!(c, '-' | '/' | '.'))?;
    while counts.len() < 3 {
        let after = rest.get(end..)?.strip_prefix(separator)?;
        let length = digits(after);
        counts.push(count(after, length));
        end += separator.len_utf8() + length;
    }
    let more = rest
        .get(end..)?
        .strip_prefix(separator)
        .is_some_and(|tail| digits(tail) > 0);
    let sound = matches!(counts.as_slice(), [4, 1 | 2, 1 | 2] | [1 | 2, 1 | 2, 2 | 4]);
    (sound && !more).then_some(end)
}

/// Returns the length in bytes of the digits that a text begins with.
fn digits(text: &str) -> usize {
    text.find(|c| digit(c).is_none()).unwrap_or(text.len())
}

fn count(text: &str, length: usize) -> usize {
    text.get(..length).unwrap_or_default().chars().count()
}
