import { expect, test } from "vitest";

import type { DiffKindView } from "../backend/bindings/DiffKindView";
import type { DiffPieceView } from "../backend/bindings/DiffPieceView";
import { readable } from "./diff";

/** Writes pieces as `-went-`, `+came+` and plain text. */
const KINDS: Record<string, DiffKindView> = { "-": "removed", "+": "added" };
const read = (text: string): DiffPieceView[] =>
  (text.match(/-[^-]*-|\+[^+]*\+|[^-+]+/g) ?? []).map((piece) => {
    const kind = KINDS[piece.charAt(0)];
    return kind === undefined ? { kind: "equal", text: piece } : { kind, text: piece.slice(1, -1) };
  });

test.each([
  ["antes -da-+de+ -água-+a+ -se-+maré+ -vira-+virar+.", "antes -da água se vira-+de a maré virar+."],
  ["O -tempo-+hora+ da -nau-+maré+", "O -tempo-+hora+ da -nau-+maré+"],
  ["-a-+b+ +c+ d", "-a-+b+ +c+ d"],
  ["-a-+b+\n-c-+d+", "-a-+b+\n-c-+d+"],
  ["+agora+", "+agora+"],
  ["the same", "the same"],
])("%s reads as %s", (pieces, expected) => {
  expect(readable(read(pieces))).toEqual(read(expected));
});
