/** Joins what is known of a conversation with what came new. */

import type { TurnView } from "../backend/bindings/TurnView";

/** Puts `fresh` in the place of everything that `known` has from its first turn on. */
export function mergeTurns(known: readonly TurnView[], fresh: readonly TurnView[]): TurnView[] {
  const first = fresh[0];
  if (first === undefined) return [...known];
  return [...known.filter((turn) => turn.seq < first.seq), ...fresh];
}

/** Finds the sequence number after which turns may still change: the one before the first that waits. */
export function settledSeq(turns: readonly TurnView[], seq: number): number {
  const waiting = turns.find(
    ({ turn }) => (turn.kind === "drafted" || turn.kind === "asked") && turn.outcome === "waiting",
  );
  return waiting === undefined ? seq : Math.min(seq, waiting.seq - 1);
}
