/** Owns how a selected piece of a draft is named: by its text, and which of the places with this text it is. Pure. */

import type { MarkedRequest } from "../backend/bindings/MarkedRequest";

/**
 * Names a piece that was selected in a text, as a piece of the draft; `null` when the draft does not hold it. In a text
 * that the person has changed, the first place in the draft is meant.
 */
export function markedIn(draft: string, text: string, selected: string, from: number): MarkedRequest | null {
  const piece = selected.trim();
  if (piece === "" || !draft.includes(piece)) return null;
  if (text !== draft) return { text: piece, occurrence: 1 };
  const start = from + selected.indexOf(piece);
  let occurrence = 0;
  for (let at = draft.indexOf(piece); at >= 0 && at <= start; at = draft.indexOf(piece, at + 1)) occurrence += 1;
  return { text: piece, occurrence };
}
