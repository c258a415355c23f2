import { expect, test } from "vitest";

import { markedIn } from "./marked";

const DRAFT = "Die Datei in der Datei.";

test.each([
  ["Datei", 4, { text: "Datei", occurrence: 1 }],
  ["Datei", 17, { text: "Datei", occurrence: 2 }],
  [" Datei", 16, { text: "Datei", occurrence: 2 }],
  ["  ", 3, null],
])("a selection %o at %o is named by its text and place", (selected, from, expected) => {
  expect(markedIn(DRAFT, DRAFT, selected, from)).toEqual(expected);
});

test("places that overlap are counted each", () => {
  expect(markedIn("aaa", "aaa", "aa", 1)).toEqual({ text: "aa", occurrence: 2 });
});

test("what only the changed text holds is no piece of the draft", () => {
  expect(markedIn(DRAFT, "Der Ordner in der Datei.", "Ordner", 4)).toBeNull();
  expect(markedIn(DRAFT, "Der Ordner in der Datei.", "Datei", 18)).toEqual({ text: "Datei", occurrence: 1 });
});
