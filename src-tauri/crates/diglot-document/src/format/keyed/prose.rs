//! Rules of thumb that tell texts from codes among the values of keys. Must not know a syntax.
//!
//! In a catalogue of texts any word may be a key (`"type": "Type"`), in data the same key holds a code
//! (`"type": "button"`), so a key alone decides little: under a key that is known for codes a value is
//! text where it is written as one, and in lists, which are data more often, only where it is a phrase.

use crate::text::has_prose;

/// Last words of keys that hold codes more often than texts, ascending.
#[rustfmt::skip]
const CODE_KEYS: &[&str] = &[
    "align", "alignment", "anchor", "avatar", "background", "charset", "class", "classes",
    "classname", "code", "color", "colour", "command", "component", "country", "css", "currency",
    "d", "date", "dir", "direction", "display", "domain", "email", "encoding", "endpoint",
    "engine", "env", "event", "extension", "favicon", "field", "file", "filename", "filepath",
    "font", "format", "glob", "guid", "handler", "hash", "height", "host", "hostname", "href",
    "icon", "icons", "id", "identifier", "ids", "image", "images", "img", "index", "input",
    "integrity", "key", "kind", "lang", "language", "languages", "layout", "level", "license",
    "link", "links", "locale", "locales", "logo", "method", "mime", "mode", "model", "module",
    "namespace", "op", "operator", "order", "orientation", "parent", "path", "pathname",
    "pattern", "permalink", "permissions", "picture", "placement", "plugin", "port", "position",
    "prefix", "preset", "priority", "protocol", "provider", "purpose", "query", "ref", "regex",
    "region", "rel", "repo", "repository", "role", "route", "rule", "schema", "scope", "script",
    "selector", "sha", "shape", "size", "sizes", "slug", "sort", "source", "sql", "src", "srcset",
    "state", "status", "style", "styles", "subtype", "suffix", "svg", "symbol", "target",
    "template", "theme", "thumb", "thumbnail", "time", "timestamp", "timezone", "token",
    "transform", "type", "typename", "types", "unit", "uri", "url", "urls", "user", "username",
    "uuid", "variant", "version", "video", "view", "viewbox", "visibility", "website", "weight",
    "width", "zone",
];

/// Of those, the ones whose codes have blanks, ascending.
#[rustfmt::skip]
const SPACED_CODE_KEYS: &[&str] = &[
    "class", "classes", "classname", "code", "command", "css", "d", "font", "format", "glob",
    "path", "pattern", "query", "regex", "rel", "script", "selector", "sizes", "sql", "srcset",
    "style", "styles", "svg", "transform", "viewbox",
];

/// Longer keys are texts themselves, which some catalogues take for keys.
const LONGEST_KEY: usize = 64;

/// Begins a call in a style sheet.
#[rustfmt::skip]
const STYLE_CALLS: &[&str] = &[
    "rgb(", "rgba(", "hsl(", "hsla(", "url(", "var(", "calc(", "matrix(", "translate(", "scale(",
    "linear-gradient(", "radial-gradient(", "cubic-bezier(",
];

/// Units of measure in a style sheet.
#[rustfmt::skip]
const STYLE_UNITS: &[&str] = &[
    "px", "em", "rem", "vh", "vw", "pt", "ms", "s", "deg", "fr", "ch", "ex", "x", "dp",
];

/// Tells whether a value is text that a reader sees. `listed` says that a list is around it.
pub(super) fn is_text(key: &str, listed: bool, value: &str) -> bool {
    let value = value.trim();
    if is_message(value) {
        return true;
    }
    let written = !is_code(value) && has_prose(&without_tags(value));
    written && fits_key(key, listed, value)
}

/// Tells a message with ICU plurals or choices, whose words all stand in braces.
fn is_message(value: &str) -> bool {
    let choice = [
        ", plural,",
        ",plural,",
        ", select,",
        ",select,",
        "selectordinal,",
    ];
    value.starts_with('{') && choice.iter().any(|mark| value.contains(mark))
}

fn without_tags(value: &str) -> String {
    let mut rest = value;
    let mut out = String::with_capacity(value.len());
    // Behind the last angle bracket that closes, none needs to be looked for again.
    let mut may_close = true;
    while may_close && let Some((before, tag)) = rest.split_once('<') {
        out.push_str(before);
        let named = tag.starts_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '!'));
        rest = tag;
        out.push(' ');
        if named {
            let closed = tag.split_once('>');
            may_close = closed.is_some();
            rest = closed.map_or(tag, |(_, after)| after);
        }
    }
    out + rest
}

/// Tells whether a value can only be a code, whatever its key.
fn is_code(value: &str) -> bool {
    if value.contains(char::is_whitespace) {
        return value.ends_with(')') && STYLE_CALLS.iter().any(|call| value.starts_with(call));
    }
    is_literal(value) || is_place(value) || is_measure(value) || is_digest(value) || is_name(value)
}

fn is_literal(value: &str) -> bool {
    let colour = value.strip_prefix('#');
    let colour = colour.is_some_and(|digits| {
        matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|b| b.is_ascii_hexdigit())
    });
    let symbol = value.strip_prefix(':');
    let symbol = symbol.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
    colour
        || symbol
        || matches!(value, "true" | "false" | "null" | "undefined" | "NaN")
        || value.ends_with(')') && STYLE_CALLS.iter().any(|call| value.starts_with(call))
}

/// Tells a path, a file, a media type or an address without a host.
fn is_place(value: &str) -> bool {
    const STARTS: [&str; 7] = ["/", "./", "../", "~/", "data:", "tel:", "urn:"];
    const MEDIA: [&str; 8] = [
        "text/",
        "image/",
        "application/",
        "audio/",
        "video/",
        "font/",
        "multipart/",
        "message/",
    ];
    let bytes = value.as_bytes();
    let known = STARTS
        .iter()
        .chain(&MEDIA)
        .any(|start| value.starts_with(start));
    let lower = bytes.iter().all(|b| {
        b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'/' | b'.' | b'-' | b'_')
    });
    let ending = value.rsplit_once('.').map(|(_, ending)| ending.len());
    let file = lower && ending.is_some_and(|length| (1..6).contains(&length));
    let long = lower && value.split('/').nth(2).is_some();
    known || file || long
}

/// Tells a date, a time or a length.
fn is_measure(value: &str) -> bool {
    let digit = value.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.' | '+'));
    let date = value
        .bytes()
        .all(|b| b.is_ascii_digit() || b"TZ:+-.".contains(&b));
    let unit =
        value.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.' | '+'));
    digit && (date || STYLE_UNITS.contains(&unit))
}

/// Tells a hash, a key or packed data: long, and mixed of letters and digits.
fn is_digest(value: &str) -> bool {
    let packed = |b: u8| b.is_ascii_alphanumeric() || b"+/=-_".contains(&b);
    value.len() >= 16
        && value.bytes().all(packed)
        && value.bytes().filter(u8::is_ascii_digit).count() > 2
}

/// Tells a name of a program's own: `fooBar`.
fn is_name(value: &str) -> bool {
    value.starts_with(|c: char| c.is_ascii_lowercase())
        && value.bytes().all(|b| b.is_ascii_alphanumeric())
        && value.bytes().any(|b| b.is_ascii_uppercase())
}

fn fits_key(key: &str, listed: bool, value: &str) -> bool {
    if key.len() > LONGEST_KEY {
        return true;
    }
    let words = [last_word(key), letters(key)];
    let known = |list: &[&str]| {
        words
            .iter()
            .any(|word| list.binary_search(&word.as_str()).is_ok())
    };
    let internal = key.starts_with(['$', '@']);
    if internal || !known(CODE_KEYS) {
        return !internal;
    }
    let spoken = value.chars().any(|c| c.is_alphabetic() && !c.is_ascii());
    let same = words.contains(&letters(value));
    let phrase = value.contains(char::is_whitespace);
    let mut first = value.split_whitespace().next().unwrap_or_default().chars();
    let begins = first.next().is_some_and(char::is_uppercase)
        && first.as_str().chars().any(char::is_lowercase);
    match (listed, phrase) {
        _ if spoken => true,
        (true, _) => phrase && begins,
        (false, true) => begins || !known(SPACED_CODE_KEYS),
        (false, false) => same || begins && !is_camel(value),
    }
}

/// Returns the last word of `background-color`, `background_color` or `backgroundColor`.
fn last_word(key: &str) -> String {
    let word = key.rsplit(['-', '_', '.', ' ', ':']).next().unwrap_or(key);
    let whole = word
        .bytes()
        .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let hump = word
        .rfind(|c: char| c.is_ascii_uppercase())
        .filter(|_| !whole);
    let word = hump.and_then(|at| word.get(at..)).unwrap_or(word);
    word.to_ascii_lowercase()
}

fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

fn is_camel(value: &str) -> bool {
    let pairs = value.as_bytes().windows(2);
    let mut humps = pairs.filter(
        |pair| matches!(pair, [low, high] if low.is_ascii_lowercase() && high.is_ascii_uppercase()),
    );
    humps.next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        assert!(CODE_KEYS.is_sorted());
        assert!(SPACED_CODE_KEYS.is_sorted());
    }

    #[test]
    fn texts_are_found() {
        for (key, value) in [
            ("title", "Save"),
            ("title", "save"),
            ("title", "read-only"),
            ("title", "and/or"),
            ("type", "Type"),
            ("type", "type"),
            ("id", "ID"),
            ("url", "URL"),
            ("email", "E-mail"),
            ("userEmail", "Your address"),
            ("date", "posted on"),
            ("path", "Path to the file"),
            ("status", "is not active"),
            ("type", "类型"),
            ("n", "{n, plural, other {# items}}"),
            ("n", "%{count} items"),
            ("n", "<b>Hi</b>"),
            ("n", "a < b"),
            ("path", "C:\\new"),
            ("", "x"),
        ] {
            assert!(is_text(key, false, value), "{key}: {value}");
        }
        assert!(is_text("items", true, "water"));
        assert!(is_text("code", true, "Enter the code"));
    }

    #[test]
    fn brackets_that_never_close_take_linear_time() {
        assert!(is_text("n", false, &"<a ".repeat(1_000_000)));
        assert!(!is_text("n", false, &"<a b>".repeat(1_000_000)));
    }

    #[test]
    fn codes_are_left_out() {
        for (key, value) in [
            ("type", "button"),
            ("contentType", "FeatureCollection"),
            ("className", "btn btn-primary"),
            ("background-color", "red"),
            ("title", "#fff"),
            ("title", "rgb(0, 0, 0)"),
            ("title", "12px"),
            ("title", "2024-05-01T10:00:00Z"),
            ("title", "./guide"),
            ("title", "/start"),
            ("title", "text/html"),
            ("title", "my-file.png"),
            ("title", "src/lib/utils"),
            ("title", "fooBar"),
            ("title", "0f8fad5b-d9cb-469f-a165-70867728950e"),
            ("title", "<br/>"),
            ("title", "true"),
            ("order", ":year"),
            ("title", "$t(common.save)"),
            ("$schema", "The schema"),
            ("license", "MIT"),
            ("sql", "SELECT a FROM b"),
        ] {
            assert!(!is_text(key, false, value), "{key}: {value}");
        }
        assert!(!is_text("type", true, "Feature"));
    }
}
