//! Small numbers as words, by language.

/// Stems of the words for 1 to 12, and their ordinals where the stem differs; `/` parts variants.
const STEMS: [(&str, [&str; 12]); 9] = [
    (
        "en",
        [
            "one/first/single/once",
            "two/second/both/twice",
            "three/third",
            "four",
            "five/fifth",
            "six",
            "seven",
            "eight",
            "nine/ninth",
            "ten",
            "eleven",
            "twel",
        ],
    ),
    (
        "de",
        [
            "ein/erst",
            "zwei/zwo/beide",
            "drei/dritt",
            "vier",
            "fünf",
            "sechs",
            "sieb",
            "acht",
            "neun",
            "zehn",
            "elf",
            "zwölf",
        ],
    ),
    (
        "fr",
        [
            "un/premi",
            "deux/second",
            "trois",
            "quatr",
            "cinq",
            "six",
            "sept",
            "huit",
            "neuf/neuv",
            "dix",
            "onz",
            "douz",
        ],
    ),
    (
        "es",
        [
            "un/primer",
            "dos/segund",
            "tres/tercer",
            "cuatro/cuart",
            "cinco/quint",
            "seis/sext",
            "siete/séptim",
            "ocho/octav",
            "nueve/noven",
            "diez/décim",
            "once",
            "doce",
        ],
    ),
    (
        "pt",
        [
            "um/primeir",
            "dois/duas/segund",
            "três/terceir",
            "quatro/quart",
            "cinco/quint",
            "seis/sext",
            "sete/sétim",
            "oito/oitav",
            "nove/non",
            "dez/décim",
            "onze",
            "doze",
        ],
    ),
    (
        "it",
        [
            "un/prim",
            "due/second",
            "tre/terz",
            "quattro/quart",
            "cinque/quint",
            "sei/sest",
            "sette/settim",
            "otto/ottav",
            "nove/non",
            "dieci/decim",
            "undic",
            "dodic",
        ],
    ),
    (
        "nl",
        [
            "een/één/eerst",
            "twee",
            "drie/derd",
            "vier",
            "vijf",
            "zes",
            "zeven",
            "acht",
            "negen",
            "tien",
            "elf",
            "twaalf",
        ],
    ),
    (
        "ru",
        [
            "один/одн/перв/раз/единств",
            "два/две/двух/двум/двое/дважды/втор/оба/обе/обо/пар",
            "три/трём/трем/трёх/трех/трет/трое",
            "четыр/четвер/четвёр",
            "пят",
            "шест",
            "сем/седьм",
            "восем/восьм",
            "девят",
            "десят",
            "одиннадцат",
            "двенадцат",
        ],
    ),
    (
        "ar",
        [
            "واحد/أول/إحدى/أحد/مرة",
            "اثن/ثان/مرتين/كلا",
            "ثلاث/ثالث",
            "أربع/رابع",
            "خمس/خامس",
            "ست/سادس",
            "سبع/سابع",
            "ثمان/ثماني/ثامن",
            "تسع/تاسع",
            "عشر/عاشر",
            "أحد عشر/إحدى عشر",
            "اثن/اثنا/اثني",
        ],
    ),
];

/// Largest number that languages commonly write as a word.
const LARGEST_WORD: u32 = 12;

/// Largest number that is looked for in Chinese characters.
const LARGEST_HAN: u32 = 99;

/// Words for nothing, in whatever language.
const ZEROS: [&str; 10] = [
    "zero", "null", "zéro", "cero", "nul", "noll", "нул", "нол", "零", "ゼロ",
];

const HAN_DIGITS: [&str; 10] = ["", "一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// Tells whether a text may hold a small number as a word; `None` in a language without a list here.
pub(super) fn may_spell(language: &str, text: &str, number: u32) -> Option<bool> {
    if number <= LARGEST_WORD && number > 0 && !has_words(language) {
        return None;
    }
    Some(spells(language, text, number))
}

fn has_words(language: &str) -> bool {
    matches!(language, "zh" | "ja") || STEMS.iter().any(|(code, _)| *code == language)
}

fn spells(language: &str, text: &str, number: u32) -> bool {
    if matches!(language, "zh" | "ja") && number > 0 {
        return spells_in_han(text, number);
    }
    if number == 0 {
        let text = text.to_lowercase();
        return ZEROS.iter().any(|zero| text.contains(zero));
    }
    if !(1..=LARGEST_WORD).contains(&number) {
        return false;
    }
    let of_language = STEMS.iter().find(|(code, _)| *code == language);
    let index = usize::try_from(number - 1).ok();
    let stems = of_language.zip(index);
    let Some(variants) = stems.and_then(|((_, stems), index)| stems.get(index)) else {
        return false;
    };
    let text = text.to_lowercase();
    let begins = |word: &str| {
        // What Arabic writes in front of a word: `and`, `so`, `in`, `for`, `as`, and the article.
        let bare = word.trim_start_matches(['و', 'ف', 'ب', 'ل', 'ك']);
        let bare = bare.trim_start_matches("ال");
        let mut stems = variants.split('/');
        stems.any(|stem| word.starts_with(stem) || bare.starts_with(stem))
    };
    text.split(|c: char| !c.is_alphabetic()).any(begins)
}

/// Looks for a number in Chinese characters, for instance 十九 for 19.
fn spells_in_han(text: &str, number: u32) -> bool {
    let digit = |value: u32| {
        usize::try_from(value)
            .ok()
            .and_then(|value| HAN_DIGITS.get(value))
    };
    let (Some(tens), Some(ones)) = (digit(number / 10), digit(number % 10)) else {
        return false;
    };
    match number {
        1 => text.contains(['一', '首']),
        2 => text.contains(['二', '两', '兩', '双', '雙']),
        3..=9 => text.contains(ones),
        10..=19 => text.contains(&format!("十{ones}")),
        20..=LARGEST_HAN => text.contains(&format!("{tens}十{ones}")),
        _ => false,
    }
}
