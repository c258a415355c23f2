/** A rough twin of what the core does with text: placeables and word diffs. */

import type { DiffPieceView } from "../bindings/DiffPieceView";
import type { PartView } from "../bindings/PartView";
import type { PlaceableView } from "../bindings/PlaceableView";

const PLACEABLE = /(`[^`]+`)|(\]\([^)]+\))|(\*\*)|(\{\w+\})|(\b\d+\b)/gu;
const KINDS: readonly PlaceableView[] = ["code", "link", "emphasis", "placeholder", "number"];

export function parts(text: string): PartView[] {
  const found: PartView[] = [];
  let at = 0;
  for (const match of text.matchAll(PLACEABLE)) {
    if (match.index > at) found.push({ text: text.slice(at, match.index), placeable: null });
    const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)] ?? null;
    found.push({ text: match[0], placeable: kind });
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push({ text: text.slice(at), placeable: null });
  return found;
}

export function wordDiff(before: string, after: string): DiffPieceView[] {
  const a = words(before);
  const b = words(after);
  const common = lengths(a, b);
  const pieces: DiffPieceView[] = [];
  const push = (kind: DiffPieceView["kind"], text: string): void => {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else pieces.push({ kind, text });
  };
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push("equal", a[i] ?? "");
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(common, i + 1, j) >= at(common, i, j + 1))) {
      push("removed", a[i++] ?? "");
    } else {
      push("added", b[j++] ?? "");
    }
  }
  return pieces;
}

function words(text: string): string[] {
  return text.match(/\p{L}+|\s+|[^\p{L}\s]/gu) ?? [];
}

/** Lengths of the longest common rests, by where the rests begin. */
function lengths(a: readonly string[], b: readonly string[]): number[][] {
  const table = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = table[i];
      if (row) row[j] = a[i] === b[j] ? at(table, i + 1, j + 1) + 1 : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  }
  return table;
}

function at(table: readonly (readonly number[])[], i: number, j: number): number {
  return table[i]?.[j] ?? 0;
}
