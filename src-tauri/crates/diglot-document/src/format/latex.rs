//! LaTeX at the level of paragraphs and of commands that hold text. Owns how groups, environments and
//! blank lines part a text; what a command means is the command module's. TeX is not run: what a
//! document defines for itself is taken as it looks.

mod command;

use crate::format::Reading;
use crate::placeable::latex as inline;
use crate::segment::{Piece, Setting};
use crate::splice::Tex;
use crate::text::line_before;
use crate::{SegmentKind, Span};

use command::Environment;
pub(crate) use command::{Class, class};

/// Reads the pieces of a document.
pub(crate) fn read(text: &str) -> Reading {
    let mut walk = Walk {
        text,
        at: 0,
        frames: vec![Frame::new(None, text.len(), 0)],
        n_flushed: 0,
        void: None,
        ahead: inline::Ahead::default(),
        environments: Vec::new(),
        in_preamble: text.contains("\\begin{document}"),
        pieces: Vec::new(),
        unclosed: Vec::new(),
    };
    while walk.at < text.len() {
        walk.step();
    }
    walk.flush();
    let unclosed = walk.unclosed;
    Reading {
        unclosed,
        ..Reading::of(walk.pieces)
    }
}

/// A command whose arguments are being read.
#[derive(Debug, Clone, Copy)]
struct Call {
    /// Where its backslash stands.
    head: usize,
    class: Class,
    /// Arguments still to come.
    pattern: &'static str,
    /// Text of the argument that holds some, if only one does.
    text: Option<Span>,
    has_text: bool,
    is_broken: bool,
}

/// A group that is open: the text in it that belongs together, which braces never cut.
#[derive(Debug)]
struct Frame {
    call: Option<Call>,
    is_text: bool,
    closer: u8,
    head: usize,
    span: Option<Span>,
    /// The text inside of the group that the span consists of, if it is one group alone.
    inner: Option<Span>,
    /// Whether a paragraph ended inside.
    is_broken: bool,
    /// Kind of the units inside, where a command says so.
    kind: Option<SegmentKind>,
}

impl Frame {
    fn new(call: Option<Call>, head: usize, closer: u8) -> Self {
        Self {
            call,
            is_text: true,
            closer,
            head,
            span: None,
            inner: None,
            is_broken: false,
            kind: None,
        }
    }

    fn note(&mut self, span: Span, inner: Option<Span>) {
        if !self.is_text {
            return;
        }
        self.inner = if self.span.is_none() { inner } else { None };
        let start = self.span.map_or(span.start, |known| known.start);
        self.span = Some(Span::new(start, span.end));
    }

    /// Returns what is a unit, and forgets it.
    fn take(&mut self) -> Option<Span> {
        let inner = self.inner.take();
        let span = self.span.take();
        inner.or(span)
    }
}

struct Walk<'t> {
    text: &'t str,
    at: usize,
    /// Open groups; the first one is the text itself.
    frames: Vec<Frame>,
    /// So many of the outermost groups hold nothing that was not flushed.
    n_flushed: usize,
    /// The outermost group that holds no text.
    void: Option<usize>,
    /// Where the closing marks of formulas are.
    ahead: inline::Ahead,
    environments: Vec<Environment>,
    in_preamble: bool,
    pieces: Vec<Piece>,
    unclosed: Vec<usize>,
}

impl<'t> Walk<'t> {
    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    /// Reads what begins at the current place.
    fn step(&mut self) {
        let at = self.at;
        let rest = self.rest(at);
        let Some(first) = rest.bytes().next() else {
            return;
        };
        match first {
            b'\\' => self.command(),
            b'{' => {
                self.push(Frame::new(None, at, b'}'));
                self.at += 1;
            }
            b'}' => self.close(b'}'),
            b']' if self.frames.last().is_some_and(|frame| frame.closer == b']') => {
                self.close(b']');
            }
            b'%' => self.at += line_length(rest),
            b'$' => self.formula(),
            b'&' if self.environments.last() == Some(&Environment::Table) => {
                self.flush();
                self.at += 1;
            }
            b'\n' | b'\r' => self.line_end(),
            b' ' | b'\t' | b'~' => self.at += 1,
            _ => {
                let special = |c: char| "\\{}]%$&\n\r".contains(c);
                let length = rest.find(special).unwrap_or(rest.len()).max(1);
                let run = rest.get(..length).unwrap_or_default();
                let text = run.trim_end_matches([' ', '\t', '~']);
                self.note(Span::new(at, at + text.len()), None);
                self.at += length;
            }
        }
    }

    fn note(&mut self, span: Span, inner: Option<Span>) {
        if self.in_preamble && self.frames.len() == 1 {
            return;
        }
        self.n_flushed = self.n_flushed.min(self.frames.len().saturating_sub(1));
        if let Some(frame) = self.frames.last_mut() {
            frame.note(span, inner);
        }
    }

    /// Opens a group; inside of what is no text nothing is.
    fn push(&mut self, mut frame: Frame) {
        let around = self.frames.last();
        let in_preamble = self.in_preamble && frame.call.is_none() && self.frames.len() == 1;
        frame.is_text &= around.is_none_or(|around| around.is_text) && !in_preamble;
        frame.kind = match frame.call.map(|call| call.class) {
            Some(Class::Block(kind)) => Some(kind),
            _ => around.and_then(|around| around.kind),
        };
        if !frame.is_text && self.void.is_none() {
            self.void = Some(self.frames.len());
        }
        self.frames.push(frame);
    }

    fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.n_flushed = self.n_flushed.min(self.frames.len().saturating_sub(1));
        self.void = self.void.filter(|void| *void < self.frames.len());
        Some(frame)
    }

    /// Ends the paragraph in every open group.
    fn flush(&mut self) {
        let mut found = Vec::new();
        let first = self.n_flushed.min(self.frames.len().saturating_sub(1));
        for frame in self.frames.iter_mut().skip(first) {
            frame.is_broken = true;
            found.extend(frame.take().map(|span| (span, frame.kind, frame.closer)));
        }
        self.n_flushed = self.frames.len();
        for (span, kind, closer) in found {
            self.piece(span, kind, closer);
        }
    }

    fn piece(&mut self, span: Span, kind: Option<SegmentKind>, closer: u8) {
        if !inline::has_prose(span.of(self.text)) {
            return;
        }
        let around = self
            .environments
            .last()
            .copied()
            .unwrap_or(Environment::Other);
        let of_environment = match around {
            Environment::Table => SegmentKind::TableCell,
            Environment::List => SegmentKind::ListItem,
            Environment::Quote => SegmentKind::Quote,
            Environment::Other => SegmentKind::Paragraph,
        };
        let setting = if closer == b']' {
            Tex::Optional
        } else if around == Environment::Table {
            Tex::Cell
        } else {
            Tex::Text
        };
        let kind = kind.unwrap_or(of_environment);
        let mut piece = Piece::new(self.text, span, kind, Setting::Tex(setting));
        piece.atoms = inline::atoms(self.text, piece.span);
        let line = line_before(self.text, piece.span.start);
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        line.get(..blanks)
            .unwrap_or_default()
            .clone_into(&mut piece.fresh);
        self.pieces.push(piece);
    }

    /// Passes over line ends; a blank line ends the paragraph.
    fn line_end(&mut self) {
        let rest = self.rest(self.at);
        let blank = rest
            .find(|c: char| !matches!(c, '\n' | '\r' | ' ' | '\t'))
            .unwrap_or(rest.len());
        let lines = rest.get(..blank).unwrap_or_default().replace("\r\n", "\n");
        self.at += blank;
        if lines.matches(['\n', '\r']).count() < 2 {
            return;
        }
        let class = self
            .void
            .and_then(|void| self.frames.get(void)?.call)
            .map(|call| call.class);
        if matches!(class, Some(Class::Content | Class::Void)) {
            // The argument of a reference or the like never closes.
            while self.void.is_some() {
                self.pop();
            }
        }
        self.flush();
        while self.frames.last().is_some_and(|frame| frame.closer == b']') {
            self.pop();
        }
    }

    /// Closes the innermost group.
    fn close(&mut self, closer: u8) {
        self.at += 1;
        if self.frames.len() < 2 {
            self.flush();
            return;
        }
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        if frame.closer != closer {
            // A bracket that never closes ends with the group around it.
            self.frames.push(frame);
            self.flush();
            self.frames.pop();
            self.at -= 1;
            return;
        }
        let is_broken = frame.is_broken;
        let class = frame.call.map(|call| call.class);
        let is_own = frame.closer == b']' || matches!(class, Some(Class::Block(_)));
        if (is_broken || is_own)
            && let Some(span) = frame.take()
        {
            self.piece(span, frame.kind, frame.closer);
        }
        let (span, inner) = (frame.span, frame.inner);
        match frame.call {
            Some(mut call) => {
                call.is_broken |= is_broken;
                call.text = if call.has_text { None } else { inner.or(span) };
                call.has_text |= span.is_some();
                self.arguments(call);
            }
            None if is_broken => {}
            None => {
                if span.is_some() {
                    self.note(Span::new(frame.head, self.at), inner.or(span));
                }
            }
        }
    }

    /// Opens the next argument of a command, or ends the command.
    fn arguments(&mut self, mut call: Call) {
        loop {
            let rest = self.rest(self.at);
            let Some(wanted) = call.pattern.chars().next() else {
                return self.finish(call);
            };
            let blanks = if wanted == '*' { 0 } else { blanks(rest) };
            let next = rest.as_bytes().get(blanks).copied();
            let later = call.pattern.get(1..).unwrap_or_default();
            let (opens, is_text, closer) = match (wanted, next) {
                ('o', Some(b'[')) => (true, false, b']'),
                ('p', Some(b'[')) => (true, true, b']'),
                ('v', Some(b'{')) => (true, false, b'}'),
                ('t' | '*', Some(b'{')) => (true, true, b'}'),
                ('*', Some(b'[')) => (bracket_closes(rest), false, b']'),
                ('d', _) => (definition(rest).is_some(), false, b'}'),
                ('o' | 'p', _) => {
                    call.pattern = later;
                    continue;
                }
                _ => (false, false, 0),
            };
            if !opens {
                return self.finish(call);
            }
            let before = if wanted == 'd' {
                definition(rest).unwrap_or_default()
            } else {
                blanks
            };
            self.at += before + 1;
            call.pattern = if wanted == '*' { call.pattern } else { later };
            let mut frame = Frame::new(Some(call), call.head, closer);
            frame.is_text = is_text;
            return self.push(frame);
        }
    }

    /// Adds a command with its arguments to the text around it.
    fn finish(&mut self, call: Call) {
        let whole = Span::new(call.head, self.at);
        match call.class {
            _ if call.is_broken => {}
            Class::Inline if call.has_text => self.note(whole, call.text),
            Class::Content | Class::Unknown => self.note(whole, None),
            Class::Inline | Class::Void | Class::Break | Class::Block(_) => {}
        }
    }

    fn command(&mut self) {
        let at = self.at;
        let token = inline::command(self.rest(at));
        self.at += token.length;
        let name = token.name;
        if name == "\\" {
            self.at = at + inline::line_break(self.rest(at));
        }
        let is_text = self.frames.last().is_some_and(|frame| frame.is_text);
        if let Some(verbatim) = inline::verbatim(self.rest(at)) {
            self.at = at + verbatim;
            return self.note(Span::new(at, self.at), None);
        }
        let is_outside = self.in_preamble && self.frames.len() == 1;
        if !is_text || is_outside && !matches!(name, "title" | "subtitle" | "begin") {
            return;
        }
        match name {
            "begin" => self.begin(at),
            "end" => self.end(),
            "[" => self.display(at, "\\]"),
            "(" => {
                self.at = self.ahead.formula(self.text, at, "\\)").unwrap_or(at + 2);
                self.note(Span::new(at, self.at), None);
            }
            "\\" if self.environments.last() == Some(&Environment::Table) => self.flush(),
            // The break of a line and blanks: text goes on behind them.
            "\\" | " " | "," | "/" | "-" | ";" | "!" | ":" | "@" | "newline" | "linebreak" => {}
            _ if token.is_symbol => self.note(Span::new(at, self.at), None),
            _ => {
                let (class, pattern) = class(name);
                if matches!(class, Class::Block(_) | Class::Break) {
                    self.flush();
                }
                self.arguments(Call {
                    head: at,
                    class,
                    pattern,
                    text: None,
                    has_text: false,
                    is_broken: false,
                });
            }
        }
    }

    fn begin(&mut self, at: usize) {
        let Some((name, length)) = braced_name(self.rest(self.at)) else {
            return;
        };
        self.at += length;
        if self.in_preamble {
            if name == "document" {
                self.in_preamble = false;
            } else if command::is_verbatim(name) {
                self.skip_to_end(at, name);
            }
            return;
        }
        self.flush();
        if command::is_verbatim(name) {
            return self.skip_to_end(at, name);
        }
        let (environment, class, pattern) = command::environment(name);
        self.environments.push(environment);
        self.arguments(Call {
            head: at,
            class,
            pattern,
            text: None,
            has_text: false,
            is_broken: false,
        });
    }

    fn end(&mut self) {
        self.flush();
        if let Some((name, length)) = braced_name(self.rest(self.at)) {
            self.at += length;
            self.environments.pop();
            if name == "document" {
                self.at = self.text.len();
            }
        }
    }

    fn skip_to_end(&mut self, head: usize, name: &str) {
        let end = format!("\\end{{{name}}}");
        if let Some(length) = self.rest(self.at).find(&end) {
            self.at += length + end.len();
        } else {
            self.unclosed.push(head);
            self.at = self.text.len();
        }
    }

    /// Passes over a formula on lines of its own: it parts the paragraph.
    fn display(&mut self, at: usize, closer: &'static str) {
        if let Some(end) = self.ahead.formula(self.text, at, closer) {
            self.flush();
            self.at = end;
        }
    }

    fn formula(&mut self) {
        let at = self.at;
        let rest = self.rest(at);
        if rest.starts_with("$$") {
            self.at += 2;
            return self.display(at, "$$");
        }
        let length = inline::formula(rest).unwrap_or(1);
        self.at += length;
        self.note(Span::new(at, self.at), None);
    }
}

/// Returns the length of blanks with one line end at most.
fn blanks(rest: &str) -> usize {
    let length = rest
        .find(|c: char| !matches!(c, ' ' | '\t' | '\n' | '\r'))
        .unwrap_or(rest.len());
    let blank = rest.get(..length).unwrap_or_default().replace("\r\n", "\n");
    if blank.matches(['\n', '\r']).count() < 2 {
        length
    } else {
        0
    }
}

fn line_length(rest: &str) -> usize {
    rest.find(['\n', '\r']).unwrap_or(rest.len())
}

/// Tells whether a bracket closes soon, so that it holds an argument.
fn bracket_closes(rest: &str) -> bool {
    let mut depth = 0_usize;
    for byte in rest.bytes().take(200) {
        match byte {
            b']' if depth == 0 => return true,
            b'{' => depth += 1,
            b'}' if depth == 0 => return false,
            b'}' => depth -= 1,
            b'\n' | b'\r' | b'%' => return false,
            _ => {}
        }
    }
    false
}

/// Returns the length of what stands in front of a definition's body.
fn definition(rest: &str) -> Option<usize> {
    let at = rest.bytes().take(200).position(|b| b == b'{')?;
    rest.get(..at)
        .filter(|head| !head.contains(['\n', '}']))
        .map(|_| at)
}

/// Reads `{name}` of an environment, with its length.
fn braced_name(rest: &str) -> Option<(&str, usize)> {
    let end = rest.bytes().take(60).position(|b| b == b'}')?;
    let name = rest.get(..end)?.strip_prefix('{')?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '*' | '@' | '-' | '_' | ' ');
    name.chars().all(is_name).then_some((name, end + 1))
}

#[cfg(test)]
mod tests;
