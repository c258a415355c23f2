/** English words of the termbase. */

import type { TermFormView } from "../../backend/bindings/TermFormView";
import type { TermRefusalView } from "../../backend/bindings/TermRefusalView";
import type { TermStatusView } from "../../backend/bindings/TermStatusView";
import { plural } from "../plural";

const count = plural("en");

const statuses: Record<TermStatusView, string> = { preferred: "Preferred", admitted: "Admitted", forbidden: "Forbidden" };

const forms: Record<TermFormView, string> = { tbx2: "TBX 2", tbx3: "TBX 3", csv: "CSV" };

const reasons: Record<TermRefusalView, string> = {
  noSource: "has no term in the source language",
  noTarget: "has no term in the target language",
  noLetter: "has a term without a letter or digit",
  tooLong: "is too long for a term",
  unknownStatus: "has a status that is not known",
};

export const termsEn = {
  title: "Terms",
  search: "Search terms",
  empty: "No terms yet. Add one, import a TBX or CSV file, or select a word in the review and add it from there.",
  nothing: "No term has this text.",
  status: "Status",
  statuses,
  note: "Note",
  actions: "Actions",
  add: "New term",
  edit: (term: string) => `Edit “${term}”`,
  remove: (term: string) => `Delete “${term}”`,
  removeYes: "Delete",
  removeNo: "Keep",
  shown: (from: string, to: string, all: string) => `${from} to ${to} of ${all}`,
  earlier: "Earlier",
  later: "Later",
  import: "Import…",
  export: "Export…",
  form: "Form of the export",
  forms,
  exported: (path: string) => `Written: ${path}`,
  brought: (file: string, added: number, changed: number, same: number) =>
    `${file}: ${count(added, { one: "# new term", other: "# new terms" })}, ${count(changed, { one: "# changed", other: "# changed" })}, ${count(same, { one: "# as before", other: "# as before" })}.`,
  refused: (n: number) => count(n, { one: "# entry was not taken", other: "# entries were not taken" }),
  line: (n: string) => `Line ${n}:`,
  reasons,
  leftOut: (names: string) => `Terms have no place for: ${names}.`,
};
