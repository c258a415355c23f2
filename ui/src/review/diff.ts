/** Owns how the pieces of a diff are put together to be read. Pure: says nothing that the pieces do not say. */

import type { DiffPieceView } from "../backend/bindings/DiffPieceView";

/** A run of the diff: what stays, or what went and what came in its place. */
type Run = { equal: string } | { removed: string; added: string };

/** Puts words that were replaced one after the other together, so that they read as one phrase for another. */
export function readable(pieces: readonly DiffPieceView[]): DiffPieceView[] {
  const runs: Run[] = [];
  for (const piece of pieces) {
    const last = runs.at(-1);
    if (piece.kind === "equal") runs.push({ equal: piece.text });
    else if (last !== undefined && "added" in last) last[piece.kind] += piece.text;
    else runs.push({ removed: "", added: "", [piece.kind]: piece.text });
    joinLast(runs);
  }
  return runs.flatMap(piecesOf);
}

/** Joins the last two replacements when only a blank stands between them. */
function joinLast(runs: Run[]): void {
  const [before, blank, after] = runs.slice(-3);
  if (before === undefined || blank === undefined || after === undefined) return;
  if (!isReplacement(before) || !isReplacement(after) || !("equal" in blank) || !/^[^\S\n]+$/.test(blank.equal)) return;
  const { equal } = blank;
  runs.splice(-3, 3, { removed: before.removed + equal + after.removed, added: before.added + equal + after.added });
}

function isReplacement(run: Run): run is Extract<Run, { added: string }> {
  return "added" in run && run.added !== "" && run.removed !== "";
}

function piecesOf(run: Run): DiffPieceView[] {
  if ("equal" in run) return [{ kind: "equal", text: run.equal }];
  const { removed, added } = run;
  const pieces: DiffPieceView[] = [];
  if (removed !== "") pieces.push({ kind: "removed", text: removed });
  if (added !== "") pieces.push({ kind: "added", text: added });
  return pieces;
}
