use std::io::{Cursor, Read as _, Write as _};

use proptest::prelude::*;
use zip::write::{ExtendedFileOptions, FileOptions, SimpleFileOptions};
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::*;

const TEXT: &str = "The lid is red. The lid is red. The lid is red.";

fn deflated() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)
}

fn stored() -> SimpleFileOptions {
    SimpleFileOptions::default().compression_method(CompressionMethod::Stored)
}

/// Three members: a stored one, a deflated one, and one with extra fields and ZIP64 sizes.
fn sample() -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("mimetype", stored()).unwrap();
    writer.write_all(b"a/b").unwrap();
    writer.start_file("word/document.xml", deflated()).unwrap();
    writer.write_all(TEXT.as_bytes()).unwrap();
    let mut options: FileOptions<'_, '_, ExtendedFileOptions> =
        FileOptions::default().large_file(true);
    options.add_extra_field(0x9999, [1, 2, 3], true).unwrap();
    writer.start_file("große.xml", options).unwrap();
    writer.write_all(TEXT.as_bytes()).unwrap();
    writer.set_comment("kept").unwrap();
    writer.finish().unwrap().into_inner()
}

/// Two members whose sizes follow their data.
fn streamed() -> Vec<u8> {
    let mut writer = ZipWriter::new_stream(Vec::new());
    for name in ["a", "b"] {
        writer.start_file(name, deflated()).unwrap();
        writer.write_all(TEXT.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn open_error(bytes: &[u8]) -> Option<Untranslatable> {
    Package::open(bytes).err()
}

/// Reads all members by another reader.
fn by_peer(bytes: &[u8]) -> Vec<(String, String)> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let read = |index| {
        let mut member = archive.by_index(index).unwrap();
        let mut content = String::new();
        member.read_to_string(&mut content).unwrap();
        (member.name().unwrap().into_owned(), content)
    };
    (0..3).map(read).collect()
}

#[test]
fn members_are_read_by_their_names() {
    let bytes = sample();
    let mut package = Package::open(&bytes).unwrap();
    let names: Vec<_> = package.names().collect();
    assert_eq!(names, ["mimetype", "word/document.xml", "große.xml"]);
    for (name, expected) in [
        ("mimetype", Some("a/b")),
        ("word/document.xml", Some(TEXT)),
        ("große.xml", Some(TEXT)),
        ("other", None),
    ] {
        let content = package.read_name(name).unwrap();
        assert_eq!(content.as_deref(), expected.map(str::as_bytes), "{name}");
    }
}

#[test]
fn only_changed_members_change() {
    let bytes = sample();
    let new = "Neu. ".repeat(1000);
    let changed = [
        (2, new.clone().into_bytes()),
        (0, b"longer".to_vec()),
        (1, TEXT.as_bytes().to_vec()),
    ];
    let built = rebuild(&bytes, &changed);
    let expected = [
        ("mimetype", "longer"),
        ("word/document.xml", TEXT),
        ("große.xml", &new),
    ];
    let expected = expected.map(|(name, content)| (name.to_owned(), content.to_owned()));
    assert_eq!(by_peer(&built), expected);
    assert!(built.ends_with(b"kept"));
    let (old, new) = (
        Package::open(&bytes).unwrap(),
        Package::open(&built).unwrap(),
    );
    let member = |package: &Package<'_>, index: usize| {
        let entry = &package.entries[index];
        package.bytes[entry.start..entry.data.end].to_vec()
    };
    assert_eq!(member(&old, 1), member(&new, 1));
    let extra = |bytes: &[u8]| {
        bytes
            .windows(7)
            .filter(|w| *w == [0x99, 0x99, 3, 0, 1, 2, 3])
            .count()
    };
    assert_eq!(extra(&built), extra(&bytes));
}

#[test]
fn the_same_contents_keep_the_bytes() {
    for bytes in [sample(), streamed()] {
        let mut package = Package::open(&bytes).unwrap();
        let all: Vec<_> = (0..package.entries.len())
            .map(|index| (index, package.read(index).unwrap()))
            .collect();
        assert_eq!(rebuild(&bytes, &all), bytes);
        assert_eq!(rebuild(&bytes, &[]), bytes);
    }
}

#[test]
fn a_way_there_and_back_changes_sizes_alone() {
    for bytes in [sample(), streamed()] {
        let other = rebuild(&bytes, &[(0, b"something else".to_vec())]);
        assert_ne!(other, bytes);
        let original = Package::open(&bytes).unwrap().read(0).unwrap();
        assert_eq!(rebuild(&other, &[(0, original)]), bytes);
    }
}

#[test]
fn sizes_behind_the_data_are_kept_there() {
    let bytes = streamed();
    let built = rebuild(&bytes, &[(0, b"x".to_vec())]);
    let mut package = Package::open(&built).unwrap();
    assert_eq!(package.read_name("a").unwrap().unwrap(), b"x");
    assert_eq!(package.read_name("b").unwrap().unwrap(), TEXT.as_bytes());
    let entry = &package.entries[0];
    assert_eq!(entry.local.packed.get(&built), 0);
    let fields = entry.descriptor(&built).unwrap();
    assert_eq!(fields[2].get(&built), 1);
}

#[test]
fn a_container_behind_something_else_stays_there() {
    let mut bytes = b"#!/bin/sh\n".to_vec();
    bytes.extend(sample());
    let built = rebuild(&bytes, &[(1, b"x".to_vec())]);
    assert!(built.starts_with(b"#!/bin/sh\nPK"));
    let content = Package::open(&built).unwrap().read(1).unwrap();
    assert_eq!(content, b"x");
}

#[test]
fn folders_of_windows_are_folders() {
    let mut bytes = sample();
    while let Some(at) = bytes.windows(5).position(|window| window == b"word/") {
        bytes[at + 4] = b'\\';
    }
    let package = Package::open(&bytes).unwrap();
    assert_eq!(package.find("word/document.xml"), Some(1));
}

#[test]
fn broken_containers_are_refused() {
    let sound = sample();
    assert_eq!(open_error(b""), Some(Untranslatable::Damaged));
    assert_eq!(open_error(&[b'P'; 100]), Some(Untranslatable::Damaged));
    assert_eq!(
        open_error(&sound[..sound.len() - 1]),
        Some(Untranslatable::Damaged)
    );
    assert_eq!(open_error(&sound[40..]), Some(Untranslatable::Damaged));
}

#[test]
fn a_name_stands_for_one_member() {
    let mut bytes = streamed();
    // Both local headers and both entries of the directory.
    for at in 0..bytes.len() - 4 {
        let head = u32_at(&bytes, at);
        let name = if head == Some(CENTRAL) {
            at + 46
        } else {
            at + 30
        };
        if (head == Some(CENTRAL) || head == Some(LOCAL)) && bytes[name] == b'b' {
            bytes[name] = b'a';
        }
    }
    assert_eq!(open_error(&bytes), Some(Untranslatable::Damaged));
}

#[test]
fn members_that_share_bytes_are_refused() {
    let mut bytes = streamed();
    let package = Package::open(&bytes).unwrap();
    let (first, second) = (package.entries[0].offset, package.entries[1].offset);
    let value = first.bytes_of(first.get(&bytes));
    bytes[second.range()].copy_from_slice(&value);
    assert_eq!(open_error(&bytes), Some(Untranslatable::Damaged));
}

/// Reads the second member after a field of it was given another value.
fn read_with(
    change: impl Fn(&Entry) -> (Range<usize>, Vec<u8>),
) -> Result<Vec<u8>, Untranslatable> {
    let mut bytes = sample();
    let package = Package::open(&bytes).unwrap();
    let (range, value) = change(&package.entries[1]);
    bytes[range].copy_from_slice(&value);
    Package::open(&bytes)?.read(1)
}

#[test]
fn contents_that_are_not_as_promised_are_refused() {
    let size = |size: u64| {
        read_with(move |entry| {
            let field = entry.central.unpacked;
            (field.range(), field.bytes_of(size))
        })
    };
    assert_eq!(size(TEXT.len() as u64), Ok(TEXT.as_bytes().to_vec()));
    assert_eq!(size(TEXT.len() as u64 + 1), Err(Untranslatable::Damaged));
    assert_eq!(size(3), Err(Untranslatable::Damaged));
    assert_eq!(size(SMALL + MAX_RATIO * 100), Err(Untranslatable::TooLarge));
    assert_eq!(size(0xFFFF_FFF0), Err(Untranslatable::TooLarge));
    let crc = read_with(|entry| (entry.central.crc.range(), vec![0; 4]));
    assert_eq!(crc, Err(Untranslatable::Damaged));
    let data = read_with(|entry| (entry.data.start..entry.data.start + 1, vec![0xFF]));
    assert_eq!(data, Err(Untranslatable::Damaged));
}

#[test]
fn passwords_are_named() {
    let mut bytes = sample();
    let at = bytes
        .windows(4)
        .rposition(|w| w == CENTRAL.to_le_bytes())
        .unwrap();
    bytes[at + 8] |= 1;
    assert_eq!(
        Package::open(&bytes).unwrap().read(2),
        Err(Untranslatable::Encrypted)
    );
    let mut compound = COMPOUND.to_vec();
    assert_eq!(open_error(&compound), Some(Untranslatable::Damaged));
    compound.extend(
        "xEncryptedPackage"
            .encode_utf16()
            .flat_map(u16::to_le_bytes),
    );
    assert_eq!(open_error(&compound), Some(Untranslatable::Encrypted));
}

#[test]
fn bombs_are_left_packed() {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("bomb", deflated()).unwrap();
    writer.write_all(&vec![0; 6 * 1024 * 1024]).unwrap();
    let bytes = writer.finish().unwrap().into_inner();
    assert!(bytes.len() < 20_000);
    let read = Package::open(&bytes).unwrap().read(0);
    assert_eq!(read, Err(Untranslatable::TooLarge));
}

#[test]
fn all_members_together_are_bounded() {
    let bytes = sample();
    let mut package = Package::open(&bytes).unwrap();
    package.left = TEXT.len() as u64 + 2;
    assert!(package.read(1).is_ok());
    assert_eq!(package.read(0), Err(Untranslatable::TooLarge));
}

proptest! {
    #[test]
    fn damage_never_panics(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        streaming: bool,
        cut in any::<prop::sample::Index>(),
        cuts: bool,
    ) {
        let mut bytes = if streaming { streamed() } else { sample() };
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if cuts {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(mut package) = Package::open(&bytes) {
            for index in 0..package.entries.len() {
                let read = package.read(index);
                prop_assert!(read.is_err() || read.unwrap().len() <= 100);
            }
        }
        let built = rebuild(&bytes, &[(0, b"x".to_vec()), (9, Vec::new())]);
        prop_assert!(Package::open(&bytes).is_err() == Package::open(&built).is_err());
    }
}
