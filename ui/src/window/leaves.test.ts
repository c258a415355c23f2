import { expect, test } from "vitest";

import type { FileView } from "../backend/bindings/FileView";
import type { ProgressView } from "../backend/bindings/ProgressView";
import { leavesOf, openUnits, totalsOf } from "./leaves";

const file = (path: string, nUnits: number | null): FileView => ({
  path,
  format: "Markdown",
  reason: null,
  nBytes: 1,
  nUnits,
  nConfirmed: null,
});
const progress = (path: string, nUnits: number | null, nConfirmed: number): ProgressView => ({
  path,
  nUnits,
  nConfirmed,
  nextOpen: null,
});

test("files that the agent has not come to yet count as open", () => {
  const leaves = leavesOf([file("a.md", 6), file("b.md", 4), file("c.md", null)], [progress("a.md", 6, 2)]);
  expect(leaves.map(openUnits)).toEqual([4, 4, null]);
  expect(totalsOf(leaves)).toEqual({ nUnits: 10, nConfirmed: 2 });
});

test("what was confirmed in a file that is gone still counts", () => {
  const leaves = leavesOf([file("a.md", 6)], [progress("gone.md", 3, 3)]);
  expect(leaves.map(({ path }) => path)).toEqual(["a.md", "gone.md"]);
  expect(totalsOf(leaves)).toEqual({ nUnits: 9, nConfirmed: 3 });
});
