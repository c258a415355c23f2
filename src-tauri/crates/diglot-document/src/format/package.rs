//! Zip containers in memory (PKWARE's APPNOTE 6.3.10): which members there are and what they hold,
//! within bounds. Nothing is ever unpacked to a disk. Must not know what the members mean.
//!
//! The container is read here and not by the `zip` crate because writing needs the place of every
//! field: no crate keeps flags, extra fields and gaps of untouched members byte for byte.

mod field;
mod path;
mod rebuild;

use std::collections::HashMap;
use std::io::Read as _;
use std::ops::Range;

use field::{Field, fields, u16_at, u32_at};

use super::MAX_BYTES;
use crate::Untranslatable;

pub(super) use path::{folder, resolved};
pub(super) use rebuild::rebuild;

/// Most members of a package.
const MAX_MEMBERS: usize = 20_000;

/// Most bytes that are unpacked of one package.
const MAX_UNPACKED: u64 = 4 * MAX_BYTES;

/// A member is a bomb when it is so many times as large as it is packed, and larger than
/// [`SMALL`]. Deflate reaches 1,032; the tables of large spreadsheets, about 60.
const MAX_RATIO: u64 = 400;

/// A member of up to so many bytes does no harm, however well it is packed.
const SMALL: u64 = 4 * 1024 * 1024;

const LOCAL: u32 = 0x0403_4B50;
const CENTRAL: u32 = 0x0201_4B50;
const END: u32 = 0x0605_4B50;
const END_64: u32 = 0x0606_4B50;
const LOCATOR_64: u32 = 0x0706_4B50;

/// Length of the end record without its comment.
const END_LENGTH: usize = 22;

/// First bytes of an OLE compound file, which holds a document of Office behind a password.
const COMPOUND: [u8; 8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];

/// Holds a container whose structure is sound.
pub(super) struct Package<'b> {
    bytes: &'b [u8],
    /// In the order of the directory.
    entries: Vec<Entry>,
    /// Places of the members by their names.
    by_name: HashMap<String, usize>,
    end: End,
    /// Bytes that may still be unpacked.
    left: u64,
}

/// One member as the directory and its own header describe it.
struct Entry {
    name: String,
    flags: u16,
    /// 0 is stored, 8 deflated.
    method: u16,
    /// First byte of the local header.
    start: usize,
    /// Packed bytes.
    data: Range<usize>,
    local: Header,
    central: Header,
    /// Offset of the local header, in the directory.
    offset: Field,
}

/// Places of the fields that change with a member's content.
#[derive(Clone, Copy)]
struct Header {
    crc: Field,
    packed: Field,
    unpacked: Field,
}

/// The records behind the members.
struct End {
    /// First byte of the directory.
    directory: usize,
    n_entries: u64,
    /// What offsets in the file are counted from.
    base: usize,
    /// Offsets that move with the directory: its own, and that of the second end record.
    moving: Vec<Field>,
}

impl<'b> Package<'b> {
    /// Reads the directory of a container.
    ///
    /// # Errors
    /// `Damaged` when it is no container, or members overlap or share a name; `TooLarge` with too
    /// many members; `Encrypted` for a document of Office behind a password.
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, Untranslatable> {
        if bytes.starts_with(&COMPOUND) {
            return Err(compound(bytes));
        }
        let end = End::find(bytes).ok_or(Untranslatable::Damaged)?;
        if end.n_entries > MAX_MEMBERS as u64 {
            return Err(Untranslatable::TooLarge);
        }
        let entries = read_entries(bytes, &end).ok_or(Untranslatable::Damaged)?;
        let by_name: HashMap<String, usize> = entries
            .iter()
            .enumerate()
            .map(|(index, entry)| (entry.name.clone(), index))
            .collect();
        if by_name.len() < entries.len() || overlap(&entries, end.directory) {
            return Err(Untranslatable::Damaged);
        }
        Ok(Self {
            bytes,
            entries,
            by_name,
            end,
            left: MAX_UNPACKED,
        })
    }

    /// Lists the names of the members, in order; `/` parts folders.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| entry.name.as_str())
    }

    /// Returns the name of a member; empty where there is none.
    pub(super) fn name(&self, index: usize) -> &str {
        self.entries.get(index).map_or("", |entry| &entry.name)
    }

    /// Returns the place of a member.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Unpacks a member and checks that it is what the directory promises.
    ///
    /// # Errors
    /// `Encrypted`; `TooLarge` beyond the bounds; `Damaged` where content and directory differ.
    pub(super) fn read(&mut self, index: usize) -> Result<Vec<u8>, Untranslatable> {
        let entry = self.entries.get(index).ok_or(Untranslatable::Damaged)?;
        let content = unpack(self.bytes, entry, self.left)?;
        self.left -= content.len() as u64;
        Ok(content)
    }

    /// Unpacks the member of a name; `None` when there is none.
    ///
    /// # Errors
    /// As [`Package::read`].
    pub(super) fn read_name(&mut self, name: &str) -> Result<Option<Vec<u8>>, Untranslatable> {
        self.find(name).map(|index| self.read(index)).transpose()
    }
}

/// Says why an OLE compound file is none of our packages.
fn compound(bytes: &[u8]) -> Untranslatable {
    let name: Vec<u8> = "EncryptedPackage"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    if bytes.windows(name.len()).any(|window| window == name) {
        Untranslatable::Encrypted
    } else {
        Untranslatable::Damaged
    }
}

fn unpack(bytes: &[u8], entry: &Entry, left: u64) -> Result<Vec<u8>, Untranslatable> {
    const IS_ENCRYPTED: u16 = 1;
    if entry.flags & IS_ENCRYPTED != 0 {
        return Err(Untranslatable::Encrypted);
    }
    let packed = bytes
        .get(entry.data.clone())
        .ok_or(Untranslatable::Damaged)?;
    let size = entry.central.unpacked.get(bytes);
    let is_bomb = size > SMALL && size / MAX_RATIO > packed.len() as u64;
    if size > MAX_BYTES.min(left) || is_bomb {
        return Err(Untranslatable::TooLarge);
    }
    let content = match entry.method {
        0 => packed.to_vec(),
        8 => inflate(packed, size).ok_or(Untranslatable::Damaged)?,
        _ => return Err(Untranslatable::Damaged),
    };
    let sound = content.len() as u64 == size
        && u64::from(crc32fast::hash(&content)) == entry.central.crc.get(bytes);
    sound.then_some(content).ok_or(Untranslatable::Damaged)
}

/// Unpacks a deflated member; no more than one byte above the promised size.
fn inflate(packed: &[u8], size: u64) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    let mut source = flate2::read::DeflateDecoder::new(packed).take(size + 1);
    source.read_to_end(&mut content).ok()?;
    Some(content)
}

impl End {
    fn find(bytes: &[u8]) -> Option<Self> {
        const LONGEST_COMMENT: usize = 0xFFFF;
        let last = bytes.len().checked_sub(END_LENGTH)?;
        let at = (last.saturating_sub(LONGEST_COMMENT)..=last)
            .rev()
            .find(|&at| {
                u32_at(bytes, at) == Some(END)
                    && u16_at(bytes, at + 20).is_some_and(|n| usize::from(n) == last - at)
            })?;
        if u32_at(bytes, at + 4)? != 0 {
            return None; // One of several disks.
        }
        let offset = Field::new(at + 16, 4);
        let locator = at.checked_sub(20);
        match locator.filter(|&at| u32_at(bytes, at) == Some(LOCATOR_64)) {
            Some(locator) => Self::with_64(bytes, locator, offset),
            None => Self::new(
                bytes,
                at,
                [Field::new(at + 10, 2), Field::new(at + 12, 4), offset],
                vec![offset],
            ),
        }
    }

    /// Reads the second end record, that of large containers.
    fn with_64(bytes: &[u8], locator: usize, short: Field) -> Option<Self> {
        let pointer = Field::new(locator + 8, 8);
        let told = usize::try_from(pointer.get(bytes)).ok()?;
        // Where something stands before the container, offsets are short of it.
        let nearest = locator.checked_sub(56);
        let at = [Some(told), nearest]
            .into_iter()
            .flatten()
            .find(|&at| u32_at(bytes, at) == Some(END_64))?;
        let offset = Field::new(at + 48, 8);
        let mut moving = vec![offset, pointer];
        if !short.is_continued(bytes) {
            moving.push(short);
        }
        let fields = [Field::new(at + 32, 8), Field::new(at + 40, 8), offset];
        Self::new(bytes, at, fields, moving)
    }

    /// Takes the number of entries, the directory's length and its offset; it ends at `at`.
    fn new(bytes: &[u8], at: usize, fields: [Field; 3], moving: Vec<Field>) -> Option<Self> {
        let [n_entries, length, offset] = fields.map(|field| field.get(bytes));
        let directory = at.checked_sub(usize::try_from(length).ok()?)?;
        Some(Self {
            directory,
            n_entries,
            base: directory.checked_sub(usize::try_from(offset).ok()?)?,
            moving,
        })
    }
}

fn read_entries(bytes: &[u8], end: &End) -> Option<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut at = end.directory;
    for _ in 0..end.n_entries {
        let (entry, next) = read_entry(bytes, at, end.base)?;
        entries.push(entry);
        at = next;
    }
    Some(entries)
}

/// Reads an entry of the directory with the local header that it points to, and the place of the
/// next entry.
fn read_entry(bytes: &[u8], at: usize, base: usize) -> Option<(Entry, usize)> {
    let length = |at| u16_at(bytes, at).map(usize::from);
    if u32_at(bytes, at)? != CENTRAL {
        return None;
    }
    let name = at + 46..at + 46 + length(at + 28)?;
    let extra = name.end..name.end + length(at + 30)?;
    let next = extra.end + length(at + 32)?;
    let [unpacked, packed, offset] = fields(bytes, [at + 24, at + 20, at + 42], extra)?;
    let central = Header {
        crc: Field::new(at + 16, 4),
        packed,
        unpacked,
    };
    let start = base.checked_add(usize::try_from(offset.get(bytes)).ok()?)?;
    let (local, data) = read_local(bytes, start)?;
    let size = usize::try_from(packed.get(bytes)).ok()?;
    let entry = Entry {
        name: String::from_utf8_lossy(bytes.get(name)?).replace('\\', "/"),
        flags: u16_at(bytes, at + 8)?,
        method: u16_at(bytes, at + 10)?,
        start,
        data: data..data.checked_add(size).filter(|end| *end <= bytes.len())?,
        local,
        central,
        offset,
    };
    Some((entry, next))
}

/// Reads a local header and where its data begin.
fn read_local(bytes: &[u8], at: usize) -> Option<(Header, usize)> {
    if u32_at(bytes, at)? != LOCAL {
        return None;
    }
    let extra = at + 30 + usize::from(u16_at(bytes, at + 26)?);
    let data = extra + usize::from(u16_at(bytes, at + 28)?);
    let [unpacked, packed] = fields(bytes, [at + 22, at + 18], extra..data)?;
    let crc = Field::new(at + 14, 4);
    let header = Header {
        crc,
        packed,
        unpacked,
    };
    Some((header, data))
}

/// Tells whether two members share bytes, or one reaches into the directory.
fn overlap(entries: &[Entry], directory: usize) -> bool {
    let extent = |entry: &Entry| (entry.start, entry.data.end);
    let mut extents: Vec<_> = entries.iter().map(extent).collect();
    extents.sort_unstable();
    let mut end = 0;
    extents.into_iter().any(|(from, to)| {
        let before = end;
        end = to;
        from < before || to > directory
    })
}

#[cfg(test)]
mod tests;
