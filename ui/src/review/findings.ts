/** Owns which findings warn of something in a text, and which only say how its draft came about. Pure. */

import type { IssueView } from "../backend/bindings/IssueView";

const NOTES: ReadonlySet<IssueView["kind"]> = new Set(["noDraft", "outdated"]);

/** Tells whether something in the text is to be looked at. */
export function isWarning(issue: IssueView): boolean {
  return !NOTES.has(issue.kind);
}

/** Tells whether a draft carries a warning. */
export function isFlagged({ issues }: { issues: readonly IssueView[] }): boolean {
  return issues.some(isWarning);
}
