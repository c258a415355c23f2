import { expect, test } from "vitest";

import type { IssueView } from "../backend/bindings/IssueView";
import { isFlagged } from "./findings";

const issue = (kind: IssueView["kind"]): IssueView => ({ kind, blocking: false, missing: [], extra: [], suggestion: null });

test("how a draft came about is no warning", () => {
  expect(isFlagged({ issues: [issue("noDraft"), issue("outdated")] })).toBe(false);
  expect(isFlagged({ issues: [issue("outdated"), issue("number")] })).toBe(true);
});
