//! What every language writes alike and no markup shows: names of hosts in running text, and numbers of bank accounts.

use super::{Issue, IssueKind, Text};

/// Last labels of hosts that are no endings of files. Those of two letters are left out but for the most common ones.
const TOP_LABELS: [&str; 31] = [
    "com", "org", "net", "edu", "gov", "info", "biz", "app", "dev", "io", "ai", "shop", "bank",
    "eu", "de", "ch", "fr", "es", "pt", "br", "nl", "ru", "ua", "cn", "jp", "kr", "uk", "ca", "au",
    "mx", "tw",
];

/// Lengths of an account number (ISO 13616), in characters without blanks.
const ACCOUNT: std::ops::RangeInclusive<usize> = 15..=34;

/// Groups after the first that an account number has at most.
const MOST_GROUPS: usize = 12;

/// Reports hosts and account numbers that only one of the texts has.
pub(super) fn check(source: &Text<'_>, target: &Text<'_>) -> Option<Issue> {
    let (wanted, given) = (facts(source), facts(target));
    let surplus = |own: &[Fact], other: &[Fact]| -> Vec<String> {
        let is_kept = |fact: &&Fact| !other.iter().any(|kept| kept.key == fact.key);
        own.iter()
            .filter(is_kept)
            .map(|fact| fact.text.clone())
            .collect()
    };
    let issue = Issue {
        missing: surplus(&wanted, &given),
        extra: surplus(&given, &wanted),
        ..Issue::warning(IssueKind::Protected)
    };
    (!issue.missing.is_empty() || !issue.extra.is_empty()).then_some(issue)
}

/// One thing that stays as it is.
struct Fact {
    /// What two ways to write it share.
    key: String,
    text: String,
}

fn facts(text: &Text<'_>) -> Vec<Fact> {
    let mut facts = hosts(&text.prose);
    facts.extend(accounts(&text.prose));
    facts
}

/// Lists names of hosts without a scheme, such as `example.org`.
fn hosts(prose: &str) -> Vec<Fact> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
    prose
        .split(|c| !is_part(c))
        .map(|word| word.trim_matches(['.', '-']))
        .filter(|word| is_host(word))
        .map(|word| Fact {
            key: word.to_ascii_lowercase(),
            text: word.to_owned(),
        })
        .collect()
}

fn is_host(word: &str) -> bool {
    let Some((name, top)) = word.rsplit_once('.') else {
        return false;
    };
    let has_letter = |label: &str| label.bytes().any(|b| b.is_ascii_alphabetic());
    TOP_LABELS.contains(&top.to_ascii_lowercase().as_str())
        && top.bytes().all(|b| b.is_ascii_lowercase())
        && name.len() > 1
        && name.split('.').all(|label| !label.is_empty())
        && name.split('.').any(has_letter)
}

/// Lists account numbers, written in groups or in one.
fn accounts(prose: &str) -> Vec<Fact> {
    let words: Vec<&str> = prose.split_whitespace().collect();
    let mut found = Vec::new();
    let mut rest = words.as_slice();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if !begins_account(bare(first)) {
            continue;
        }
        let more = after
            .iter()
            .take(MOST_GROUPS)
            .map(|word| bare(word))
            .take_while(|word| is_group(word));
        let groups: Vec<&str> = std::iter::once(bare(first)).chain(more).collect();
        let key = groups.concat();
        let n_digits = key.bytes().filter(u8::is_ascii_digit).count();
        if ACCOUNT.contains(&key.len()) && n_digits * 2 >= key.len() {
            let text = groups.join(" ");
            found.push(Fact { key, text });
            rest = after.get(groups.len() - 1..).unwrap_or_default();
        }
    }
    found
}

/// Takes the marks of a sentence off a word.
fn bare(word: &str) -> &str {
    let is_outside = |c: char| !c.is_ascii_alphanumeric();
    let word = word.trim_matches(is_outside);
    // Chinese and Japanese set no blank between a word and what follows it.
    word.split(is_outside).next_back().unwrap_or(word)
}

/// Tells whether a word is a country's code and two digits, with or without the rest.
fn begins_account(word: &str) -> bool {
    let head: Vec<u8> = word.bytes().take(4).collect();
    let [country @ .., tens, ones] = head.as_slice() else {
        return false;
    };
    country.len() == 2
        && country.iter().all(u8::is_ascii_uppercase)
        && [tens, ones].into_iter().all(u8::is_ascii_digit)
        && word.bytes().all(is_account_byte)
}

/// Tells whether a word continues an account number.
fn is_group(word: &str) -> bool {
    (1..=4).contains(&word.len()) && word.bytes().all(is_account_byte)
}

fn is_account_byte(byte: u8) -> bool {
    byte.is_ascii_digit() || byte.is_ascii_uppercase()
}
