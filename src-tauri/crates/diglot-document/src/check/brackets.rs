//! Brackets and quotes: a target whose source has them in pairs must have them in pairs too.

use super::{Issue, IssueKind, Text};
use crate::PlaceableKind;

/// Brackets that close each other, whatever their width.
const BRACKETS: [(&[char], &[char]); 5] = [
    (&['(', '（'], &[')', '）']),
    (&['[', '［'], &[']', '］']),
    (&['{', '｛'], &['}', '｝']),
    (&['【', '〔', '〖'], &['】', '〕', '〗']),
    (&['《', '〈'], &['》', '〉']),
];

/// Quotes of one family: each quotation takes two of them, whichever way round a language has it.
/// Single quotes are left out, since most are apostrophes.
const QUOTES: [&[char]; 4] = [
    &['"', '“', '”', '„', '‟', '＂'],
    &['«', '»'],
    &['「', '」'],
    &['『', '』'],
];

/// Reports what stands alone in the target, where nothing does in the source.
pub(super) fn check(source: &Text<'_>, target: &Text<'_>) -> Option<Issue> {
    let (wanted, given) = (marks(source), marks(target));
    let mut extra = Vec::new();
    if wanted.strays().next().is_none() {
        extra.extend(given.strays().map(String::from));
    }
    // One family may stand for another, so that only the whole tells of the source.
    if wanted.odd_quotes().next().is_none() {
        extra.extend(given.odd_quotes().map(String::from));
    }
    (!extra.is_empty()).then(|| Issue {
        extra,
        ..Issue::warning(IssueKind::Brackets)
    })
}

/// The marks of a text outside of placeables.
#[derive(Default)]
struct Marks {
    /// Open brackets of each kind.
    open: [Vec<char>; BRACKETS.len()],
    /// Brackets that close nothing.
    stray: Vec<char>,
    /// Quotes of each family: all, those that may be signs of inches, and the last one.
    quotes: [(usize, usize, Option<char>); QUOTES.len()],
}

fn marks(text: &Text<'_>) -> Marks {
    let mut marks = Marks::default();
    let mut before = ' ';
    let mut at = 0;
    for found in &text.found {
        let gap = text.raw.get(at..found.span.start).unwrap_or_default();
        before = marks.read(gap, before, ' ');
        // The end of a link closes the bracket that its text opened.
        let closes_text = matches!(found.kind, PlaceableKind::Link | PlaceableKind::Reference);
        if closes_text && found.text(text.raw).starts_with(']') {
            marks.bracket(']');
        }
        if found.kind == PlaceableKind::Number {
            before = '0';
        }
        at = found.span.end;
    }
    marks.read(text.raw.get(at..).unwrap_or_default(), before, ' ');
    marks
}

impl Marks {
    /// Takes in a piece of text and returns its last character.
    fn read(&mut self, piece: &str, before: char, after: char) -> char {
        let mut before = before;
        let mut chars = piece.chars().peekable();
        while let Some(c) = chars.next() {
            let next = chars.peek().copied().unwrap_or(after);
            self.bracket(c);
            self.quote(c, before, next);
            before = c;
        }
        before
    }

    fn bracket(&mut self, c: char) {
        for ((opening, closing), open) in BRACKETS.iter().zip(&mut self.open) {
            if opening.contains(&c) {
                open.push(c);
            } else if closing.contains(&c) && open.pop().is_none() {
                self.stray.push(c);
            }
        }
    }

    fn quote(&mut self, c: char, before: char, after: char) {
        // Inside of a Hebrew word it is a sign of abbreviation.
        let is_hebrew = |c: char| matches!(c, '\u{5D0}'..='\u{5EA}');
        if is_hebrew(before) && is_hebrew(after) {
            return;
        }
        for (family, (all, inches, last)) in QUOTES.iter().zip(&mut self.quotes) {
            if family.contains(&c) {
                *all += 1;
                *inches += usize::from(before.is_numeric());
                *last = Some(c);
            }
        }
    }

    fn strays(&self) -> impl Iterator<Item = char> {
        let open = self.open.iter().flatten();
        self.stray.iter().chain(open).copied()
    }

    /// Lists families with an odd number of quotes, however signs of inches are counted.
    fn odd_quotes(&self) -> impl Iterator<Item = char> {
        let is_odd = |(all, inches, _): &&(usize, usize, Option<char>)| {
            all % 2 == 1 && (all - inches) % 2 == 1
        };
        self.quotes
            .iter()
            .filter(is_odd)
            .filter_map(|(.., last)| *last)
    }
}
