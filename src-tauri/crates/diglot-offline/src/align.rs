//! Where words of a source stand in its translation, by the alignment that an engine gives. Owns the
//! rules by which a mark finds its place; must not know what an engine is made of.

use std::ops::Range;

use crate::mask::Masked;

/// Holds a translation and which part of it came from which part of the source.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Translation {
    /// The text.
    pub(crate) text: String,
    /// Pieces of words in target order, may be empty or cover only a part.
    pub(crate) links: Vec<Link>,
}

/// Ties a piece of a target word to a source piece that it came from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Link {
    /// Bytes of the translation.
    pub(crate) target: Range<usize>,
    /// Bytes of the source.
    pub(crate) source: Range<usize>,
    /// How much of the target piece came from there, from 0 to 1.
    pub(crate) share: f32,
}

/// Translates plain text, sentence by sentence.
pub(crate) trait Drafter {
    /// Translates a text of one line.
    fn translate(&self, text: &str) -> Translation;
}

/// Share of a word from which on it came from the marked words.
const MARKED: f32 = 0.5;
/// Share that is enough for one word when no word reaches [`MARKED`], as a negation often does not.
const LIKELIEST: f32 = 0.2;
/// Longest article or preposition, in characters: may come from elsewhere inside a mark, and is left
/// out in front of one.
const SMALL_WORD: usize = 3;

/// Finds the place in a translation for marks around `marked`, a part of the masked source: words
/// that stand together. `None` where they do not, or no word came from there.
pub(crate) fn place(
    masked: &Masked,
    translation: &Translation,
    marked: &Range<usize>,
) -> Option<Range<usize>> {
    let target = translation.text.as_str();
    let source = masked.plain.get(marked.clone())?;
    let words = words(target);
    let shares: Vec<Option<f32>> = words
        .iter()
        .map(|word| share(masked, translation, marked, word))
        .collect();
    let (first, last) = marked_words(&shares)?;
    let small = |word: &Range<usize>| {
        let text = target.get(word.clone()).unwrap_or_default();
        text.chars().count() <= SMALL_WORD && text.chars().all(char::is_lowercase)
    };
    let between = words.iter().zip(&shares).take(last).skip(first);
    let mut strays = between.filter(|(_, share)| share.is_some_and(|share| share <= MARKED));
    let is_one_small = strays.next().is_none_or(|(word, _)| small(word)) && strays.next().is_none();
    if !is_one_small && first != last {
        return None;
    }
    // A target with more words than the source has its article or preposition too many.
    let n_source = source.split_whitespace().count();
    let spare = (last + 1 - first).saturating_sub(n_source);
    let n_small = words
        .iter()
        .skip(first)
        .take(spare)
        .take_while(|word| small(word))
        .count();
    let range = words.get(first + n_small)?.start..words.get(last)?.end;
    Some(with_punctuation(target, range, source))
}

/// Returns the first and the last word that came from the marked words.
fn marked_words(shares: &[Option<f32>]) -> Option<(usize, usize)> {
    let is_marked = |share: &Option<f32>| share.is_some_and(|share| share > MARKED);
    if let Some(first) = shares.iter().position(is_marked) {
        return Some((first, shares.iter().rposition(is_marked)?));
    }
    let likeliest = shares
        .iter()
        .enumerate()
        .filter_map(|(n, share)| Some((n, (*share)?)));
    let (n, share) = likeliest.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    (share >= LIKELIEST).then_some((n, n))
}

/// Splits at blanks; each word without the punctuation at its edges, a lone mark whole.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let bare = word.trim_end();
        let is_mark = |c: char| !c.is_alphanumeric();
        let core = bare.trim_matches(is_mark);
        let start = at + bare.len() - bare.trim_start_matches(is_mark).len();
        if !core.is_empty() {
            words.push(start..start + core.len());
        } else if !bare.is_empty() {
            words.push(at..at + bare.len());
        }
        at += word.len();
    }
    words
}

/// Tells how much of a target word came from the marked words, from 0 to 1; `None` for punctuation
/// and where no link tells.
fn share(
    masked: &Masked,
    translation: &Translation,
    marked: &Range<usize>,
    word: &Range<usize>,
) -> Option<f32> {
    let text = translation.text.get(word.clone())?;
    if !text.chars().any(char::is_alphanumeric) {
        return None;
    }
    // Where a token came from is certain, whatever the alignment says.
    if let Some(token) = masked.token_in(text) {
        let is_inside = marked.start <= token.range.start && token.range.end <= marked.end;
        return Some(if is_inside { 1.0 } else { 0.0 });
    }
    let (mut from_marked, mut from_all) = (0.0, 0.0);
    for link in &translation.links {
        let shared = link
            .target
            .end
            .min(word.end)
            .saturating_sub(link.target.start.max(word.start));
        // Words are far shorter than what a 16-bit number holds.
        let weight = f32::from(u16::try_from(shared).unwrap_or(u16::MAX)) * link.share;
        from_all += weight;
        if link.source.start < marked.end && marked.start < link.source.end {
            from_marked += weight;
        }
    }
    (from_all > 0.0).then(|| from_marked / from_all)
}

/// Takes punctuation at the edges in where the marked source has the same at its edges.
fn with_punctuation(target: &str, range: Range<usize>, marked: &str) -> Range<usize> {
    let core = marked.trim_start_matches(|c: char| !c.is_alphanumeric());
    let head = marked.get(..marked.len() - core.len()).unwrap_or_default();
    let tail = marked.get(
        marked
            .trim_end_matches(|c: char| !c.is_alphanumeric())
            .len()..,
    );
    let tail = tail.unwrap_or_default();
    let mut range = range;
    if target
        .get(..range.start)
        .is_some_and(|before| before.ends_with(head))
    {
        range.start -= head.len();
    }
    if target
        .get(range.end..)
        .is_some_and(|after| after.starts_with(tail))
    {
        range.end += tail.len();
    }
    range
}
