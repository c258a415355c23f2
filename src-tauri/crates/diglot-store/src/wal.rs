//! Looks through a write-ahead log for damage. SQLite itself takes a log up to its first bad frame and passes over the
//! rest in silence, which is right after a power cut and loses work where a log was damaged.

use std::fs;
use std::path::Path;

use crate::error::StoreError;
use crate::files::{at, beside};

/// Bytes ahead of the first frame, and ahead of the page in each frame (SQLite file format, section 4).
const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// Begins a log whose checksums read words in little-endian and in big-endian order.
const MAGIC: [u32; 2] = [0x377f_0682, 0x377f_0683];

/// Looks through the log of a database, without changing it.
///
/// # Errors
/// `Damaged` when committed work in it cannot be read.
pub(crate) fn check(database: &Path) -> Result<(), StoreError> {
    let path = beside(database, "-wal");
    let bytes = fs::read(&path).map_err(at(&path))?;
    if n_lost(&bytes).is_some_and(|n_lost| n_lost > 0) {
        return Err(StoreError::Damaged {
            detail: "the write-ahead log is broken in the middle".to_owned(),
        });
    }
    Ok(())
}

/// Counts the transactions behind the first bad frame; `None` where there is no frame yet.
///
/// A power cut can leave one, whose sync did not return; more than one were there, and one was promised.
fn n_lost(log: &[u8]) -> Option<usize> {
    let word = |at: usize| {
        let bytes = log.get(at..at + 4)?;
        Some(u32::from_be_bytes(bytes.try_into().ok()?))
    };
    if log.len() <= HEADER + FRAME_HEADER {
        return None;
    }
    let magic = word(0)?;
    let is_big_endian = magic == MAGIC[1];
    let header = sum(log.get(..24)?, [0, 0], is_big_endian);
    let page = word(8)? as usize;
    let is_sound = MAGIC.contains(&magic) && header == [word(24)?, word(28)?];
    if !is_sound || !page.is_power_of_two() {
        return Some(log.len());
    }
    let salts = [word(16)?, word(20)?];
    let (mut sums, mut is_read, mut n_behind) = (header, true, 0);
    let mut from = HEADER;
    while let Some(frame) = log.get(from..from + FRAME_HEADER + page) {
        // Frames of an earlier round lie behind the last one of this round.
        if [word(from + 8)?, word(from + 12)?] == salts {
            let is_commit = word(from + 4)? != 0;
            sums = sum(frame.get(..8)?, sums, is_big_endian);
            sums = sum(frame.get(FRAME_HEADER..)?, sums, is_big_endian);
            is_read &= sums == [word(from + 16)?, word(from + 20)?];
            n_behind += usize::from(!is_read && is_commit);
        } else {
            is_read = false;
        }
        from += FRAME_HEADER + page;
    }
    Some(n_behind.saturating_sub(1))
}

/// Goes on with the checksum of a log.
fn sum(bytes: &[u8], [mut first, mut second]: [u32; 2], is_big_endian: bool) -> [u32; 2] {
    let word = |bytes: &[u8; 4]| {
        if is_big_endian {
            u32::from_be_bytes(*bytes)
        } else {
            u32::from_le_bytes(*bytes)
        }
    };
    for [one, two] in bytes.as_chunks::<4>().0.as_chunks::<2>().0 {
        first = first.wrapping_add(word(one)).wrapping_add(second);
        second = second.wrapping_add(word(two)).wrapping_add(first);
    }
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{commit, new_session, said};
    use crate::{Store, fixture::NOW};

    /// The log of a database with some transactions in it.
    fn log() -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let store = Store::open(&path, NOW).unwrap().store;
        let session = store.create_session(&new_session("guide", 1)).unwrap();
        for n in 0..6 {
            let mut work = commit(session, n);
            work.entries = vec![said("hello")];
            store.commit(&work).unwrap();
        }
        fs::read(beside(&path, "-wal")).unwrap()
    }

    #[test]
    fn a_sound_log_has_lost_nothing_and_one_cut_by_a_power_cut_neither() {
        let log = log();
        let page = 4096 + FRAME_HEADER;
        assert_eq!(n_lost(&log), Some(0));
        assert_eq!(n_lost(&log[..HEADER]), None);
        for cut in [log.len() - 1, log.len() - page, HEADER + page + 7] {
            assert_eq!(n_lost(&log[..cut]), Some(0), "{cut}");
        }
        let mut torn = log.clone();
        let last = torn.len() - page + FRAME_HEADER + 100;
        torn[last] ^= 1;
        assert_eq!(n_lost(&torn), Some(0), "the last transaction may be torn");
    }

    #[test]
    fn a_log_broken_in_the_middle_or_in_its_head_is_found() {
        let sound = log();
        for place in [0, 9, 17, 25, HEADER + 10, HEADER + FRAME_HEADER + 9] {
            let mut log = sound.clone();
            log[place] ^= 0x40;
            assert!(n_lost(&log).is_some_and(|n| n > 0), "{place}");
        }
    }
}
