//! Packages: what of a zip file must stay, member by member. Owns reading a central directory as it stands, since a
//! library that tidies it up would hide what was changed.

use std::io::{Cursor, Read};

use anyhow::{Context, Result, ensure};
use zip::ZipArchive;

/// How a zip file begins.
const LOCAL: &[u8] = b"PK\x03\x04";
/// How an entry of the central directory begins.
const CENTRAL: &[u8] = b"PK\x01\x02";
/// How the end of the central directory begins.
const END: &[u8] = b"PK\x05\x06";
/// Longest member that is unpacked here.
const MAX_MEMBER: u64 = 256 * 1024 * 1024;

/// Holds a member of a package.
pub(crate) struct Member {
    pub(crate) name: String,
    /// Versions, flags, method and time, and what follows the name: all that an unchanged content leaves alone.
    head: Vec<u8>,
    /// The bytes as they are packed.
    packed: Vec<u8>,
    /// The bytes unpacked.
    pub(crate) content: Vec<u8>,
}

/// Tells whether bytes are a zip file.
pub(crate) fn is_package(bytes: &[u8]) -> bool {
    bytes.starts_with(LOCAL)
}

/// Reads the members of a package in the order of its directory.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<Member>> {
    let end = bytes.windows(END.len()).rposition(|window| window == END);
    let end = end.context("the package has no directory")?;
    let n_members = usize::from(short(bytes, end + 10)?);
    let mut at = long(bytes, end + 16)?;
    let mut archive = ZipArchive::new(Cursor::new(bytes)).context("not a readable package")?;
    ensure!(
        archive.len() == n_members,
        "names occur twice in the package"
    );
    let mut members = Vec::with_capacity(n_members);
    for index in 0..n_members {
        let entry = bytes.get(at..).context("the directory is cut")?;
        ensure!(entry.starts_with(CENTRAL), "the directory is damaged");
        let [name, extra, comment] = [28, 30, 32].map(|field| short(entry, field));
        let (name, tail) = (
            usize::from(name?),
            usize::from(extra?) + usize::from(comment?),
        );
        let head = [
            entry.get(4..16),
            entry.get(34..42),
            entry.get(46 + name..46 + name + tail),
        ];
        let head = head.into_iter().flatten().flatten().copied().collect();
        let packed = packed(bytes, long(entry, 42)?, long(entry, 20)?)?;
        at += 46 + name + tail;
        let file = archive.by_index(index)?;
        let name = String::from_utf8_lossy(file.name_raw()).into_owned();
        let mut content = Vec::new();
        file.take(MAX_MEMBER)
            .read_to_end(&mut content)
            .with_context(|| format!("unpack {name}"))?;
        members.push(Member {
            name,
            head,
            packed: packed.to_owned(),
            content,
        });
    }
    Ok(members)
}

impl Member {
    /// Tells whether it is packed as it is.
    pub(crate) fn is_stored(&self) -> bool {
        self.packed == self.content
    }

    /// Tells whether nothing but the content differs.
    pub(crate) fn has_head_of(&self, other: &Self) -> bool {
        self.name == other.name && self.head == other.head
    }

    /// Tells whether the packed bytes are the same.
    pub(crate) fn is_untouched(&self, other: &Self) -> bool {
        self.packed == other.packed
    }
}

/// Returns the packed bytes behind a local header.
fn packed(bytes: &[u8], local: usize, length: usize) -> Result<&[u8]> {
    let header = bytes.get(local..).context("a member lies outside")?;
    ensure!(header.starts_with(LOCAL), "a member has no header");
    let from = 30 + usize::from(short(header, 26)?) + usize::from(short(header, 28)?);
    header.get(from..from + length).context("a member is cut")
}

fn short(bytes: &[u8], at: usize) -> Result<u16> {
    let field = bytes.get(at..).and_then(|rest| rest.first_chunk());
    Ok(u16::from_le_bytes(*field.context("the package is cut")?))
}

fn long(bytes: &[u8], at: usize) -> Result<usize> {
    let field = bytes.get(at..).and_then(|rest| rest.first_chunk());
    Ok(u32::from_le_bytes(*field.context("the package is cut")?) as usize)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn package(files: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in files {
            writer
                .start_file(*name, SimpleFileOptions::default())
                .unwrap();
            writer.write_all(text.as_bytes()).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn members_are_read_with_their_heads() {
        let (old, new) = (
            package(&[("a", "one"), ("b", "two")]),
            package(&[("a", "one"), ("b", "2")]),
        );
        let (old, new) = (read(&old).unwrap(), read(&new).unwrap());
        assert_eq!(old.len(), 2);
        assert!(old[0].has_head_of(&new[0]) && old[0].is_untouched(&new[0]));
        assert!(old[1].has_head_of(&new[1]) && !old[1].is_untouched(&new[1]));
        assert_eq!(new[1].content, b"2");
        assert!(!old[0].has_head_of(&old[1]));
    }

    #[test]
    fn what_is_no_package_is_refused() {
        assert!(is_package(&package(&[("a", "")])) && !is_package(b"PK"));
        let whole = package(&[("a", "one")]);
        assert!(read(&whole[..whole.len() / 2]).is_err());
        assert!(read(b"").is_err());
    }
}
