/** Joins what is known of a conversation with what came new. */

import type { TurnView } from "../backend/bindings/TurnView";

/** Puts each turn of `fresh` in the place of what `known` has of it, and the others at the end. */
export function mergeTurns(known: readonly TurnView[], fresh: readonly TurnView[]): TurnView[] {
  const turns = new Map<string, TurnView>();
  // A draft or a question comes twice: when it is made, and as it stands once it is decided.
  for (const turn of [...known, ...fresh]) turns.set(keyOf(turn), turn);
  return [...turns.values()];
}

/** Names a turn: by its call where it has one, else by its entry of the log, which has one other turn at most. */
function keyOf({ seq, turn }: TurnView): string {
  return turn.kind === "drafted" || turn.kind === "asked" ? turn.callId : seq.toString();
}

/** Finds the sequence number after which turns may still change: the one before the first that waits. */
export function settledSeq(turns: readonly TurnView[], seq: number): number {
  const waiting = turns.find(
    ({ turn }) => (turn.kind === "drafted" || turn.kind === "asked") && turn.outcome === "waiting",
  );
  return waiting === undefined ? seq : Math.min(seq, waiting.seq - 1);
}
