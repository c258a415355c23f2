/** Owns which findings warn of something in a text, and which only say how its draft came about. Pure. */

import type { IssueView } from "../backend/bindings/IssueView";

const NOTES: ReadonlySet<IssueView["kind"]> = new Set(["noDraft", "outdated"]);

/** Tells whether something in the text is to be looked at; what was set aside for the text is not. */
export function isWarning(issue: IssueView): boolean {
  return !NOTES.has(issue.kind) && !issue.dismissed;
}

/** Tells whether a finding can be set aside: a loss must be mended or confirmed each time. */
export function canDismiss(issue: IssueView): boolean {
  return isWarning(issue) && !issue.blocking;
}

/** Tells whether a draft carries a warning. */
export function isFlagged({ issues }: { issues: readonly IssueView[] }): boolean {
  return issues.some(isWarning);
}
