//! Looks of spans in OpenDocument. An editor makes a style for each stretch that was typed at
//! another time; what differs in nothing else looks the same. Must not know paragraphs.

use std::collections::HashMap;

use crate::format::office::Tree;
use crate::format::runs::Look;

/// Attributes of a style that nobody sees.
const UNSEEN: [&str; 14] = [
    "fo:country",
    "fo:language",
    "fo:script",
    "officeooo:paragraph-rsid",
    "officeooo:rsid",
    "style:country-asian",
    "style:country-complex",
    "style:family",
    "style:language-asian",
    "style:language-complex",
    "style:name",
    "style:rfc-language-tag",
    "style:script-asian",
    "style:script-complex",
];

/// Holds how the automatic styles of a member look, by their names.
pub(super) struct Looks<'t> {
    by_name: HashMap<&'t str, String>,
}

impl<'t> Looks<'t> {
    pub(super) fn read(tree: &Tree<'t>) -> Self {
        let mut by_name = HashMap::new();
        let automatic = tree
            .all()
            .filter(|at| tree.local(*at) == "automatic-styles");
        for style in automatic.flat_map(|at| tree.children(at)) {
            if tree.value(style, "family") == "text" {
                let mut key = String::new();
                add_seen(tree, style, &mut key);
                for properties in tree.children(style) {
                    add_seen(tree, properties, &mut key);
                }
                by_name.insert(tree.value(style, "name"), key);
            }
        }
        Self { by_name }
    }

    /// Returns the look of text in spans, outermost first.
    pub(super) fn of(&self, tree: &Tree<'t>, spans: &[usize]) -> Look {
        let mut look = Look::default();
        for at in spans {
            let name = tree.value(*at, "style-name");
            match self.by_name.get(name) {
                Some(key) => look.key.push_str(key),
                None => look.key.extend(["name=", name, " "]),
            }
            look.open.push_str(tree.span(*at).of(tree.text));
            look.close.push_str("</text:span>");
        }
        look
    }
}

fn add_seen(tree: &Tree<'_>, at: usize, key: &mut String) {
    let token = tree.tokens.get(at);
    let attributes = token
        .into_iter()
        .flat_map(|token| token.attributes(tree.text));
    for (name, value) in attributes.filter(|(name, _)| !UNSEEN.contains(name)) {
        key.extend([name, "=", value.of(tree.text), " "]);
    }
}
