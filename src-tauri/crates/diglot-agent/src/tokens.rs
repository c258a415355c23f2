//! Estimates tokens where no provider has counted them. Must not know any tokenizer.

/// Estimates the tokens of a text: four bytes of Latin text or one character of CJK each, as common tokenizers do.
pub fn estimate(text: &str) -> usize {
    let wide = text.chars().filter(|c| is_wide(*c)).count();
    let narrow = text.chars().filter(|c| !is_wide(*c));
    wide + narrow.map(char::len_utf8).sum::<usize>().div_ceil(4)
}

/// Tells characters of scripts that write a word in one or two of them.
fn is_wide(c: char) -> bool {
    u32::from(c) >= 0x2E80
}

#[cfg(test)]
mod tests {
    use super::estimate;

    #[test]
    fn latin_text_takes_a_quarter_of_its_bytes_and_cjk_a_token_a_character() {
        for (text, expected) in [
            ("", 0),
            ("a", 1),
            ("word word", 3),
            ("打开门", 3),
            ("打开 door", 4),
        ] {
            assert_eq!(estimate(text), expected, "{text}");
        }
    }
}
