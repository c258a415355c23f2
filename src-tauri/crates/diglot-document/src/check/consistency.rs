//! The same source with different targets, over a whole project. Must not know where pairs come from.

use std::collections::HashMap;

/// Holds one source that was translated in several ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inconsistency<Id> {
    /// The source as it stands at its first place.
    pub source: String,
    /// Each target as it stands at its first place, with the ids of all its places, in order.
    pub targets: Vec<(String, Vec<Id>)>,
}

/// Finds sources that have different targets, in the order of their first places. Texts that differ
/// in white space alone are the same; empty targets are passed over.
pub fn consistency<'a, Id>(
    pairs: impl IntoIterator<Item = (Id, &'a str, &'a str)>,
) -> Vec<Inconsistency<Id>> {
    let mut sources: HashMap<String, usize> = HashMap::new();
    let mut found: Vec<Group<'a, Id>> = Vec::new();
    for (id, source, target) in pairs {
        let key = normalised(target);
        if key.is_empty() {
            continue;
        }
        let index = *sources.entry(normalised(source)).or_insert(found.len());
        if index == found.len() {
            found.push(Group::new(source));
        }
        if let Some(group) = found.get_mut(index) {
            group.add(id, target, key);
        }
    }
    found
        .into_iter()
        .filter(|group| group.targets.len() > 1)
        .map(|group| Inconsistency {
            source: group.source.to_owned(),
            targets: group.targets,
        })
        .collect()
}

/// The places of one source.
struct Group<'a, Id> {
    source: &'a str,
    targets: Vec<(String, Vec<Id>)>,
    known: HashMap<String, usize>,
}

impl<'a, Id> Group<'a, Id> {
    fn new(source: &'a str) -> Self {
        Self {
            source,
            targets: Vec::new(),
            known: HashMap::new(),
        }
    }

    fn add(&mut self, id: Id, target: &str, key: String) {
        let index = *self.known.entry(key).or_insert(self.targets.len());
        if let Some((_, ids)) = self.targets.get_mut(index) {
            ids.push(id);
        } else {
            self.targets.push((target.to_owned(), vec![id]));
        }
    }
}

fn normalised(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
