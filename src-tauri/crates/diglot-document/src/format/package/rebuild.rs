//! The way back of a zip container: changed members are packed anew, and every other byte stays,
//! but for the sizes and offsets that move with them. Must not know what the members mean.

use std::io::Write as _;
use std::ops::Range;

use super::field::{Field, u32_at};
use super::{Entry, MAX_UNPACKED, Package, unpack};

/// What may stand before the numbers of a data descriptor (APPNOTE 4.3.9.3).
const DESCRIPTOR: u32 = 0x0807_4B50;

/// A change of the container: bytes that go, and what comes in their place.
type Patch = (Range<usize>, Vec<u8>);

/// A member packed anew.
struct Packed {
    index: usize,
    crc: u64,
    unpacked: u64,
    data: Vec<u8>,
}

/// Makes a container with other contents of some members, given by their places. A member keeps its
/// method, header, flags, extra fields and order; one whose content is what it was keeps its bytes.
/// A container that cannot be read stays as it is.
pub(in crate::format) fn rebuild(bytes: &[u8], changed: &[(usize, Vec<u8>)]) -> Vec<u8> {
    let Ok(package) = Package::open(bytes) else {
        return bytes.to_vec();
    };
    let pack_one = |(index, content): &(usize, Vec<u8>)| {
        let entry = package.entries.get(*index)?;
        let same = unpack(bytes, entry, MAX_UNPACKED).is_ok_and(|old| old == *content);
        if same {
            None
        } else {
            pack(entry, *index, content)
        }
    };
    let mut packed: Vec<Packed> = changed.iter().filter_map(pack_one).collect();
    if packed.is_empty() {
        return bytes.to_vec();
    }
    let start = |index: usize| package.entries.get(index).map(|entry| entry.data.start);
    packed.sort_by_key(|new| start(new.index));
    packed.dedup_by_key(|new| new.index);
    splice(bytes, patches(&package, packed))
}

/// Packs a content by the method of its member; `None` when the method is none of ours.
fn pack(entry: &Entry, index: usize, content: &[u8]) -> Option<Packed> {
    let data = match entry.method {
        0 => content.to_vec(),
        8 => {
            let level = flate2::Compression::default();
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), level);
            encoder.write_all(content).ok()?;
            encoder.finish().ok()?
        }
        _ => return None,
    };
    Some(Packed {
        index,
        crc: u64::from(crc32fast::hash(content)),
        unpacked: content.len() as u64,
        data,
    })
}

/// Lists the changes that new data make; `packed` in the order of the file.
fn patches(package: &Package<'_>, packed: Vec<Packed>) -> Vec<Patch> {
    let bytes = package.bytes;
    let mut patches: Vec<Patch> = Vec::new();
    // Places of changed data, and by how much everything behind them moves.
    let mut moves: Vec<(usize, i64)> = vec![(0, 0)];
    for new in packed {
        let Some(entry) = package.entries.get(new.index) else {
            continue;
        };
        let size = new.data.len() as u64;
        let values = [new.crc, size, new.unpacked];
        let sized = |field: Field| field.get(bytes) != 0;
        let local = entry.local;
        // A header that leaves its sizes to a descriptor goes on doing so.
        if entry.descriptor(bytes).is_none() || sized(local.packed) || sized(local.unpacked) {
            put(
                &mut patches,
                [local.crc, local.packed, local.unpacked],
                values,
            );
        }
        let central = entry.central;
        put(
            &mut patches,
            [central.crc, central.packed, central.unpacked],
            values,
        );
        if let Some(fields) = entry.descriptor(bytes) {
            put(&mut patches, fields, values);
        }
        let moved = moves.last().map_or(0, |last| last.1);
        let change = size.cast_signed() - (entry.data.len() as u64).cast_signed();
        moves.push((entry.data.start, moved + change));
        patches.push((entry.data.clone(), new.data));
    }
    let moved = |at: usize| {
        let next = moves.partition_point(|(from, _)| *from <= at);
        let last = next.checked_sub(1).and_then(|index| moves.get(index));
        last.map_or(0, |last| last.1)
    };
    let mut shift = |field: Field, by: i64| {
        let value = field.get(bytes).saturating_add_signed(by);
        patches.push((field.range(), field.bytes_of(value)));
    };
    for entry in &package.entries {
        shift(entry.offset, moved(entry.start));
    }
    for field in &package.end.moving {
        shift(*field, moved(package.end.directory));
    }
    patches
}

fn put(patches: &mut Vec<Patch>, fields: [Field; 3], values: [u64; 3]) {
    let new = fields.into_iter().zip(values);
    patches.extend(new.map(|(field, value)| (field.range(), field.bytes_of(value))));
}

fn splice(bytes: &[u8], mut patches: Vec<Patch>) -> Vec<u8> {
    patches.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 8);
    let mut kept = 0;
    for (range, new) in patches {
        if let Some(between) = bytes.get(kept..range.start) {
            out.extend_from_slice(between);
            out.extend_from_slice(&new);
            kept = range.end;
        }
    }
    out.extend_from_slice(bytes.get(kept..).unwrap_or_default());
    out
}

impl Entry {
    /// Finds the checksum and the sizes that follow the data where the header leaves them out; told
    /// by their values, since neither a mark nor a width is certain.
    pub(super) fn descriptor(&self, bytes: &[u8]) -> Option<[Field; 3]> {
        const HAS_DESCRIPTOR: u16 = 8;
        let header = self.central;
        let values = [header.crc, header.packed, header.unpacked].map(|field| field.get(bytes));
        let marked = u32_at(bytes, self.data.end) == Some(DESCRIPTOR);
        let at = self.data.end + if marked { 4 } else { 0 };
        let wide = |width: usize| {
            [
                Field::new(at, 4),
                Field::new(at + 4, width),
                Field::new(at + 4 + width, width),
            ]
        };
        let fits = |fields: &[Field; 3]| fields.map(|field| field.get(bytes)) == values;
        (self.flags & HAS_DESCRIPTOR != 0)
            .then(|| [wide(4), wide(8)].into_iter().find(fits))
            .flatten()
    }
}
