//! Block constructs that CommonMark does not know: display math with blank lines, admonition and
//! container marks, template and component lines, imports. They are blanked out in a copy of the same
//! length, so that the parser sees what is left at the same offsets; their titles become pieces.

mod marks;

use crate::format::html;
pub(super) use marks::is_component;
use marks::{Balance, bare, code_blocks, is_candidate, is_indented_mark, quoted};
pub(crate) use marks::{TABLE_OF_CONTENTS, is_module_line};

use crate::segment::{Piece, Setting, split_prefix};
use crate::text::{Line, has_prose, lines_of};
use crate::{SegmentKind, Span};

/// Blanks that make an indented line code.
const CODE_INDENTATION: usize = 4;

/// A component's tag may take so many bytes.
const TAG_LIMIT: usize = 8 * 1024;

/// Holds the blanked copy and what was read on the way.
pub(super) struct Masked {
    pub(super) body: String,
    pub(super) pieces: Vec<Piece>,
    /// From the opening to the closing mark, ascending by start.
    pub(super) admonitions: Vec<Span>,
}

/// Blanks out what is not CommonMark in the body that starts at `base`; `None` when there is nothing.
pub(super) fn mask(text: &str, body: &str, base: usize) -> Option<Masked> {
    let part = Span::new(base, text.len());
    let found: Vec<Line> = lines_of(text, part).collect();
    if !found
        .iter()
        .any(|line| is_candidate(bare(line.content(text))))
    {
        return None;
    }
    let code = code_blocks(text, body, base);
    let mut masker = Masker::new(text, body, base);
    let mut index = 0;
    while let Some(line) = found.get(index) {
        let next = code.partition_point(|block| block.span.end <= line.start);
        let in_code = code.get(next).is_some_and(|block| {
            let inside = block.indented && masker.components > 0;
            block.span.start < line.end && !inside
        });
        let later = found.get(index + 1..).unwrap_or_default();
        let taken = if in_code {
            0
        } else {
            masker.take(*line, later)
        };
        index += taken.max(1);
    }
    Some(masker.finish())
}

struct Masker<'t> {
    text: &'t str,
    base: usize,
    body: Vec<u8>,
    pieces: Vec<Piece>,
    admonitions: Vec<Span>,
    /// Opening marks of containers that are not closed yet.
    open: Vec<usize>,
    /// Components around the current place: what is indented there is no code.
    components: usize,
    /// Closing marks that were looked for in vain; looking again would cost the square.
    absent: Vec<&'static str>,
    /// Whether the line before was blank or taken.
    at_block_start: bool,
    /// Whether the line before has quote marks.
    in_quote: bool,
}

impl<'t> Masker<'t> {
    fn new(text: &'t str, body: &str, base: usize) -> Self {
        Self {
            text,
            base,
            body: body.as_bytes().to_vec(),
            pieces: Vec::new(),
            admonitions: Vec::new(),
            open: Vec::new(),
            components: 0,
            absent: Vec::new(),
            at_block_start: true,
            in_quote: false,
        }
    }

    fn finish(mut self) -> Masked {
        let end = self.text.len();
        let unclosed = self.open.drain(..).map(|start| Span::new(start, end));
        self.admonitions.extend(unclosed);
        self.admonitions.sort();
        let body = String::from_utf8(self.body).unwrap_or_default();
        Masked {
            body,
            pieces: self.pieces,
            admonitions: self.admonitions,
        }
    }

    /// Takes the construct that starts at the line, if one does; returns how many lines it has.
    fn take(&mut self, line: Line, later: &[Line]) -> usize {
        let content = line.content(self.text);
        let (prefix, body) = split_prefix(content, usize::MAX);
        let start = line.start + prefix.len();
        let span = Span::new(start, start + body.trim_end().len());
        let opens_quote = prefix.contains('>') && (self.at_block_start || !self.in_quote);
        let taken = self.take_mark(span, later, opens_quote);
        for line in std::iter::once(&line).chain(later).take(taken) {
            self.blank(*line);
        }
        let next = later.get(taken.saturating_sub(1)..).unwrap_or_default();
        if taken > 0 && self.opens_indented(span, taken, next) {
            let directly = taken == 1 && next.first().is_some_and(|line| !self.is_blank(*line));
            self.write_item(span, directly);
        }
        self.at_block_start = taken > 0 || span.start == span.end;
        self.in_quote = prefix.contains('>');
        taken
    }

    fn take_mark(&mut self, span: Span, later: &[Line], opens_quote: bool) -> usize {
        let body = span.of(self.text);
        match body.as_bytes().first() {
            Some(b':') if body.starts_with(":::") => self.container(span),
            Some(b'[') if opens_quote && body.starts_with("[!") => self.alert(span),
            Some(b'[') => usize::from(TABLE_OF_CONTENTS.contains(&body)),
            Some(b'!' | b'?' | b'=') if is_indented_mark(body) => {
                self.title(quoted(self.text, span), Setting::Attribute('"'));
                1
            }
            Some(b'$') if body.starts_with("$$") => self.math(body, later),
            Some(b'\\') if body == "\\[" => self.until(later, "\\]", |line| line == "\\]"),
            Some(b'{') => match self.template(body, later) {
                0 if self.at_block_start => self.expression(body, later),
                taken => taken,
            },
            Some(b'<') if matches!(body, "<>" | "</>") => 1,
            Some(b'<') if is_component(body) => self.component(span, later),
            Some(b'i' | b'e') if self.at_block_start && is_module_line(body) => {
                self.module(body, later)
            }
            _ => 0,
        }
    }

    /// Blanks a line but for its quote marks.
    fn blank(&mut self, line: Line) {
        let prefix = split_prefix(line.content(self.text), usize::MAX).0.len();
        let range = line.start + prefix - self.base..line.end - self.base;
        if let Some(bytes) = self.body.get_mut(range) {
            bytes.fill(b' ');
        }
    }

    /// Takes `:::name Title`, `:::name[Title]{…}`, `::: {.name}` and the closing `:::`.
    fn container(&mut self, span: Span) -> usize {
        let body = span.of(self.text);
        let rest = body.trim_start_matches(':').trim_start();
        if rest.is_empty() {
            if let Some(start) = self.open.pop() {
                self.admonitions.push(Span::new(start, span.end));
            }
            return 1;
        }
        self.open.push(span.end);
        let braced = rest
            .strip_prefix('{')
            .and_then(|inner| inner.split_once('}'));
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let title = braced.map_or_else(|| rest.trim_start_matches(name), |(_, title)| title);
        let start = span.end - title.len();
        let bracketed = title.strip_prefix('[').and_then(|inner| inner.find(']'));
        let plain = title.find('{').unwrap_or(title.len());
        let title = match bracketed {
            Some(length) => Span::new(start + 1, start + 1 + length),
            None => Span::new(start, start + plain),
        };
        self.title(Some(title), Setting::Line);
        1
    }

    /// Takes the first line of an alert, `[!NOTE]` or `[!note]- Title`, inside a block quote.
    fn alert(&mut self, span: Span) -> usize {
        let body = span.of(self.text);
        let Some((name, title)) = body
            .strip_prefix("[!")
            .and_then(|rest| rest.split_once(']'))
        else {
            return 0;
        };
        let named = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if !named || title.starts_with(['(', '[', ':']) {
            return 0;
        }
        let title = title.trim_start_matches(['+', '-']);
        self.title(
            Some(Span::new(span.end - title.len(), span.end)),
            Setting::Line,
        );
        1
    }

    fn title(&mut self, span: Option<Span>, setting: Setting) {
        if let Some(span) = span.filter(|span| has_prose(span.of(self.text))) {
            self.pieces
                .push(Piece::new(self.text, span, SegmentKind::Caption, setting));
        }
    }

    fn math(&mut self, body: &str, later: &[Line]) -> usize {
        let rest = body.strip_prefix("$$").unwrap_or_default();
        if rest.contains("$$") {
            return 0;
        }
        self.until(later, "$$", |line| line.ends_with("$$"))
    }

    /// Counts the lines up to the one that closes; 0 when none does.
    fn until(&mut self, later: &[Line], name: &'static str, closes: fn(&str) -> bool) -> usize {
        if self.absent.contains(&name) {
            return 0;
        }
        let closing = later
            .iter()
            .position(|line| closes(bare(line.content(self.text)).trim_end()));
        if closing.is_none() {
            self.absent.push(name);
        }
        closing.map_or(0, |at| at + 2)
    }

    /// Takes lines that are a template's or MDX's alone: `{% … %}`, `{{ … }}`, `{: … }`, `{/* … */}`.
    fn template(&mut self, body: &str, later: &[Line]) -> usize {
        let whole = |open: &str, close: &str| {
            body.starts_with(open)
                && body
                    .find(close)
                    .is_some_and(|at| at + close.len() == body.len())
        };
        if body.starts_with("{% highlight") || body.starts_with("{% comment") {
            let end =
                |line: &str| line.contains("{% endhighlight") || line.contains("{% endcomment");
            return self.until(later, "{% end", end).max(1);
        }
        if body.starts_with("{/*") && !body.contains("*/}") {
            return self.until(later, "*/}", |line| line.contains("*/}"));
        }
        let alone =
            whole("{%", "%}") || whole("{{", "}}") || whole("{:", "}") || whole("{/*", "*/}");
        usize::from(alone)
    }

    /// Takes imports and exports of MDX: to the next blank line, or beyond it where braces are open.
    fn module(&mut self, body: &str, later: &[Line]) -> usize {
        let is_blank = |line: &&Line| !line.content(self.text).trim().is_empty();
        let least = 1 + later.iter().take_while(is_blank).count();
        let mut balance = Balance::default();
        balance.take(body, "{[(");
        let mut taken = 1;
        for line in later {
            if taken >= least && (balance.is_even() || self.absent.contains(&"module")) {
                return taken;
            }
            balance.take(line.content(self.text), "{[(");
            taken += 1;
        }
        if balance.is_even() {
            return taken;
        }
        self.absent.push("module");
        least
    }

    /// Takes an expression of MDX that has its lines to itself.
    fn expression(&mut self, body: &str, later: &[Line]) -> usize {
        let mut balance = Balance::default();
        let mut taken = 1;
        let mut rest = balance.take(body, "{");
        for line in later {
            if balance.is_even() || self.absent.contains(&"expression") {
                break;
            }
            rest = balance.take(line.content(self.text), "{");
            taken += 1;
        }
        if !balance.is_even() {
            self.absent.push("expression");
        }
        let is_alone = balance.is_even() && rest.trim().is_empty();
        if is_alone { taken } else { 0 }
    }

    /// Takes a component's tag that has its lines to itself.
    fn component(&mut self, span: Span, later: &[Line]) -> usize {
        let limit = self.text.len().min(span.start + TAG_LIMIT);
        let Some(end) = html::tag_end(self.text, span.start, limit) else {
            return 0;
        };
        let more = later.iter().take_while(|line| line.start < end).count();
        let last = later
            .get(..more)
            .and_then(<[Line]>::last)
            .map_or(span.end, |line| line.end);
        let behind = Span::new(end, last);
        if !behind.of(self.text).trim().is_empty() {
            return 0;
        }
        let tag = Span::new(span.start, end);
        self.pieces.extend(html::attributes(self.text, tag));
        if tag.of(self.text).starts_with("</") {
            self.components = self.components.saturating_sub(1);
        } else if !tag.of(self.text).ends_with("/>") {
            self.components += 1;
        }
        1 + more
    }

    /// Tells whether the indented lines after a mark (MkDocs) or a component's tag are its inside.
    fn opens_indented(&self, span: Span, taken: usize, next: &[Line]) -> bool {
        let body = span.of(self.text);
        if is_indented_mark(body) {
            return taken == 1;
        }
        let indentation = |at: usize| {
            let head = self.text.get(..at).unwrap_or_default();
            head.len() - head.trim_end_matches(' ').len()
        };
        let inside = next.iter().find(|line| !self.is_blank(**line)).map(|line| {
            let content = line.content(self.text);
            content.len() - content.trim_start_matches(' ').len()
        });
        let least = CODE_INDENTATION.max(indentation(span.start) + 2);
        let would_be_code = inside.is_some_and(|inside| inside >= least);
        would_be_code && is_component(body) && !body.starts_with("</")
    }

    fn is_blank(&self, line: Line) -> bool {
        line.content(self.text).trim().is_empty()
    }

    /// Writes a list marker in the mark's place, so that its indented lines are no code.
    fn write_item(&mut self, span: Span, directly: bool) {
        let start = span.start - self.base;
        if let Some(byte) = self.body.get_mut(start) {
            *byte = b'-';
        }
        // An item may not start with a blank line: an empty heading holds its place and has no text.
        if let Some(byte) = self.body.get_mut(start + 2).filter(|_| !directly) {
            *byte = b'#';
        }
    }
}
