use proptest::prelude::*;

use crate::Format;
use crate::format::proof::{check, parse, prove, prove_values};

const FILE: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n\t<key>%d files</key>\n\t<dict>\n\t\t<key>NSStringLocalizedFormatKey</key>\n\t\t<string>%#@files@ in all</string>\n\t\t<key>files</key>\n\t\t<dict>\n\t\t\t<key>NSStringFormatSpecTypeKey</key>\n\t\t\t<string>NSStringPluralRuleType</string>\n\t\t\t<key>one</key>\n\t\t\t<string>One file &amp; folder</string>\n\t\t\t<key>other</key>\n\t\t\t<string>%d files</string>\n\t\t</dict>\n\t</dict>\n\t<key>simple</key>\n\t<dict>\n\t\t<key>NSStringLocalizedFormatKey</key>\n\t\t<string>%#@n@</string>\n\t</dict>\n</dict>\n</plist>\n";

#[test]
fn forms_are_units() {
    check(
        Format::AppleStringsDict,
        FILE,
        &["%#@files@ in all", "One file & folder", "%d files"],
    );
    let document = parse(Format::AppleStringsDict, FILE);
    assert_eq!(
        document.segments[1].hints.note.as_deref(),
        Some("%d files / files / one")
    );
}

proptest! {
    #[test]
    fn any_target_reads_back(target in "[a-z <>/&;'\"\n\té日]{0,20}x") {
        prove_values(Format::AppleStringsDict, FILE, &target);
    }

    #[test]
    fn any_text_keeps_its_bytes(text in "(<dict>|</dict>|<key>(one|b)</key>|<string>|</string>|&lt;|[a-zé]{1,6}|[<>&\n]){0,40}") {
        prove(&parse(Format::AppleStringsDict, &text));
    }
}
