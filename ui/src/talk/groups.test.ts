import { expect, test } from "vitest";

import type { TurnKind } from "../backend/bindings/TurnKind";
import { groupsOf, runsOf } from "./groups";

const drafted = (unit: number): TurnKind => ({ kind: "drafted", path: "a.md", unit, callId: `c${unit}`, outcome: "waiting" });
const said: TurnKind = { kind: "agent", text: "Done.", reasoning: null };

test("runs of things done stand together, words apart", () => {
  const turns = [drafted(1), drafted(2), said, drafted(3)].map((turn, seq) => ({ seq, turn }));
  expect(groupsOf(turns).groups.map((group) => (group.kind === "done" ? group.turns.length : "words"))).toEqual([
    2,
    "words",
    1,
  ]);
});

test("keys differ, also within one entry of the log", () => {
  const turns = [said, said, said].map((turn) => ({ seq: 7, turn }));
  expect(new Set(groupsOf(turns).groups.map((group) => group.key)).size).toBe(3);
});

test("a long session does not fill the page", () => {
  const turns = Array.from({ length: 10_000 }, (_, seq) => ({ seq, turn: said }));
  const { groups, cut } = groupsOf(turns);
  expect([groups.length, cut]).toEqual([400, true]);
});

test("numbers are written as runs", () => {
  expect(runsOf([5, 3, 4, 9, 9, 11, 12], String)).toBe("3–5, 9, 11–12");
});
