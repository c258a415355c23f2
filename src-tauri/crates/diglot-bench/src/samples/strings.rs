//! Samples of catalogues: keys and values, messages, resources of programs.

use super::Sample;

pub(super) const SAMPLES: &[Sample] = &[
    Sample::text(
        "en.json",
        [
            "{\n",
            "  \"step{n}\": {\n    \"title\": \"Turn the valve to the left\",\n    \"hint\": \"Wait for {{count}} \\\"minutes\\\"\\u2026\",\n    \"url\": \"m.html\",\n    \"n\": {n}\n  }",
            ",\n",
            "\n}\n",
        ],
    ),
    Sample::text(
        "en.json5",
        [
            "// names\n{\n",
            "  step{n}: 'Turn the valve to the left', // {n}\n  \"hint{n}\": \"Wait\",\n",
            "",
            "}\n",
        ],
    ),
    Sample::text(
        "app_en.arb",
        [
            "{\n  \"@@locale\": \"en\",\n",
            "  \"step{n}\": \"{count, plural, one{Wait a minute} other{Wait {count} minutes}}\",\n  \"@step{n}\": { \"description\": \"how long\" }",
            ",\n",
            "\n}\n",
        ],
    ),
    Sample::text(
        "en.yml",
        [
            "en:\n",
            "  step{n}:\n    title: Turn the valve to the left # first\n    hint: \"Wait for %{count} minutes\"\n    text: |\n      Fill the tank.\n      Close the lid.\n",
            "",
            "",
        ],
    ),
    Sample::text(
        "en.toml",
        [
            "# names\n",
            "[step{n}]\ntitle = \"Turn the valve to the left\"\nhint = 'Wait for it'\nn = {n}\n",
            "\n",
            "",
        ],
    ),
    Sample::text(
        "de.po",
        [
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\"Language: de\\n\"\n\"Plural-Forms: nplurals=2; plural=(n != 1);\\n\"\n\n",
            "#. by hand\n#: pump.c:{n}\n#, c-format\nmsgctxt \"step {n}\"\nmsgid \"Turn the valve to the left, then wait for %d minutes.\"\nmsgstr \"\"\n\n#: pump.c:{n}\nmsgid \"One lid {n}\"\nmsgid_plural \"%d lids {n}\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n",
            "\n",
            "",
        ],
    ),
    Sample::text(
        "pump.pot",
        [
            "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\n",
            "#: pump.c:{n}\nmsgid \"\"\n\"Turn the valve {n} to the left,\\n\"\n\"then wait.\\n\"\nmsgstr \"\"\n",
            "\n",
            "",
        ],
    ),
    Sample::text(
        "pump.xlf",
        [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xliff version=\"1.2\" xmlns=\"urn:oasis:names:tc:xliff:document:1.2\">\n <file original=\"pump\" source-language=\"en\" target-language=\"de\" datatype=\"plaintext\">\n  <body>\n",
            "   <trans-unit id=\"s{n}\">\n    <source>Turn the <g id=\"1\">valve</g> to the left<x id=\"2\"/>.</source>\n   </trans-unit>\n",
            "",
            "  </body>\n </file>\n</xliff>\n",
        ],
    ),
    Sample::text(
        "pump2.xlf",
        [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<xliff version=\"2.0\" srcLang=\"en\" trgLang=\"de\" xmlns=\"urn:oasis:names:tc:xliff:document:2.0\">\n <file id=\"f1\">\n",
            "  <unit id=\"u{n}\">\n   <segment>\n    <source>Turn the <pc id=\"1\">valve</pc> to the left.</source>\n   </segment>\n  </unit>\n",
            "",
            " </file>\n</xliff>\n",
        ],
    ),
    Sample::text(
        "pump_de.ts",
        [
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!DOCTYPE TS>\n<TS version=\"2.1\" language=\"de_DE\">\n<context>\n    <name>Pump</name>\n",
            "    <message>\n        <location filename=\"pump.cpp\" line=\"{n}\"/>\n        <source>Turn the valve %1 to the left {n}</source>\n        <translation type=\"unfinished\"></translation>\n    </message>\n",
            "",
            "</context>\n</TS>\n",
        ],
    ),
    Sample::text(
        "messages.properties",
        [
            "# names\n",
            "step{n}.title = Turn the valve to the left\nstep{n}.hint: Wait for {0} \\\n    minutes\n",
            "",
            "",
        ],
    ),
    Sample::text(
        "Localizable.strings",
        [
            "/* names */\n",
            "\"step{n}\" = \"Turn the \\\"valve\\\" to the left %@\";\n",
            "",
            "",
        ],
    ),
    Sample::text(
        "Localizable.stringsdict",
        [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\n<dict>\n",
            "\t<key>lids{n}</key>\n\t<dict>\n\t\t<key>NSStringLocalizedFormatKey</key>\n\t\t<string>%#@lids@</string>\n\t\t<key>lids</key>\n\t\t<dict>\n\t\t\t<key>NSStringFormatSpecTypeKey</key>\n\t\t\t<string>NSStringPluralRuleType</string>\n\t\t\t<key>NSStringFormatValueTypeKey</key>\n\t\t\t<string>d</string>\n\t\t\t<key>one</key>\n\t\t\t<string>One lid</string>\n\t\t\t<key>other</key>\n\t\t\t<string>%d lids</string>\n\t\t</dict>\n\t</dict>\n",
            "",
            "</dict>\n</plist>\n",
        ],
    ),
    Sample::text(
        "res/values/strings.xml",
        [
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<resources>\n",
            "    <string name=\"step{n}\">Turn the <b>valve</b> to the left, it\\'s %1$s</string>\n    <plurals name=\"lids{n}\">\n        <item quantity=\"one\">One lid</item>\n        <item quantity=\"other\">%d lids</item>\n    </plurals>\n",
            "",
            "</resources>\n",
        ],
    ),
    Sample::text(
        "Strings.resx",
        [
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<root>\n  <resheader name=\"resmimetype\">\n    <value>text/microsoft-resx</value>\n  </resheader>\n",
            "  <data name=\"Step{n}\" xml:space=\"preserve\">\n    <value>Turn the valve to the left, {0}.</value>\n    <comment>first</comment>\n  </data>\n",
            "",
            "</root>\n",
        ],
    ),
    Sample::text(
        "parts.csv",
        [
            "key,text,note\n",
            "step{n},\"Turn the \"\"valve\"\" to the left, then wait\",first\n",
            "",
            "",
        ],
    ),
];
