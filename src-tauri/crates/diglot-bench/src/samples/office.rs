//! Samples of packages: office documents and a book, with the few members that each must have.

use std::io::{Cursor, Write};

use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{Sample, Wrapping};

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";

pub(super) const SAMPLES: &[Sample] = &[
    packed(
        "doc.docx",
        docx,
        [
            "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>",
            "<w:p><w:r><w:t xml:space=\"preserve\">Turn the </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>valve {n}</w:t></w:r><w:r><w:t xml:space=\"preserve\"> to the left.</w:t></w:r></w:p>",
            "</w:body></w:document>",
        ],
    ),
    packed(
        "talk.pptx",
        pptx,
        [
            "<p:sld xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\"><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/><p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"Title\"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>",
            "<a:p><a:r><a:t>Turn the valve {n} </a:t></a:r><a:r><a:rPr b=\"1\"/><a:t>to the left</a:t></a:r></a:p>",
            "</p:txBody></p:sp></p:spTree></p:cSld></p:sld>",
        ],
    ),
    packed(
        "sheet.xlsx",
        xlsx,
        [
            "<sst xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">",
            "<si><t>Turn the valve {n} to the left</t></si>",
            "</sst>",
        ],
    ),
    packed(
        "doc.odt",
        odt,
        [
            "<office:document-content xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" office:version=\"1.2\"><office:body><office:text>",
            "<text:p>Turn the <text:span>valve {n}</text:span> to the left.</text:p>",
            "</office:text></office:body></office:document-content>",
        ],
    ),
    packed(
        "book.epub",
        epub,
        [
            "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head><title>The pump</title></head><body>",
            "<p id=\"n{n}\">Turn the <b>valve {n}</b> to the left.<a href=\"#n{n}\"><sup>{n}</sup></a></p>",
            "</body></html>",
        ],
    ),
];

const fn packed(
    name: &'static str,
    pack: fn(&str) -> Vec<u8>,
    [head, body, tail]: [&'static str; 3],
) -> Sample {
    Sample {
        wrapping: Wrapping::Package(pack),
        ..Sample::text(name, [head, body, "\n", tail])
    }
}

/// Parts of an Office Open XML package: content types, the relation to the main part, its own relations.
fn open_xml(main: &str, kind: &str, members: &[(&str, &str, &str)]) -> Vec<u8> {
    const TYPES: &str = "http://schemas.openxmlformats.org/package/2006/content-types";
    const RELATIONS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let overrides: Vec<String> = members
        .iter()
        .map(|(name, kind, _)| format!("<Override PartName=\"/{name}\" ContentType=\"application/vnd.openxmlformats-officedocument.{kind}+xml\"/>"))
        .collect();
    let types = format!(
        "{XML}<Types xmlns=\"{TYPES}\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" ContentType=\"application/xml\"/>{}</Types>",
        overrides.concat()
    );
    let relation = |id: usize, kind: &str, target: &str| {
        format!("<Relationship Id=\"rId{id}\" Type=\"{OFFICE}/{kind}\" Target=\"{target}\"/>")
    };
    let root = format!(
        "{XML}<Relationships xmlns=\"{RELATIONS}\">{}</Relationships>",
        relation(1, "officeDocument", main)
    );
    let (folder, file) = main.split_once('/').unwrap_or_default();
    let parts: String = members
        .iter()
        .filter(|(name, ..)| *name != main)
        .enumerate()
        .map(|(index, (name, ..))| {
            let target = name
                .strip_prefix(folder)
                .unwrap_or(name)
                .trim_start_matches('/');
            let kind = if target.starts_with("sharedStrings") {
                "sharedStrings"
            } else {
                kind
            };
            relation(index + 1, kind, target)
        })
        .collect();
    let own = format!("{XML}<Relationships xmlns=\"{RELATIONS}\">{parts}</Relationships>");
    let own_name = format!("{folder}/_rels/{file}.rels");
    let mut files = vec![
        ("[Content_Types].xml", types),
        ("_rels/.rels", root),
        (own_name.as_str(), own),
    ];
    files.extend(
        members
            .iter()
            .map(|(name, _, text)| (*name, format!("{XML}{text}"))),
    );
    package(None, &files)
}

fn docx(text: &str) -> Vec<u8> {
    const MAIN: &str = "word/document.xml";
    open_xml(
        MAIN,
        "document",
        &[(MAIN, "wordprocessingml.document.main", text)],
    )
}

fn pptx(text: &str) -> Vec<u8> {
    const MAIN: &str = "ppt/presentation.xml";
    const SHOW: &str = "<p:presentation xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\"><p:sldIdLst><p:sldId id=\"256\" r:id=\"rId1\"/></p:sldIdLst><p:sldSz cx=\"9144000\" cy=\"6858000\"/><p:notesSz cx=\"6858000\" cy=\"9144000\"/></p:presentation>";
    open_xml(
        MAIN,
        "slide",
        &[
            (MAIN, "presentationml.presentation.main", SHOW),
            ("ppt/slides/slide1.xml", "presentationml.slide", text),
        ],
    )
}

fn xlsx(text: &str) -> Vec<u8> {
    const MAIN: &str = "xl/workbook.xml";
    const BOOK: &str = "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets><sheet name=\"Parts\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>";
    let cells: Vec<String> = (0..text.matches("<si>").count())
        .map(|index| {
            format!(
                "<row r=\"{0}\"><c r=\"A{0}\" t=\"s\"><v>{index}</v></c></row>",
                index + 1
            )
        })
        .collect();
    let sheet = format!(
        "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>{}</sheetData></worksheet>",
        cells.concat()
    );
    open_xml(
        MAIN,
        "worksheet",
        &[
            (MAIN, "spreadsheetml.sheet.main", BOOK),
            (
                "xl/worksheets/sheet1.xml",
                "spreadsheetml.worksheet",
                &sheet,
            ),
            ("xl/sharedStrings.xml", "spreadsheetml.sharedStrings", text),
        ],
    )
}

fn odt(text: &str) -> Vec<u8> {
    const KIND: &str = "application/vnd.oasis.opendocument.text";
    let manifest = format!(
        "{XML}<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\" manifest:version=\"1.2\"><manifest:file-entry manifest:full-path=\"/\" manifest:media-type=\"{KIND}\"/><manifest:file-entry manifest:full-path=\"content.xml\" manifest:media-type=\"text/xml\"/></manifest:manifest>"
    );
    package(
        Some(KIND),
        &[
            ("META-INF/manifest.xml", manifest),
            ("content.xml", format!("{XML}{text}")),
        ],
    )
}

fn epub(text: &str) -> Vec<u8> {
    const CONTAINER: &str = "<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\"><rootfiles><rootfile full-path=\"book.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles></container>";
    const BOOK: &str = "<package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"id\"><metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:identifier id=\"id\">urn:uuid:00000000-0000-4000-8000-000000000001</dc:identifier><dc:title>The pump</dc:title><dc:language>en</dc:language><meta property=\"dcterms:modified\">2020-01-01T00:00:00Z</meta></metadata><manifest><item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/><item id=\"c1\" href=\"c1.xhtml\" media-type=\"application/xhtml+xml\"/></manifest><spine><itemref idref=\"c1\"/></spine></package>";
    const NAVIGATION: &str = "<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\"><head><title>Contents</title></head><body><nav epub:type=\"toc\"><ol><li><a href=\"c1.xhtml\">The pump</a></li></ol></nav></body></html>";
    let member = |text: &str| format!("{XML}{text}");
    package(
        Some("application/epub+zip"),
        &[
            ("META-INF/container.xml", member(CONTAINER)),
            ("book.opf", member(BOOK)),
            ("nav.xhtml", member(NAVIGATION)),
            ("c1.xhtml", member(text)),
        ],
    )
}

/// Packs members, a kind that stands first and unpacked before them; nothing where that fails, which no memory does.
fn package(kind: Option<&str>, members: &[(&str, String)]) -> Vec<u8> {
    let write = || -> ZipResult<Vec<u8>> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        if let Some(kind) = kind {
            let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
            writer.start_file("mimetype", stored)?;
            writer.write_all(kind.as_bytes())?;
        }
        for (name, text) in members {
            writer.start_file(*name, SimpleFileOptions::default())?;
            writer.write_all(text.as_bytes())?;
        }
        Ok(writer.finish()?.into_inner())
    };
    write().unwrap_or_default()
}
