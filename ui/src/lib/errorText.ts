/** Says an error, or a finding, as a sentence that tells what to do. */

import type { ApiError } from "../backend/bindings/ApiError";
import type { IssueView } from "../backend/bindings/IssueView";
import type { Strings } from "./i18n";

export function errorText(t: Strings, error: ApiError): string {
  return t.errors.codes[error.code];
}

/** So much of a text is quoted in a finding, in grapheme clusters: the draft beside it holds the rest. */
const LONGEST_QUOTE = 80;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Says a finding with the texts that it is about. */
export function issueText(t: Strings, issue: IssueView): string {
  const quoted = (texts: readonly string[]): string => texts.map(quote).join(t.errors.comma);
  const parts = [t.errors.issues[issue.kind]];
  if (issue.missing.length > 0) parts.push(t.errors.missing(quoted(issue.missing)));
  if (issue.extra.length > 0) parts.push(t.errors.extra(quoted(issue.extra)));
  return parts.join(t.errors.semicolon);
}

/** Cuts a long text, for instance the thoughts of a model. */
function quote(text: string): string {
  if (text.length <= LONGEST_QUOTE) return text;
  let n = 0;
  for (const { index } of graphemes.segment(text)) {
    n += 1;
    if (n > LONGEST_QUOTE) return `${text.slice(0, index).trimEnd()}…`;
  }
  return text;
}
