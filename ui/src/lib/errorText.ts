/** Says an error, or a finding, as a sentence that tells what to do. */

import type { ApiError } from "../backend/bindings/ApiError";
import type { IssueView } from "../backend/bindings/IssueView";
import type { Strings } from "./i18n";

export function errorText(t: Strings, error: ApiError): string {
  return t.errors.codes[error.code];
}

/** Says a finding with the texts that it is about. */
export function issueText(t: Strings, issue: IssueView): string {
  const parts = [t.errors.issues[issue.kind]];
  if (issue.missing.length > 0) parts.push(t.errors.missing(issue.missing.join(t.errors.comma)));
  if (issue.extra.length > 0) parts.push(t.errors.extra(issue.extra.join(t.errors.comma)));
  return parts.join(t.errors.semicolon);
}
