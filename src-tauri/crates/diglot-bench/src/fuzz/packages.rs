//! Zip packages as raw material: their members as texts, and the package put together again with one of them changed.

use std::io::{Cursor, Read, Write};

use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// Longest member that is unpacked.
const MAX_MEMBER: u64 = 1024 * 1024;

/// Tells whether bytes are a zip file.
pub(super) fn is_package(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// Returns the texts that a file is made of: itself, or the members of a package.
pub(super) fn texts(bytes: &[u8]) -> Vec<Vec<u8>> {
    if !is_package(bytes) {
        return vec![bytes.to_vec()];
    }
    let members = read(bytes).unwrap_or_default();
    members.into_iter().map(|(_, content)| content).collect()
}

/// Puts a package together again with one member changed, the `which`-th of those that hold markup.
pub(super) fn rewrite(
    bytes: &[u8],
    which: usize,
    change: impl FnOnce(Vec<u8>) -> Vec<u8>,
) -> Vec<u8> {
    let mut members = read(bytes).unwrap_or_default();
    let mut texts: Vec<&mut Vec<u8>> = members
        .iter_mut()
        .map(|(_, content)| content)
        .filter(|content| content.starts_with(b"<"))
        .collect();
    let n_texts = texts.len().max(1);
    if let Some(content) = texts.get_mut(which % n_texts) {
        **content = change(std::mem::take(*content));
    }
    write(&members).unwrap_or_default()
}

/// Reads the members with their names.
pub(super) fn read(bytes: &[u8]) -> ZipResult<Vec<(String, Vec<u8>)>> {
    let mut archive = ZipArchive::new(Cursor::new(bytes))?;
    let mut members = Vec::new();
    for index in 0..archive.len() {
        let file = archive.by_index(index)?;
        let name = String::from_utf8_lossy(file.name_raw()).into_owned();
        let mut content = Vec::new();
        file.take(MAX_MEMBER).read_to_end(&mut content)?;
        members.push((name, content));
    }
    Ok(members)
}

/// Packs members; the kind of a package stands unpacked, as its rules want it.
pub(super) fn write(members: &[(String, Vec<u8>)]) -> ZipResult<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in members {
        let method = if name == "mimetype" {
            CompressionMethod::Stored
        } else {
            CompressionMethod::Deflated
        };
        writer.start_file(
            name.as_str(),
            SimpleFileOptions::default().compression_method(method),
        )?;
        writer.write_all(content)?;
    }
    Ok(writer.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_member_is_changed() {
        let members = [("mimetype", "a/b"), ("a.xml", "<a/>"), ("b.bin", "xyz")];
        let members = members.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        let package = write(&members).unwrap();
        assert!(is_package(&package));
        let changed = rewrite(&package, 5, |_| b"<b/>".to_vec());
        let contents: Vec<Vec<u8>> = texts(&changed);
        assert_eq!(
            contents,
            [b"a/b".to_vec(), b"<b/>".to_vec(), b"xyz".to_vec()]
        );
    }
}
