//! What models say around a translation, in the languages that they say it in. All in lower case,
//! with straight apostrophes.

/// Stems of `translate` and `translation`.
const TRANSLATION: &[&str] = &[
    "translat",
    "übersetz",
    "traduc",
    "traduç",
    "traduz",
    "traduir",
    "traduit",
    "vertal",
    "vertaling",
    "перевод",
    "перевест",
    "перевож",
    "переклад",
    "翻译",
    "翻譯",
    "译文",
    "譯文",
    "翻訳",
    "訳文",
    "번역",
    "ترجم",
    "tłumacz",
    "çevir",
    "översätt",
    "oversæt",
    "oversett",
    "käännö",
    "kääntä",
    "překlad",
    "přelož",
    "fordít",
    "traducer",
    "μετάφρασ",
    "μεταφράσ",
    "תרגו",
    "अनुवाद",
    "terjemah",
    "bản dịch",
    "คำแปล",
    "แปล",
    "превод",
];

/// How a reply to a request begins.
const ANSWER: &[&str] = &[
    "sure",
    "certainly",
    "of course",
    "absolutely",
    "here is",
    "here's",
    "here you go",
    "okay",
    "gerne",
    "natürlich",
    "selbstverständlich",
    "klar",
    "hier ist",
    "hier kommt",
    "bien sûr",
    "certainement",
    "voici",
    "claro",
    "por supuesto",
    "aquí está",
    "aquí tienes",
    "con gusto",
    "aqui está",
    "com certeza",
    "certamente",
    "ecco",
    "certo",
    "natuurlijk",
    "zeker",
    "конечно",
    "вот",
    "当然",
    "好的",
    "以下是",
    "這是",
    "这是",
    "もちろん",
    "以下",
    "こちら",
    "물론",
    "다음은",
    "بالتأكيد",
    "إليك",
    "oczywiście",
    "oto",
    "tabii",
    "işte",
    "självklart",
    "här är",
];

/// How a remark of the translator begins.
const NOTE: &[&str] = &[
    "note",
    "translator's note",
    "translator note",
    "translation note",
    "n.b.",
    "remark",
    "explanation",
    "anmerkung",
    "hinweis",
    "anm.",
    "erläuterung",
    "remarque",
    "note du traducteur",
    "note de traduction",
    "nota",
    "nota del traductor",
    "nota do tradutor",
    "n. del t.",
    "n. do t.",
    "nota del traduttore",
    "observação",
    "opmerking",
    "noot",
    "примечание",
    "прим.",
    "注",
    "译注",
    "譯註",
    "註",
    "说明",
    "訳注",
    "注記",
    "注意",
    "備考",
    "참고",
    "역주",
    "ملاحظة",
    "uwaga",
    "przypis",
    "not",
    "anmärkning",
    "poznámka",
];

/// Pieces that stand together in a refusal, in this order.
const REFUSAL: &[&[&str]] = &[
    &["as an ai"],
    &["as a language model"],
    &["ai language model"],
    &["i'm an ai"],
    &["i cannot", "translat"],
    &["i can't", "translat"],
    &["i can not", "translat"],
    &["i am unable to"],
    &["i'm unable to"],
    &["i am not able to", "translat"],
    &["i'm not able to", "translat"],
    &["i won't", "translat"],
    &["sorry", "i can't", "with that"],
    &["sorry", "i cannot", "with that"],
    &["sorry", "i can't", "request"],
    &["sorry", "i cannot", "request"],
    &["sorry", "can't assist"],
    &["sorry", "cannot assist"],
    &["als ki"],
    &["als sprachmodell"],
    &["ich kann", "nicht", "übersetz"],
    &["leid", "kann ich nicht"],
    &["leid", "ich kann", "nicht"],
    &["ich bin nicht in der lage"],
    &["en tant qu'ia"],
    &["en tant que modèle"],
    &["je ne peux pas", "tradui"],
    &["désolé", "je ne peux pas"],
    &["je ne suis pas en mesure"],
    &["como ia"],
    &["como modelo de lenguaje"],
    &["como modelo de linguagem"],
    &["no puedo", "traduc"],
    &["lo siento", "no puedo"],
    &["não posso", "traduz"],
    &["não consigo", "traduz"],
    &["desculpe", "não posso"],
    &["lamento", "não posso"],
    &["come ia"],
    &["come modello linguistico"],
    &["non posso", "tradur"],
    &["mi dispiace", "non posso"],
    &["als ai"],
    &["kan", "niet vertalen"],
    &["sorry", "ik kan", "niet"],
    &["как ии"],
    &["как языковая модель"],
    &["не могу", "перев"],
    &["извините", "не могу"],
    &["作为ai"],
    &["作为人工智能"],
    &["作为一个"],
    &["无法", "翻译"],
    &["不能", "翻译"],
    &["抱歉", "无法"],
    &["抱歉", "不能"],
    &["無法", "翻譯"],
    &["翻訳できません"],
    &["翻訳することはできません"],
    &["申し訳", "できません"],
    &["번역할 수 없"],
    &["죄송", "수 없"],
    &["لا أستطيع", "ترجم"],
    &["لا يمكنني", "ترجم"],
    &["آسف", "لا يمكنني"],
    &["nie mogę", "tłumacz"],
    &["przykro mi", "nie mogę"],
];

/// Words of a text that regrets or cannot do something itself: its translation does so too.
const REGRET: &[&str] = &[
    "sorry",
    "cannot",
    "can't",
    "can not",
    "unable",
    "not able",
    "won't",
    "regret",
    "afraid",
    "leid",
    "kann nicht",
    "nicht in der lage",
    "désolé",
    "peux pas",
    "regrett",
    "siento",
    "puedo",
    "lament",
    "desculp",
    "posso",
    "consigo",
    "dispiace",
    "spijt",
    "kan niet",
    "извин",
    "прост",
    "не могу",
    "抱歉",
    "对不起",
    "對不起",
    "无法",
    "無法",
    "不能",
    "作为",
    "作為",
    "申し訳",
    "すみません",
    "ごめん",
    "できません",
    "できない",
    "죄송",
    "미안",
    "수 없",
    "آسف",
    "أستطيع",
    "يمكنني",
    "przykro",
    "przepraszam",
    "nie mogę",
    "förlåt",
    "tyvärr",
    "beklag",
];

/// So much of a text is looked at for a refusal, in characters: models refuse at the beginning.
const REFUSAL_PROBE: usize = 200;

/// Lowers a text and straightens its apostrophes.
pub(super) fn plain(text: &str) -> String {
    text.to_lowercase().replace(['\u{2019}', '\u{2018}'], "'")
}

/// Tells whether a text speaks of translating.
pub(super) fn speaks_of_translation(plain: &str) -> bool {
    TRANSLATION.iter().any(|stem| plain.contains(stem))
}

/// Tells whether a text begins like the answer to a request.
pub(super) fn begins_as_answer(plain: &str) -> bool {
    ANSWER.iter().any(|phrase| begins_with(plain, phrase))
}

/// Tells whether a text begins with the word for a remark and a colon.
pub(super) fn begins_as_note(plain: &str) -> bool {
    let head: String = plain.chars().take(40).collect();
    let Some((label, _)) = head.split_once([':', '：']) else {
        return false;
    };
    let label = label.trim();
    NOTE.contains(&label)
        || (speaks_of_translation(label) && NOTE.iter().any(|word| begins_with(label, word)))
}

/// Tells whether a text has a word for a remark anywhere.
pub(super) fn has_note(plain: &str) -> bool {
    let words = plain.split(|c: char| !c.is_alphanumeric());
    let is_note = |word: &str| NOTE.contains(&word);
    words.into_iter().any(is_note)
        || NOTE
            .iter()
            .any(|note| !note.is_ascii() && plain.contains(note))
}

/// Tells whether a text reads like a refusal.
pub(super) fn refuses(text: &str) -> bool {
    let head: String = plain(text).chars().take(REFUSAL_PROBE).collect();
    REFUSAL.iter().any(|pieces| {
        let mut rest = head.as_str();
        pieces.iter().all(|piece| match rest.split_once(piece) {
            Some((_, after)) => {
                rest = after;
                true
            }
            None => false,
        })
    })
}

/// Tells whether a text regrets or declines something itself.
pub(super) fn regrets(text: &str) -> bool {
    let text = plain(text);
    refuses(&text) || REGRET.iter().any(|word| text.contains(word))
}

/// Tells whether a text begins with a phrase that ends where a word ends.
fn begins_with(text: &str, phrase: &str) -> bool {
    let Some(rest) = text.strip_prefix(phrase) else {
        return false;
    };
    let unspaced = phrase.chars().next_back().is_some_and(|c| c > '\u{2FFF}');
    unspaced || !rest.starts_with(char::is_alphanumeric)
}
