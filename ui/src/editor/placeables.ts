/** Owns how placeables look and hold together inside the editor: marks over the pieces that Rust names. Changes no text. */

import { StateEffect, StateField, type Extension, type Range } from "@codemirror/state";
import { Decoration, Direction, EditorView, type DecorationSet } from "@codemirror/view";

/** A piece of the text; the pieces join to it. */
export interface Piece {
  text: string;
  /** What must survive in it; `null` for plain text. */
  placeable: string | null;
}

/** Kinds that a key takes or passes over as a whole; a text inside one means nothing. */
const WHOLE: ReadonlySet<string> = new Set(["code", "placeholder", "tag", "math"]);

const setPieces = StateEffect.define<readonly Piece[]>();

const field = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = marks.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setPieces)) continue;
      // Pieces of an older text say nothing about this one; the newer answer is on its way.
      if (joined(effect.value) === transaction.newDoc.toString()) next = marksOf(effect.value);
    }
    return next;
  },
  provide: (marks) => [
    EditorView.decorations.from(marks),
    EditorView.bidiIsolatedRanges.of((view) => view.state.field(marks)),
    EditorView.atomicRanges.of((view) => view.state.field(marks).update({ filter: (_from, _to, mark) => isWhole(mark) })),
  ],
});

/** Shows placeables as chips. */
export function placeables(): Extension {
  return field;
}

/** Marks the placeables of a text; ignored when the text has changed since. */
export function showPieces(view: EditorView, pieces: readonly Piece[]): void {
  view.dispatch({ effects: setPieces.of(pieces) });
}

function joined(pieces: readonly Piece[]): string {
  return pieces.map((piece) => piece.text).join("");
}

function marksOf(pieces: readonly Piece[]): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  let from = 0;
  for (const piece of pieces) {
    const to = from + piece.text.length;
    if (piece.placeable !== null && to > from) ranges.push(markOf(piece.placeable).range(from, to));
    from = to;
  }
  return Decoration.set(ranges);
}

function isWhole(mark: Decoration): boolean {
  return WHOLE.has(String(mark.spec["placeable"]));
}

const marks = new Map<string, Decoration>();

function markOf(placeable: string): Decoration {
  const known = marks.get(placeable);
  if (known !== undefined) return known;
  const mark = Decoration.mark({
    class: `placeable placeable-${placeable}`,
    placeable,
    attributes: { dir: "ltr" },
    bidiIsolate: Direction.LTR,
  });
  marks.set(placeable, mark);
  return mark;
}
