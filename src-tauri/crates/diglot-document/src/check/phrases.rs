//! What models say around a translation, and whether a text says it. Knows words, not layers.

/// Lists of phrases, one a line, in lower case, with straight apostrophes and without the vowel signs of Arabic. The
/// first line says what they are.
const ANSWER: &str = include_str!("phrases/answer.txt");
const MODEL: &str = include_str!("phrases/model.txt");
const NEGATION: &str = include_str!("phrases/negation.txt");
const NOTE: &str = include_str!("phrases/note.txt");
const OFFER: &str = include_str!("phrases/offer.txt");
const REFUSAL: &str = include_str!("phrases/refusal.txt");
const REGRET: &str = include_str!("phrases/regret.txt");
const THOUGHT: &str = include_str!("phrases/thought.txt");
const TRANSFER: &str = include_str!("phrases/transfer.txt");
const TRANSLATION: &str = include_str!("phrases/translation.txt");

/// Stands in a phrase for any text.
const GAP: &str = " … ";

/// So much of a text is looked at for a refusal, in characters: models refuse at the beginning.
const REFUSAL_PROBE: usize = 200;

/// Lowers a text, straightens its apostrophes and drops the vowel signs of Arabic.
pub(super) fn plain(text: &str) -> String {
    let is_sign =
        |c: &char| matches!(c, '\u{640}' | '\u{64B}'..='\u{652}' | '\u{200B}'..='\u{200F}');
    let straight = |c: char| match c {
        '\u{2019}' | '\u{2018}' => '\'',
        other => other,
    };
    text.chars()
        .filter(|c| !is_sign(c))
        .map(straight)
        .flat_map(char::to_lowercase)
        .collect()
}

/// Tells whether a text speaks of translating.
pub(super) fn speaks_of_translation(plain: &str) -> bool {
    contains_any(plain, TRANSLATION)
}

/// Tells whether a text speaks of a model that could be its author.
fn speaks_of_model(plain: &str) -> bool {
    let is_short_name = |word: &str| matches!(word, "ai" | "ki" | "ia" | "ии");
    contains_any(plain, MODEL) || words(plain).any(is_short_name)
}

/// Tells whether a text speaks of sending money.
pub(super) fn speaks_of_transfer(plain: &str) -> bool {
    contains_any(plain, TRANSFER)
}

/// Tells whether a text begins like the answer to a request.
pub(super) fn begins_as_answer(plain: &str) -> bool {
    begins_with_any(plain, ANSWER)
}

/// Tells whether a text begins like an offer or a hope of its author.
pub(super) fn begins_as_offer(plain: &str) -> bool {
    let plain = plain.trim_start_matches(['¡', '¿']);
    phrases(OFFER).any(|phrase| plain.starts_with(phrase))
}

/// Tells whether a text begins like thoughts about a request.
pub(super) fn begins_as_thought(plain: &str) -> bool {
    phrases(THOUGHT).any(|phrase| plain.starts_with(phrase))
}

/// Tells whether a text begins with the word for a remark and a colon.
pub(super) fn begins_as_note(plain: &str) -> bool {
    let head: String = plain.chars().take(40).collect();
    let Some((label, _)) = head.split_once([':', '：']) else {
        return false;
    };
    let label = label.trim();
    phrases(NOTE).any(|note| note == label)
        || (speaks_of_translation(label) && begins_with_any(label, NOTE))
}

/// Tells whether a text has a word for a remark anywhere.
pub(super) fn has_note(plain: &str) -> bool {
    let is_word = |note: &str| words(plain).any(|word| word == note);
    phrases(NOTE).any(|note| is_word(note) || !note.is_ascii() && plain.contains(note))
}

/// Tells whether a target refuses and its source does not.
pub(super) fn refuses_unlike(source: &str, target: &str) -> bool {
    let head: String = plain(target).chars().take(REFUSAL_PROBE).collect();
    let source = plain(source);
    if denies_translation(&head) && !speaks_of_translation(&source) && !speaks_of_transfer(&source)
    {
        return true;
    }
    if !refuses(&head) {
        return false;
    }
    let is_about_itself = speaks_of_translation(&head) || speaks_of_model(&head);
    if speaks_of_translation(&source) || speaks_of_model(&source) {
        return false;
    }
    is_about_itself || !regrets(&source)
}

/// Tells whether a sentence speaks of translating and denies, whatever its words: `Translating this is not for me`.
fn denies_translation(plain: &str) -> bool {
    let mut sentences = plain.split_inclusive(['.', '!', '?', '。', '！', '？', '\n']);
    sentences.any(|sentence| {
        // Words that deny stand between blanks where words do.
        let padded = format!(" {sentence} ");
        speaks_of_translation(sentence) && contains_any(&padded, NEGATION)
    })
}

/// Tells whether a text reads like a refusal.
fn refuses(plain: &str) -> bool {
    phrases(REFUSAL).any(|phrase| {
        let mut rest = plain;
        phrase.split(GAP).all(|piece| match rest.split_once(piece) {
            Some((_, after)) => {
                rest = after;
                true
            }
            None => false,
        })
    })
}

/// Tells whether a text regrets or declines something itself.
fn regrets(plain: &str) -> bool {
    refuses(plain) || contains_any(plain, REGRET)
}

fn words(plain: &str) -> impl Iterator<Item = &str> {
    plain.split(|c: char| !c.is_alphanumeric())
}

fn phrases(list: &str) -> impl Iterator<Item = &str> {
    list.lines().filter(|line| !line.starts_with('#'))
}

fn contains_any(text: &str, list: &str) -> bool {
    phrases(list).any(|phrase| text.contains(phrase))
}

/// Tells whether a text begins with a phrase that ends where a word ends.
fn begins_with_any(text: &str, list: &str) -> bool {
    phrases(list).any(|phrase| {
        let Some(rest) = text.strip_prefix(phrase) else {
            return false;
        };
        let is_open = |c: char| c > '\u{2FFF}' || !c.is_alphanumeric();
        let unspaced = phrase.chars().next_back().is_some_and(is_open);
        unspaced || !rest.starts_with(char::is_alphanumeric)
    })
}
