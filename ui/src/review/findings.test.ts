import { expect, test } from "vitest";

import type { IssueView } from "../backend/bindings/IssueView";
import { canDismiss, isFlagged } from "./findings";

const issue = (kind: IssueView["kind"]): IssueView => ({ kind, blocking: false, missing: [], extra: [], suggestion: null, fingerprint: kind, dismissed: false });

test("how a draft came about is no warning", () => {
  expect(isFlagged({ issues: [issue("noDraft"), issue("outdated")] })).toBe(false);
  expect(isFlagged({ issues: [issue("outdated"), issue("number")] })).toBe(true);
});

test("what was set aside for a text warns no more, and a loss cannot be set aside", () => {
  const number = issue("number");
  expect(isFlagged({ issues: [{ ...number, dismissed: true }] })).toBe(false);
  expect([number, { ...number, blocking: true }, issue("outdated")].map(canDismiss)).toEqual([true, false, false]);
});
