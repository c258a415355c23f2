//! Ways to translate the pieces of a unit, from the best-reading to the safest. Owns their order; must
//! not know checks, memories or an engine's inside.

use crate::align::Drafter;
use crate::inline::{Group, Piece, write_all};
use crate::mask::{Masked, SHAPES, Shape, Unrestored, holds_tokens};

/// Names a way to keep markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Whole sentences; marks go around the words that the alignment names.
    Carry,
    /// Whole sentences; marked words are one token there and are translated alone.
    Freeze,
    /// Each text between marks alone: reads worst, loses nothing.
    Split,
}

impl Way {
    /// All ways, best first.
    pub(crate) const ALL: [Self; 3] = [Self::Carry, Self::Freeze, Self::Split];
}

/// Translates pieces; `None` when this way cannot keep the markup.
pub(crate) fn render(pieces: &[Piece], way: Way, drafter: &dyn Drafter) -> Option<String> {
    let mut out = String::new();
    for line in pieces.split_inclusive(|piece| matches!(piece, Piece::Break(_))) {
        match line.split_last() {
            Some((Piece::Break(mark), line)) => {
                out.push_str(&render_line(line, way, drafter)?);
                out.push_str(mark);
            }
            _ => out.push_str(&render_line(line, way, drafter)?),
        }
    }
    Some(out)
}

fn render_line(line: &[Piece], way: Way, drafter: &dyn Drafter) -> Option<String> {
    let (head, core, tail) = without_edges(line);
    let drafted = match core {
        [] => String::new(),
        [Piece::Group(group)] => render_group(group, way, drafter)?,
        core if !core.iter().any(Piece::is_translatable) => write_all(core),
        core if way == Way::Split || !holds_sentence(core) => split(core, way, drafter)?,
        core => whole(core, way, drafter)?,
    };
    Some(format!("{}{drafted}{}", write_all(head), write_all(tail)))
}

/// Sets pieces at the edges apart that are no part of a sentence.
fn without_edges(line: &[Piece]) -> (&[Piece], &[Piece], &[Piece]) {
    let n_head = line.iter().take_while(|piece| piece.is_edge()).count();
    let (head, rest) = line.split_at(n_head);
    let n_tail = rest
        .iter()
        .rev()
        .take_while(|piece| piece.is_edge())
        .count();
    let (core, tail) = rest.split_at(rest.len() - n_tail);
    (head, core, tail)
}

/// Tells whether marks stand in running text rather than in a row, as badges and menus do.
fn holds_sentence(line: &[Piece]) -> bool {
    line.iter()
        .any(|piece| matches!(piece, Piece::Text(_)) && piece.is_translatable())
}

fn render_group(group: &Group, way: Way, drafter: &dyn Drafter) -> Option<String> {
    let inner = render(&group.inner, way, drafter)?;
    Some(format!("{}{inner}{}", group.open, group.close))
}

/// Translates a line as whole sentences.
fn whole(line: &[Piece], way: Way, drafter: &dyn Drafter) -> Option<String> {
    if holds_tokens(&write_all(line)) {
        return None;
    }
    let mut frozen = Vec::with_capacity(line.len());
    for piece in line {
        frozen.push(None);
        if let (Piece::Group(group), Some(slot)) = (piece, frozen.last_mut())
            && (way == Way::Freeze || is_apart(group))
        {
            *slot = Some(render_group(group, way, drafter)?);
        }
    }
    SHAPES
        .iter()
        .find_map(|shape| restored(line, frozen.clone(), *shape, drafter))
}

/// Translates a line with tokens of one shape. Marks that find no place among the words are frozen
/// after all, one in each round, so the rounds end.
fn restored(
    line: &[Piece],
    mut frozen: Vec<Option<String>>,
    shape: Shape,
    drafter: &dyn Drafter,
) -> Option<String> {
    loop {
        let masked = Masked::new(line, &frozen, shape);
        let piece = match masked.restore(&drafter.translate(&masked.plain)) {
            Ok(text) => return Some(text),
            Err(Unrestored::Tokens) => return None,
            Err(Unrestored::Mark { piece }) => piece,
        };
        let Some(Piece::Group(group)) = line.get(piece) else {
            return None;
        };
        let slot = frozen.get_mut(piece).filter(|slot| slot.is_none())?;
        *slot = Some(render_group(group, Way::Freeze, drafter)?);
    }
}

/// Tells whether marked words are better translated alone: an image's text is no part of the sentence,
/// and a line break inside must stay where it is.
fn is_apart(group: &Group) -> bool {
    let holds_break = |piece: &Piece| match piece {
        Piece::Break(_) => true,
        Piece::Group(group) => is_apart(group),
        Piece::Text(_) | Piece::Atom(_) | Piece::Anchor(_) | Piece::Aside(_) => false,
    };
    group.open.ends_with("![") || group.inner.iter().any(holds_break)
}

/// Translates each text of a line alone.
fn split(line: &[Piece], way: Way, drafter: &dyn Drafter) -> Option<String> {
    let mut out = String::new();
    for piece in line {
        match piece {
            Piece::Text(text) if piece.is_translatable() => {
                let core = text.trim();
                let (head, tail) = text.split_once(core).unwrap_or_default();
                let drafted = drafter.translate(core).text;
                out.push_str(head);
                out.push_str(if drafted.trim().is_empty() {
                    core
                } else {
                    drafted.trim()
                });
                out.push_str(tail);
            }
            Piece::Group(group) => out.push_str(&render_group(group, way, drafter)?),
            Piece::Text(_)
            | Piece::Atom(_)
            | Piece::Anchor(_)
            | Piece::Aside(_)
            | Piece::Break(_) => {
                piece.write(&mut out);
            }
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests;
