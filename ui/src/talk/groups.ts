/** Owns how turns of a conversation are put together for reading: words apart, what was done in runs. Pure. */

import type { TurnKind } from "../backend/bindings/TurnKind";
import type { TurnView } from "../backend/bindings/TurnView";

/** Turns that are looked at, from the last one back; the rest of a long session stays out of the page. */
const MOST = 400;

/** Kinds that are shown one by one; all others are something done. */
const WORDS: ReadonlySet<TurnKind["kind"]> = new Set(["user", "agent", "asked"]);

/** What stands together. */
export type Group =
  | { kind: "words"; key: string; turn: TurnKind }
  /** Things done without a word between them, in order; never empty. */
  | { kind: "done"; key: string; turns: TurnKind[] };

/** Puts runs of things done together. */
export function groupsOf(turns: readonly TurnView[]): { groups: Group[]; cut: boolean } {
  const groups: Group[] = [];
  const seen = new Map<number, number>();
  for (const { seq, turn } of turns.slice(-MOST)) {
    const nth = seen.get(seq) ?? 0;
    seen.set(seq, nth + 1);
    const key = `${seq.toString()}.${nth.toString()}`;
    const last = groups.at(-1);
    if (WORDS.has(turn.kind)) groups.push({ kind: "words", key, turn });
    else if (last?.kind === "done") last.turns.push(turn);
    else groups.push({ kind: "done", key, turns: [turn] });
  }
  return { groups, cut: turns.length > MOST };
}

/** Writes numbers as runs: 3, 4, 5 and 9 as "3–5, 9". */
export function runsOf(numbers: readonly number[], write: (n: number) => string): string {
  const runs: [number, number][] = [];
  for (const n of [...new Set(numbers)].toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === n - 1) last[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([first, last]) => (first === last ? write(first) : `${write(first)}–${write(last)}`)).join(", ");
}
