//! Paths in a package: relative to the member that names them, written as addresses. Must not know
//! what stands at a path.

/// Returns the folder of a member, with its `/`; empty at the root.
pub(in crate::format) fn folder(name: &str) -> &str {
    let end = name.rfind('/').map_or(0, |at| at + 1);
    name.get(..end).unwrap_or_default()
}

/// Returns the name of the member that an address in a folder means.
pub(in crate::format) fn resolved(folder: &str, address: &str) -> String {
    let path = address.split(['#', '?']).next().unwrap_or_default().trim();
    let path = decoded(path);
    let start = if path.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = Vec::new();
    for part in start.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// Decodes `%20` and its like (RFC 3986, section 2.1); what is none stays.
fn decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let digits = tail.get(..2).filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        let length = if byte.is_some() { 2 } else { 0 };
        rest = tail.get(length..).unwrap_or_default();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_paths_from_their_folder() {
        for (folder, address, expected) in [
            ("OPS/", "Chapter%201.xhtml#n12", "OPS/Chapter 1.xhtml"),
            ("OPS/text/", "../a/./b.xhtml", "OPS/a/b.xhtml"),
            ("", "../../%C3%BC%.xhtml", "ü%.xhtml"),
            ("OPS/", "/a.xhtml", "a.xhtml"),
        ] {
            assert_eq!(resolved(folder, address), expected, "{address}");
        }
        assert_eq!(folder("OPS/text/a.xhtml"), "OPS/text/");
        assert_eq!(folder("a.xhtml"), "");
    }
}
