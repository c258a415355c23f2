//! Bare web and mail addresses.

/// What a web address begins with.
const SCHEMES: [&str; 6] = [
    "https://", "http://", "ftp://", "ftps://", "mailto:", "www.",
];

/// Reads the address that `rest` begins with, in bytes; `before` is the text ahead of it.
pub(super) fn address(before: &str, rest: &str) -> Option<usize> {
    let joined = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '+' | '-' | '@');
    if before.ends_with(joined) {
        return None;
    }
    web(rest).or_else(|| mail(rest))
}

fn web(rest: &str) -> Option<usize> {
    let starts = |scheme: &&&str| {
        rest.get(..scheme.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(scheme))
    };
    let scheme = SCHEMES.iter().find(starts)?;
    let is_part =
        |c: char| c.is_ascii_graphic() && !matches!(c, '<' | '>' | '"' | '`' | '\\' | '|');
    let run = rest.split(|c| !is_part(c)).next()?;
    let end = trim(run).len();
    (end > scheme.len()).then_some(end)
}

/// Takes off what closes the sentence rather than the address.
fn trim(run: &str) -> &str {
    let mut run = run;
    let mut pairs = [('(', ')'), ('[', ']'), ('{', '}')]
        .map(|(open, close)| (close, run.matches(open).count(), run.matches(close).count()));
    loop {
        let cut = run.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', '*', '_', '~']);
        let unbalanced = |(close, opened, closed): &&mut (char, usize, usize)| {
            cut.ends_with(*close) && closed > opened
        };
        let shorter = match pairs.iter_mut().find(unbalanced) {
            Some((_, _, closed)) => {
                *closed -= 1;
                cut.get(..cut.len() - 1).unwrap_or_default()
            }
            None => cut,
        };
        if shorter.len() == run.len() {
            return run;
        }
        run = shorter;
    }
}

fn mail(rest: &str) -> Option<usize> {
    let is_local = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-');
    let local = rest.find(|c| !is_local(c))?;
    let host = rest.get(local..)?.strip_prefix('@')?;
    let is_host = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-');
    let host = host
        .split(|c| !is_host(c))
        .next()?
        .trim_end_matches(['.', '-']);
    let (name, top) = host.rsplit_once('.')?;
    let sound = !name.is_empty() && top.len() >= 2 && top.bytes().all(|b| b.is_ascii_alphabetic());
    sound.then_some(local + 1 + host.len())
}
