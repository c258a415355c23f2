//! Walks pulldown-cmark's events and cuts out the text of every block that holds inline content.
//! Must not know front matter or what was blanked out.

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use crate::format::html;
use crate::format::markdown::mask::is_component;
use crate::segment::{Piece, Setting, split_prefix};
use crate::text::{has_prose, is_blank, line_before, lines_of};
use crate::{SegmentKind, Span};

/// Holds what the events give.
pub(super) struct Blocks {
    pub(super) pieces: Vec<Piece>,
    /// Offsets of fences that never close.
    pub(super) unclosed: Vec<usize>,
}

/// Cuts out the pieces in the order of the events.
pub(super) fn read<'t>(text: &'t str, events: impl Iterator<Item = (Event<'t>, Span)>) -> Blocks {
    let blocks = Blocks {
        pieces: Vec::new(),
        unclosed: Vec::new(),
    };
    let mut walk = Walk {
        text,
        blocks,
        containers: Vec::new(),
        open: None,
        in_code: false,
    };
    for (event, span) in events {
        walk.take(&event, span);
    }
    walk.close();
    walk.blocks
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Quote,
    Item,
    Footnote,
}

struct Walk<'t> {
    text: &'t str,
    blocks: Blocks,
    /// Around the current place, outermost first.
    containers: Vec<Container>,
    /// The block whose inline content is being read; a tight list item opens one without a tag.
    open: Option<Open>,
    in_code: bool,
}

struct Open {
    kind: SegmentKind,
    setting: Setting,
    /// From the first to the last inline event; `None` before the first.
    span: Option<Span>,
    has_prose: bool,
    /// Text events that touch each other; one word may come in several.
    run: Span,
    atoms: Vec<Span>,
    /// Inline containers around the current place.
    depth: usize,
    /// Where the inline HTML elements around the current place open.
    elements: Vec<usize>,
    /// How many of them hold code.
    code_elements: usize,
    /// Depth of the badge around the current place.
    badge: Option<usize>,
    /// Of the inline tags; units of their own only outside of the block's text.
    attributes: Vec<Piece>,
    /// The tags of components.
    components: Vec<Span>,
}

impl Walk<'_> {
    fn take(&mut self, event: &Event<'_>, span: Span) {
        match event {
            Event::Start(tag) if is_inline(tag.to_end()) => self.enter_inline(tag, span),
            Event::Start(tag) => self.enter_block(tag, span),
            Event::End(tag) if is_inline(*tag) => {
                let open = self.inline(span);
                open.depth -= 1;
                let depth = open.depth;
                open.badge.take_if(|badge| *badge == depth);
            }
            Event::End(tag) => self.leave_block(*tag, span),
            Event::Text(_) if self.in_code => {}
            Event::Text(_) => self.take_text(span),
            Event::Code(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_) => self.inline(span).add_atom(span),
            Event::InlineHtml(_) => self.take_tag(span),
            Event::Html(_)
            | Event::SoftBreak
            | Event::HardBreak
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }

    /// Returns the block that an inline event belongs to, widened by it.
    fn inline(&mut self, span: Span) -> &mut Open {
        let kind = self.kind();
        let open = self
            .open
            .get_or_insert_with(|| Open::new(kind, Setting::Block));
        let whole = open.span.get_or_insert_with(|| {
            // The backslash of an escaped first character belongs to no event.
            let before = self.text.get(..span.start).unwrap_or_default();
            let start = span.start - usize::from(before.ends_with('\\'));
            Span::new(start, span.end)
        });
        whole.end = whole.end.max(span.end);
        open
    }

    fn enter_inline(&mut self, tag: &Tag<'_>, span: Span) {
        let open = self.inline(span);
        if open.depth == 0 {
            open.add_atom(span);
        }
        if matches!(tag, Tag::Image { dest_url, .. } if html::is_badge(dest_url)) {
            open.badge.get_or_insert(open.depth);
        }
        open.depth += 1;
    }

    fn take_text(&mut self, span: Span) {
        let text = self.text;
        let open = self.inline(span);
        if open.code_elements > 0 || open.badge.is_some() {
            return;
        }
        if open.run.end == span.start {
            open.run.end = span.end;
        } else {
            open.close_run(text);
            open.run = span;
        }
    }

    fn take_tag(&mut self, span: Span) {
        let text = self.text;
        let tag = span.of(text);
        let open = self.inline(span);
        open.attributes.extend(html::attributes(text, span));
        if is_component(tag) {
            open.components.push(span);
        }
        if let Some(name) = tag.strip_prefix("</") {
            let start = if name.is_empty() {
                None
            } else {
                open.elements.pop()
            };
            let is_code = |at: &usize| html::is_code_tag(text.get(*at..).unwrap_or_default());
            open.code_elements -= usize::from(start.as_ref().is_some_and(is_code));
            let start = start
                .filter(|_| open.elements.is_empty())
                .unwrap_or(span.start);
            open.add_atom(Span::new(start, span.end));
        } else {
            open.add_atom(span);
            if html::opens_element(tag) {
                open.elements.push(span.start);
                open.code_elements += usize::from(html::is_code_tag(tag));
            }
        }
    }

    fn kind(&self) -> SegmentKind {
        match self.containers.last() {
            Some(Container::Quote) => SegmentKind::Quote,
            Some(Container::Item) => SegmentKind::ListItem,
            Some(Container::Footnote) | None => SegmentKind::Paragraph,
        }
    }

    fn enter_block(&mut self, tag: &Tag<'_>, span: Span) {
        self.close();
        match tag {
            Tag::Paragraph => self.open = Some(Open::new(self.kind(), Setting::Block)),
            Tag::Heading { level, .. } => {
                let atx = span.of(self.text).trim_start().starts_with('#');
                let setting = if atx { Setting::Line } else { Setting::Block };
                self.open = Some(Open::new(SegmentKind::Heading(*level as u8), setting));
            }
            Tag::TableCell => self.open = Some(Open::new(SegmentKind::TableCell, Setting::Cell)),
            Tag::BlockQuote(_) => self.containers.push(Container::Quote),
            Tag::Item => self.containers.push(Container::Item),
            Tag::FootnoteDefinition(_) => self.containers.push(Container::Footnote),
            Tag::CodeBlock(kind) => {
                self.in_code = true;
                let fenced = matches!(kind, CodeBlockKind::Fenced(_));
                if fenced && is_unclosed(self.text, span) {
                    self.blocks.unclosed.push(span.start);
                }
            }
            Tag::HtmlBlock
            | Tag::List(_)
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Table(_)
            | Tag::TableHead
            | Tag::TableRow
            | Tag::Emphasis
            | Tag::Strong
            | Tag::Strikethrough
            | Tag::Superscript
            | Tag::Subscript
            | Tag::Link { .. }
            | Tag::Image { .. }
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn leave_block(&mut self, tag: TagEnd, span: Span) {
        self.close();
        if matches!(
            tag,
            TagEnd::BlockQuote(_) | TagEnd::Item | TagEnd::FootnoteDefinition
        ) {
            self.containers.pop();
        }
        if tag == TagEnd::CodeBlock {
            self.in_code = false;
        }
        if tag == TagEnd::HtmlBlock {
            self.take_html(span);
        }
    }

    /// Reads an HTML block; inside of quotes their marks are blanked out first.
    fn take_html(&mut self, span: Span) {
        let quotes = self.quotes();
        if quotes == 0 {
            self.blocks.pieces.extend(html::read_part(self.text, span));
            return;
        }
        let mut copy = String::with_capacity(span.end - span.start);
        for (index, line) in lines_of(self.text, span).enumerate() {
            let whole = Span::new(line.start, line.next).of(self.text);
            let marks = if index == 0 { 0 } else { quotes };
            let (prefix, rest) = split_prefix(whole, marks);
            copy.extend(std::iter::repeat_n(' ', prefix.len()));
            copy.push_str(rest);
        }
        for mut piece in html::read_part(&copy, Span::new(0, copy.len())) {
            piece.span.start += span.start;
            piece.span.end += span.start;
            piece.quotes = quotes;
            piece.fresh = fresh_prefix(self.text, piece.span.start, quotes);
            self.blocks.pieces.push(piece);
        }
    }

    fn quotes(&self) -> usize {
        let is_quote = |container: &&Container| **container == Container::Quote;
        self.containers.iter().filter(is_quote).count()
    }

    /// Keeps the open block as a piece when there is something to translate in it.
    fn close(&mut self) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        open.close_run(self.text);
        // An element that never closes holds no code: its name was meant as text.
        let whole = open.span.filter(|_| open.code_elements > 0);
        open.has_prose |= whole.is_some_and(|span| has_prose(span.of(self.text)));
        let Some(span) = open.span.filter(|_| open.has_prose) else {
            let quotes = self.quotes();
            let quoted = |piece| Piece { quotes, ..piece };
            // What a value of a tag would need inside a table has no escape.
            if open.setting != Setting::Cell {
                let attributes = open.attributes.into_iter().map(quoted);
                self.blocks.pieces.extend(attributes);
            }
            return;
        };
        let mut piece = Piece::new(self.text, span, open.kind, open.setting);
        piece.atoms = open.atoms;
        piece.quotes = self.quotes();
        if open.setting == Setting::Block {
            piece.fresh = fresh_prefix(self.text, piece.span.start, piece.quotes);
            self.unwrap(&mut piece, &open.components, open.attributes);
        }
        self.blocks.pieces.push(piece);
    }

    /// Takes the components around a text off it; what they show in attributes is units of its own.
    fn unwrap(&mut self, piece: &mut Piece, components: &[Span], attributes: Vec<Piece>) {
        let inner = html::unwrapped(self.text, piece.span, components);
        if inner == piece.span || inner.start >= inner.end {
            return;
        }
        let is_outside = |span: Span| span.end <= inner.start || span.start >= inner.end;
        let outside = attributes
            .into_iter()
            .filter(|found| is_outside(found.span));
        let quotes = piece.quotes;
        let outside = outside.map(|found| Piece { quotes, ..found });
        self.blocks.pieces.extend(outside);
        piece.atoms.retain(|atom| !is_outside(*atom));
        // The markup inside of a component that was one piece of markup is not known.
        piece.is_whole = piece.atoms.iter().any(|atom| atom.start < inner.start);
        piece.span = inner;
    }
}

impl Open {
    fn new(kind: SegmentKind, setting: Setting) -> Self {
        let run = Span::new(0, 0);
        Self {
            kind,
            setting,
            span: None,
            has_prose: false,
            run,
            atoms: Vec::new(),
            depth: 0,
            elements: Vec::new(),
            code_elements: 0,
            badge: None,
            attributes: Vec::new(),
            components: Vec::new(),
        }
    }

    /// Adds markup that must not be cut; one around earlier ones takes their place.
    fn add_atom(&mut self, span: Span) {
        while self.atoms.pop_if(|last| last.start >= span.start).is_some() {}
        if self.atoms.last().is_none_or(|last| last.end <= span.start) {
            self.atoms.push(span);
        }
    }

    fn close_run(&mut self, text: &str) {
        self.has_prose = self.has_prose || has_prose(self.run.of(text));
        self.run = Span::new(0, 0);
    }
}

fn is_inline(tag: TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::Link
            | TagEnd::Image
    )
}

/// Makes the prefix of a further line of a block from what stands before its first one: quote marks
/// are repeated, list markers become blanks.
fn fresh_prefix(text: &str, at: usize, quotes: usize) -> String {
    let line = line_before(text, at);
    if line.is_empty() {
        return "> ".repeat(quotes);
    }
    let mut left = quotes;
    let repeated = |c: char| {
        let marks = c == '>' && left > 0;
        left -= usize::from(marks);
        if marks || is_blank(c) { c } else { ' ' }
    };
    line.chars().map(repeated).collect()
}

/// Tells whether a fenced block runs to the end of the text without a closing fence.
fn is_unclosed(text: &str, span: Span) -> bool {
    let to_the_end = text
        .get(span.end..)
        .is_some_and(|rest| rest.trim().is_empty());
    let bare = |line: &str| {
        line.trim_matches(|c: char| is_blank(c) || c == '>')
            .to_owned()
    };
    let mut found = lines_of(text, span).map(|line| bare(line.content(text)));
    let fence = found.next().unwrap_or_default();
    let mark = fence.chars().next().unwrap_or('`');
    let length = fence.len() - fence.trim_start_matches(mark).len();
    let last = found.last().unwrap_or_default();
    to_the_end && !(last.len() >= length && last.chars().all(|c| c == mark))
}
