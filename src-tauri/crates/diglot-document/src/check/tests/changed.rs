//! P19: whatever a translation changes in a link, an address, code or a number is shown to the person.

use diglot_testkit::Promise;

use super::*;

/// Languages, source, true translation, and the same with one change that a reader overlooks.
const CHANGED: [(&str, &str, &str, &str); 44] = [
    // Hosts and paths of links.
    (
        "en>de",
        "Download it from [our site](https://example.org/app).",
        "Laden Sie es von [unserer Seite](https://example.org/app).",
        "Laden Sie es von [unserer Seite](https://example.com/app).",
    ),
    (
        "en>zh",
        "Sign in at https://login.example.org to confirm.",
        "请在 https://login.example.org 登录确认。",
        "请在 https://login-example.org 登录确认。",
    ),
    (
        "en>fr",
        "See https://example.org/help?id=7 for help.",
        "Pour obtenir de l’aide, consultez https://example.org/help?id=7.",
        "Pour obtenir de l’aide, consultez https://example.org.evil.test/help?id=7.",
    ),
    (
        "en>es",
        "Read the [terms](https://example.org/terms).",
        "Lea las [condiciones](https://example.org/terms).",
        "Lea las [condiciones](http://example.org/terms).",
    ),
    (
        "en>ru",
        "Visit www.example.org today.",
        "Посетите www.example.org сегодня.",
        "Посетите www.examp1e.org сегодня.",
    ),
    (
        "en>pt",
        "Pay at <https://pay.example.org>.",
        "Pague em <https://pay.example.org>.",
        "Pague em <https://pay.example.org.br>.",
    ),
    // A letter of another script in a host.
    (
        "en>de",
        "Open https://example.org/app now.",
        "Öffnen Sie jetzt https://example.org/app.",
        "Öffnen Sie jetzt https://ex\u{430}mple.org/app.",
    ),
    (
        "en>ru",
        "Go to https://paypal.example/login first.",
        "Сначала перейдите на https://paypal.example/login.",
        "Сначала перейдите на https://p\u{430}ypal.example/login.",
    ),
    (
        "en>ja",
        "See [the shop](https://shop.example.org).",
        "[ショップ](https://shop.example.org)をご覧ください。",
        "[ショップ](https://sh\u{43E}p.example.org)をご覧ください。",
    ),
    (
        "en>ru",
        "Updates come from example.org and nowhere else.",
        "Обновления приходят только с example.org.",
        "Обновления приходят только с ex\u{430}mple.org.",
    ),
    (
        "en>de",
        "Our shop is at example.org.",
        "Unser Laden ist unter example.org zu finden.",
        "Unser Laden ist unter example.net zu finden.",
    ),
    // Mail.
    (
        "en>de",
        "Write to billing@example.org.",
        "Schreiben Sie an billing@example.org.",
        "Schreiben Sie an billing@example.net.",
    ),
    (
        "en>ar",
        "Send the form to info@example.org today.",
        "أرسل النموذج إلى info@example.org اليوم.",
        "أرسل النموذج إلى lnfo@example.org اليوم.",
    ),
    (
        "en>fr",
        "Contact [Anna](mailto:anna@example.org).",
        "Contactez [Anna](mailto:anna@example.org).",
        "Contactez [Anna](mailto:anna@example.or).",
    ),
    (
        "en>ru",
        "Mail support@example.org for help.",
        "За помощью пишите на support@example.org.",
        "За помощью пишите на supp\u{43E}rt@example.org.",
    ),
    // Code.
    (
        "en>de",
        "Run `rm -r build` once.",
        "Führen Sie einmal `rm -r build` aus.",
        "Führen Sie einmal `rm -rf build` aus.",
    ),
    (
        "en>zh",
        "Set `verify` to `true` first.",
        "先将 `verify` 设为 `true`。",
        "先将 `verify` 设为 `false`。",
    ),
    (
        "en>es",
        "Use the `--dry-run` option.",
        "Use la opción `--dry-run`.",
        "Use la opción `--run`.",
    ),
    (
        "en>ja",
        "Call `open()` and then `close()`.",
        "`open()` を呼び出してから `close()` を呼び出します。",
        "`open()` を呼び出してから `closed()` を呼び出します。",
    ),
    // Bank and card numbers.
    (
        "en>de",
        "Transfer the sum to DE89 3704 0044 0532 0130 00.",
        "Überweisen Sie den Betrag auf DE89 3704 0044 0532 0130 00.",
        "Überweisen Sie den Betrag auf DE89 3704 0044 0532 0130 01.",
    ),
    (
        "en>fr",
        "IBAN: FR7630006000011234567890189",
        "IBAN : FR7630006000011234567890189",
        "IBAN : FR7630006000011234567890188",
    ),
    (
        "en>es",
        "Our account is ES91 2100 0418 4502 0005 1332.",
        "Nuestra cuenta es ES91 2100 0418 4502 0005 1332.",
        "Nuestra cuenta es ES91 2100 0418 4520 0005 1332.",
    ),
    (
        "en>pt",
        "Use the IBAN GB29 NWBK 6016 1331 9268 19.",
        "Use o IBAN GB29 NWBK 6016 1331 9268 19.",
        "Use o IBAN GB92 NWBK 6016 1331 9268 19.",
    ),
    (
        "en>de",
        "Use the IBAN GB29 NWBK 6016 1331 9268 19.",
        "Verwenden Sie die IBAN GB29 NWBK 6016 1331 9268 19.",
        "Verwenden Sie die IBAN GB29 NVBK 6016 1331 9268 19.",
    ),
    (
        "en>ru",
        "The card number is 4111 1111 1111 1111.",
        "Номер карты: 4111 1111 1111 1111.",
        "Номер карты: 4111 1111 1111 1117.",
    ),
    // Amounts.
    (
        "en>de",
        "The fee is 1,250.00 euros.",
        "Die Gebühr beträgt 1.250,00 Euro.",
        "Die Gebühr beträgt 1.250,50 Euro.",
    ),
    (
        "en>fr",
        "The price is $12,500 a year.",
        "Le prix est de 12 500 $ par an.",
        "Le prix est de 125 000 $ par an.",
    ),
    (
        "en>zh",
        "It sold 1.5 million copies.",
        "它售出了150万册。",
        "它售出了15万册。",
    ),
    (
        "en>ja",
        "The budget is 30,000 dollars.",
        "予算は3万ドルです。",
        "予算は30万ドルです。",
    ),
    (
        "en>ar",
        "The tank holds 1,234.5 litres.",
        "يتسع الخزان لمقدار ١٬٢٣٤٫٥ لتر.",
        "يتسع الخزان لمقدار ١٬٢٤٣٫٥ لتر.",
    ),
    (
        "en>es",
        "Sales rose by 3.7% in June.",
        "Las ventas subieron un 3,7 % en junio.",
        "Las ventas subieron un 7,3 % en junio.",
    ),
    // Dates and times.
    (
        "en>de",
        "The offer ends on May 13, 2025.",
        "Das Angebot endet am 13. Mai 2025.",
        "Das Angebot endet am 18. Mai 2025.",
    ),
    (
        "en>ja",
        "The contract starts on 2025-04-01.",
        "契約は2025年4月1日に始まります。",
        "契約は2026年4月1日に始まります。",
    ),
    (
        "en>ru",
        "Valid until 31.12.2025.",
        "Действительно до 31.12.2025.",
        "Действительно до 31.12.2035.",
    ),
    (
        "en>pt",
        "The train leaves at 07:45.",
        "O trem parte às 07:45.",
        "O trem parte às 07:54.",
    ),
    (
        "en>de",
        "We open at 2:30 pm.",
        "Wir öffnen um 14.30 Uhr.",
        "Wir öffnen um 13.30 Uhr.",
    ),
    // Telephones, versions, doses.
    (
        "en>fr",
        "Call +33 1 23 45 67 89 for help.",
        "Pour obtenir de l’aide, appelez le +33 1 23 45 67 89.",
        "Pour obtenir de l’aide, appelez le +33 1 23 45 76 89.",
    ),
    (
        "en>zh",
        "You need version 3.12.4 or later.",
        "您需要 3.12.4 或更高版本。",
        "您需要 3.21.4 或更高版本。",
    ),
    (
        "en>ru",
        "Take 0.5 mg twice a day.",
        "Принимайте по 0,5 мг два раза в день.",
        "Принимайте по 5 мг два раза в день.",
    ),
    // Numbers as words on one side.
    (
        "en>de",
        "Press the button 3 times.",
        "Drücken Sie den Knopf dreimal.",
        "Drücken Sie den Knopf viermal.",
    ),
    (
        "en>ru",
        "Wait 5 minutes before you start.",
        "Подождите пять минут, прежде чем начать.",
        "Подождите шесть минут, прежде чем начать.",
    ),
    (
        "en>fr",
        "The kit has four screws.",
        "Le kit contient quatre vis.",
        "Le kit contient 5 vis.",
    ),
    (
        "ru>ar",
        "Подождите 5 минут.",
        "انتظر 5 دقائق.",
        "انتظر 6 دقائق.",
    ),
    (
        "en>zh",
        "There are 12 rooms in the house.",
        "这栋房子有十二个房间。",
        "这栋房子有十三个房间。",
    ),
];

/// What tells a changed fact.
fn is_mark(issue: &Issue) -> bool {
    matches!(
        issue.kind,
        IssueKind::Number | IssueKind::Protected | IssueKind::Placeholder
    )
}

#[test]
fn p19_changed_links_and_numbers_are_marked() {
    let mut unmarked = Vec::new();
    let mut accused = Vec::new();
    for (languages, source, kept, changed) in CHANGED {
        for format in [Format::Markdown, Format::PlainText] {
            if format == Format::PlainText && source.contains(['`', '[', '<']) {
                continue;
            }
            if !run_in(format, languages, source, changed)
                .iter()
                .any(is_mark)
            {
                unmarked.push(format!("{format:?} {changed}"));
            }
            let issues = run_in(format, languages, source, kept);
            if !issues.is_empty() {
                accused.push(format!("{format:?} {kept} {issues:?}"));
            }
        }
    }
    let (n_all, n_missed, n_false) = (CHANGED.len(), unmarked.len(), accused.len());
    let figure = format!("{n_missed} of {n_all} changes unmarked, {n_false} true ones marked");
    println!("{unmarked:#?}\n{accused:#?}");
    Promise::new(19, n_missed + n_false == 0, figure, "0 and 0").tell();
}
