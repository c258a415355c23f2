//! The fingerprint of bytes, as the lists of hashes in this crate write it.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// Returns the SHA-256 of `bytes` in lower-case hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut digits, byte| {
            // Writing into a string cannot fail.
            _ = write!(digits, "{byte:02x}");
            digits
        })
}

#[cfg(test)]
mod tests {
    use super::sha256;

    /// FIPS 180-2, appendix B.1.
    #[test]
    fn the_standard_example_holds() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), expected);
    }
}
