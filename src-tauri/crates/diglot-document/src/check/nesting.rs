//! The order of tags: what the source has nested must not cross in the target.

use std::collections::HashSet;

use super::Text;
use crate::PlaceableKind;
use crate::placeable::{Found, whole_tag};

/// Returns a tag of the given kind that closes another one than the last open one, where the source
/// has none such.
pub(super) fn crossed<'t>(
    source: &Text<'_>,
    target: &Text<'t>,
    kind: PlaceableKind,
) -> Option<&'t str> {
    let found = first_crossed(target, kind)?;
    first_crossed(source, kind).is_none().then_some(found)
}

fn first_crossed<'t>(text: &Text<'t>, kind: PlaceableKind) -> Option<&'t str> {
    let tags = || {
        text.firm()
            .filter_map(|found| Some((found, tag(found, text.raw, kind)?)))
    };
    let closed: HashSet<&str> = tags()
        .filter(|(_, (_, way))| *way == Way::Closes)
        .map(|(_, (name, _))| name)
        .collect();
    let mut open = Vec::new();
    for (found, (name, way)) in tags() {
        // Some elements, such as `<br>`, are never closed.
        if way == Way::Opens && closed.contains(name) {
            open.push(name);
        } else if way == Way::Closes && open.pop() != Some(name) {
            return Some(found.text(text.raw));
        }
    }
    None
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Opens,
    Closes,
}

/// Reads the name of a tag and which way it goes; `None` for one that stands alone.
fn tag<'t>(found: &Found, raw: &'t str, kind: PlaceableKind) -> Option<(&'t str, Way)> {
    let text = found.text(raw);
    let text = if text.ends_with('>') {
        text
    } else {
        whole_tag(raw.get(found.span.start..)?)?
    };
    let inner = text.strip_prefix('<')?.strip_suffix('>')?;
    if found.kind != kind || inner.ends_with('/') {
        return None;
    }
    let (named, way) = match inner.strip_prefix('/') {
        Some(named) => (named, Way::Closes),
        None => (inner, Way::Opens),
    };
    let name = named.split_whitespace().next()?;
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        .then_some((name, way))
}
