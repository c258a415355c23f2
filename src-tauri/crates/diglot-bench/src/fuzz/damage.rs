//! Files whose bytes are not what they claim: halves of characters, bytes of no encoding, sizes of a package that lie.
//! Owns their making; which format they hit is decided by the sample that they are made of.

use super::packages;

/// So many bytes or characters stay whole between two faults.
const APART: usize = 16;
/// What is no UTF-8, or hardly any text.
const BROKEN: &[&[u8]] = &[
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xc0\xaf",
    b"\x80",
    b"\0",
    b"\x1b",
    b"\r",
];
/// Halves of characters, either of which needs another one.
const HALVES: [u16; 2] = [0xd83d, 0xde00];
/// Signature of a line of a package's directory.
const LINE: &[u8] = b"PK\x01\x02";
/// Signature of the end of a package's directory.
const END: &[u8] = b"PK\x05\x06";
/// Where a line of the directory holds check sum, packed length, length, length of the name and place, with their widths.
const FIELDS: &[(usize, usize)] = &[(16, 4), (20, 4), (24, 4), (28, 2), (42, 4)];
/// Where the end of the directory holds numbers of lines, length and place, with their widths.
const COUNTS: &[(usize, usize)] = &[(8, 2), (10, 2), (12, 4), (16, 4)];

/// Makes damaged files of a sample.
pub(super) fn all(sample: &[u8]) -> Vec<Vec<u8>> {
    if packages::is_package(sample) {
        let members = (0..4).flat_map(|which| {
            let faulty =
                move |fault: &&[u8]| packages::rewrite(sample, which, |text| amid(&text, fault));
            BROKEN.iter().map(faulty)
        });
        let wide = (0..4).map(|which| packages::rewrite(sample, which, |text| wide(&text, false)));
        return members.chain(wide).chain(lies(sample)).collect();
    }
    let broken = BROKEN.iter().map(|fault| amid(sample, fault));
    let wide = [false, true].into_iter().flat_map(|is_big| {
        let whole = wide(sample, is_big);
        let odd = whole.get(1..).unwrap_or_default().to_vec();
        let cut = whole.get(..whole.len() - 1).unwrap_or_default().to_vec();
        [whole, odd, cut]
    });
    broken.chain(wide).collect()
}

/// Puts a fault between the pieces of a text.
fn amid(text: &[u8], fault: &[u8]) -> Vec<u8> {
    text.chunks(APART).collect::<Vec<_>>().join(fault)
}

/// Writes a text in UTF-16 behind its mark, with a lone half now and then.
fn wide(text: &[u8], is_big: bool) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let units: Vec<u16> = text.encode_utf16().collect();
    let halves = HALVES.iter().cycle();
    let pieces = units.chunks(APART).zip(halves);
    let damaged = pieces.flat_map(|(piece, half)| piece.iter().chain([half]));
    let bytes = |unit: &u16| {
        if is_big {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        }
    };
    [0xfeff].iter().chain(damaged).flat_map(bytes).collect()
}

/// Packages of which one number of the directory is false.
fn lies(package: &[u8]) -> Vec<Vec<u8>> {
    let lines = places(package, LINE);
    let (first, last) = (lines.first(), lines.last());
    let chosen = first.into_iter().chain(last);
    let fields = chosen.flat_map(|line| FIELDS.iter().map(move |(at, width)| (line + at, *width)));
    let end = places(package, END);
    let counts = end
        .iter()
        .flat_map(|end| COUNTS.iter().map(move |(at, width)| (end + at, *width)));
    let lie = |(at, width): (usize, usize)| {
        [0, 1, 0x7f, 0xfe, 0xff].map(|byte| {
            let mut lied = package.to_vec();
            if let Some(field) = lied.get_mut(at..at + width) {
                field.fill(byte);
            }
            lied
        })
    };
    fields.chain(counts).flat_map(lie).collect()
}

fn places(bytes: &[u8], mark: &[u8]) -> Vec<usize> {
    let windows = bytes.windows(mark.len()).enumerate();
    windows
        .filter(|(_, window)| *window == mark)
        .map(|(at, _)| at)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_stand_between_whole_pieces() {
        let text = amid(&[b'a'; 33], b"\xff");
        assert_eq!(text.len(), 35);
        assert_eq!(text.get(16), Some(&0xff));
        let wide = wide(b"a", true);
        assert_eq!(wide, b"\xfe\xff\0a\xd8\x3d");
    }

    #[test]
    fn a_package_lies_about_its_members() {
        let members = [("a.xml".to_owned(), b"<a/>".to_vec())];
        let package = packages::write(&members).unwrap();
        let lies = lies(&package);
        assert_eq!(lies.len(), 5 * (2 * FIELDS.len() + COUNTS.len()));
        assert!(lies.iter().all(|lied| lied.len() == package.len()));
        assert!(all(&package).len() > lies.len());
    }

    #[test]
    fn nothing_is_no_trouble() {
        assert!(!all(b"").is_empty());
    }
}
