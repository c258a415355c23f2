//! Numbers of a zip container at their places: read, and written with the same width. Must not know
//! which number means what.

use std::ops::Range;

/// Value of a 32-bit field that the ZIP64 extra field continues (APPNOTE 4.5.3).
const CONTINUED: u64 = 0xFFFF_FFFF;

/// The id of the ZIP64 extra field.
const ZIP64: u16 = 1;

/// The place of a little-endian number.
#[derive(Clone, Copy)]
pub(super) struct Field {
    at: usize,
    width: usize,
}

impl Field {
    pub(super) const fn new(at: usize, width: usize) -> Self {
        Self { at, width }
    }

    pub(super) fn range(self) -> Range<usize> {
        self.at..self.at + self.width
    }

    /// Returns the number; 0 where the bytes end before it.
    pub(super) fn get(self, bytes: &[u8]) -> u64 {
        let own = bytes.get(self.range()).unwrap_or_default();
        own.iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u64::from(byte))
    }

    /// Returns the bytes of another number at this place.
    pub(super) fn bytes_of(self, value: u64) -> Vec<u8> {
        value.to_le_bytes().into_iter().take(self.width).collect()
    }

    pub(super) fn is_continued(self, bytes: &[u8]) -> bool {
        self.width == 4 && self.get(bytes) == CONTINUED
    }
}

/// Finds the places of 32-bit fields, which are in the ZIP64 extra field, one after the other,
/// where they say so. `None` where the extra field ends before one of them.
pub(super) fn fields<const N: usize>(
    bytes: &[u8],
    fixed: [usize; N],
    extra: Range<usize>,
) -> Option<[Field; N]> {
    let extra_of = bytes.get(extra.clone())?;
    let mut fields = fixed.map(|at| Field::new(at, 4));
    if !fields.iter().any(|field| field.is_continued(bytes)) {
        return Some(fields);
    }
    let mut large = find_extra(extra_of).map(|at| extra.start + at.start..extra.start + at.end)?;
    for field in &mut fields {
        if field.is_continued(bytes) {
            *field = Field::new(large.start, 8);
            large.start += 8;
        }
    }
    (large.start <= large.end).then_some(fields)
}

/// Finds the content of the ZIP64 extra field.
fn find_extra(extra: &[u8]) -> Option<Range<usize>> {
    let mut at = 0;
    loop {
        let from = at + 4;
        let to = from + usize::from(u16_at(extra, at + 2)?);
        if u16_at(extra, at)? == ZIP64 && to <= extra.len() {
            return Some(from..to);
        }
        at = to;
    }
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let own = bytes.get(at..)?.first_chunk()?;
    Some(u16::from_le_bytes(*own))
}

pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let own = bytes.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*own))
}
