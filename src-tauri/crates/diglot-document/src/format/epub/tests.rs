use std::io::{Cursor, Read as _, Write as _};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::format::package::Package;
use crate::{Document, Format, LanguageTag, ParseOptions, Untranslatable, render_target};

const CONTAINER: &str =
    "<container><rootfiles><rootfile full-path='OPS/book.opf'/></rootfiles></container>";

const CHAPTER: &str = "<?xml version=\"1.0\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" xml:lang=\"en\">\
    <head><title>One</title></head><body><h1>Chapter One</h1><p>She named it <em>mercy</em>.\
    <a href=\"notes.xhtml#n12\"><sup>12</sup></a></p><hr/><p>Next morning <ruby>東京<rt>Tokyo</rt></ruby>\n  was grey.</p></body></html>";

const PACKAGE: &str = "<?xml version='1.0'?><package version='3.0' xml:lang='en'><metadata>\
    <dc:title>Small &amp; Book</dc:title><dc:creator>Ada</dc:creator><dc:language> en-GB </dc:language>\
    <dc:description>What it is.</dc:description></metadata><manifest>\
    <item id='t' href='toc.ncx' media-type='application/x-dtbncx+xml'/>\
    <item id='v' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>\
    <item id='n' href='text/notes.xhtml' media-type='application/xhtml+xml'/>\
    <item id='c' href='text/Chapter%201.xhtml' media-type='application/xhtml+xml'/>\
    <item id='f' href='a.otf' media-type='font/otf'/><item id='x' href='none.xhtml' media-type='application/xhtml+xml'/>\
    </manifest><spine toc='t'><itemref idref='c'/><itemref idref='c'/><itemref idref='x'/></spine></package>";

const CONTENTS: &str = "<ncx xml:lang='en'><docTitle><text>Book</text></docTitle><docAuthor><text>Ada</text></docAuthor>\
    <navMap><navPoint><navLabel><text>Chapter One</text></navLabel><content src='a'/></navPoint></navMap>\
    <pageList><pageTarget><navLabel><text>xii</text></navLabel></pageTarget></pageList></ncx>";

/// Packs a book with further members behind its own.
fn book(more: &[(&str, &str)]) -> Vec<u8> {
    let page = |text: &str| format!("<html><body><p>{text}</p></body></html>");
    let (notes, nav) = (page("12. See page 80."), page("Chapter One"));
    let members = [
        ("mimetype", "application/epub+zip"),
        ("META-INF/container.xml", CONTAINER),
        ("OPS/book.opf", PACKAGE),
        ("OPS/toc.ncx", CONTENTS),
        ("OPS/nav.xhtml", nav.as_str()),
        ("OPS/text/notes.xhtml", notes.as_str()),
        ("OPS/text/Chapter 1.xhtml", CHAPTER),
        ("OPS/a.otf", "font"),
    ];
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members.iter().chain(more) {
        let method = if *name == "mimetype" {
            CompressionMethod::Stored
        } else {
            CompressionMethod::Deflated
        };
        let options = SimpleFileOptions::default().compression_method(method);
        writer.start_file(*name, options).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn parse(bytes: &[u8], target: Option<&str>) -> Result<Document, Untranslatable> {
    let options = ParseOptions {
        target: target.map(|tag| LanguageTag::parse(tag).unwrap()),
        ..ParseOptions::default()
    };
    Document::parse(Format::Epub, bytes, &options)
}

fn member(bytes: &[u8], name: &str) -> String {
    let mut package = Package::open(bytes).unwrap();
    String::from_utf8(package.read_name(name).unwrap().unwrap()).unwrap()
}

#[test]
fn a_book_is_read_in_its_order() {
    let document = parse(&book(&[]), None).unwrap();
    let found: Vec<_> = document
        .segments
        .iter()
        .map(|s| s.source.as_str())
        .collect();
    assert_eq!(
        found,
        [
            "One",
            "Chapter One",
            "She named it <em>mercy</em>.<a href=\"notes.xhtml#n12\"><sup>12</sup></a>",
            "Next morning <ruby>東京<rt>Tokyo</rt></ruby> was grey.",
            "12. See page 80.",
            "Book",
            "Chapter One",
            "Chapter One",
            "Small &amp; Book",
            "What it is.",
        ]
    );
}

#[test]
fn a_book_keeps_its_bytes() {
    let bytes = book(&[]);
    for target in [None, Some("de")] {
        let document = parse(&bytes, target).unwrap();
        let sources: Vec<_> = document
            .segments
            .iter()
            .map(|s| s.source.as_str())
            .collect();
        assert_eq!(render_target(&document, |_| None).unwrap(), bytes);
        let itself = render_target(&document, |n| sources.get(n).copied()).unwrap();
        assert_eq!(itself, bytes);
    }
    let document = parse(&bytes, None).unwrap();
    let marked: Vec<_> = document
        .segments
        .iter()
        .map(|s| format!("⟦{}⟧", s.source))
        .collect();
    let output = render_target(&document, |n| marked.get(n).map(String::as_str)).unwrap();
    let mut package = ZipArchive::new(Cursor::new(&output)).unwrap();
    let mut original = ZipArchive::new(Cursor::new(&bytes)).unwrap();
    assert_eq!(package.len(), original.len());
    for index in 0..package.len() {
        let mut texts = [String::new(), String::new()];
        let mut found = package.by_index(index).unwrap();
        found.read_to_string(&mut texts[0]).unwrap();
        let mut wanted = original.by_index(index).unwrap();
        wanted.read_to_string(&mut texts[1]).unwrap();
        assert_eq!(found.name().unwrap(), wanted.name().unwrap());
        assert_eq!(texts[0].replace(['⟦', '⟧'], ""), texts[1]);
    }
    // The first member is stored, right behind a header of 30 bytes and its name.
    assert_eq!(output.get(..58), bytes.get(..58));
}

#[test]
fn a_book_names_the_language_of_the_target() {
    let bytes = book(&[]);
    let render = |target: &str| {
        let document = parse(&bytes, Some(target)).unwrap();
        render_target(&document, |n| (n == 1).then_some("Wort")).unwrap()
    };
    let german = render("de");
    let package = member(&german, "OPS/book.opf");
    assert!(
        package.contains("<dc:language> de </dc:language>"),
        "{package}"
    );
    assert!(package.contains("version='3.0' xml:lang='de'>"));
    assert!(member(&german, "OPS/toc.ncx").starts_with("<ncx xml:lang='de'>"));
    let chapter = member(&german, "OPS/text/Chapter 1.xhtml");
    assert!(chapter.contains("xml:lang=\"de\"") && chapter.contains("<h1>Wort</h1>"));
    assert_eq!(member(&render("en-US"), "OPS/book.opf"), PACKAGE);
    let arabic = member(&render("ar"), "OPS/book.opf");
    assert!(arabic.contains("<spine page-progression-direction=\"rtl\" toc='t'>"));
}

#[test]
fn what_cannot_be_read_is_refused() {
    let encrypted = |uri: &str| {
        let text = format!(
            "<encryption><enc:EncryptedData><enc:CipherData><enc:CipherReference URI='{uri}'/></enc:CipherData></enc:EncryptedData></encryption>"
        );
        parse(&book(&[("META-INF/encryption.xml", &text)]), None)
            .map(|document| document.segments.len())
    };
    assert_eq!(
        encrypted("OPS/text/Chapter%201.xhtml"),
        Err(Untranslatable::Encrypted)
    );
    assert_eq!(encrypted("OPS/a.otf"), Ok(10));
    let bytes = book(&[]);
    assert_eq!(
        parse(&bytes[..bytes.len() - 9], None).unwrap_err(),
        Untranslatable::Damaged
    );
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer
        .start_file("mimetype", SimpleFileOptions::default())
        .unwrap();
    let empty = writer.finish().unwrap().into_inner();
    assert_eq!(parse(&empty, None).unwrap_err(), Untranslatable::Damaged);
}
