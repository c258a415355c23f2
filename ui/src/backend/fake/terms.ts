/** The termbase of the in-memory twin, and a rough twin of how the core finds terms in a text. */

import type { Args } from "../backend";
import type { ExportView } from "../bindings/ExportView";
import type { NoArgs } from "../bindings/NoArgs";
import type { SourcePartView } from "../bindings/SourcePartView";
import type { TermFormView } from "../bindings/TermFormView";
import type { TermImportView } from "../bindings/TermImportView";
import type { TermsView } from "../bindings/TermsView";
import type { TermView } from "../bindings/TermView";
import type { UnitTermView } from "../bindings/UnitTermView";
import { fail } from "./session";
import { parts } from "./text";

type Saved = Args<"term_save">;

function term(id: number, source: string, target: string, status: TermView["status"], note = ""): TermView {
  return { id, source, target, status, note, definition: "", subject: "", origin: "", updatedAt: 0 };
}

export class FakeTerms {
  #terms: TermView[] = [
    term(1, "Save", "salvar", "preferred", "the button"),
    term(2, "Save", "gravar", "forbidden"),
    term(3, "file", "arquivo", "preferred"),
  ];

  list({ query = "", offset = 0, limit = 100 }: Args<"term_list">): TermsView {
    const text = query.trim().toLowerCase();
    const found = this.#terms.filter((each) => `${each.source}\n${each.target}\n${each.note}`.toLowerCase().includes(text));
    return { terms: found.slice(offset, offset + limit), nTerms: found.length, offset };
  }

  save({ id, source, target, status, note }: Saved): TermView {
    if (!/[\p{L}\p{N}]/u.test(source) || !/[\p{L}\p{N}]/u.test(target)) throw fail("termRefused");
    const next = term(id ?? Math.max(0, ...this.#terms.map((each) => each.id)) + 1, source, target, status, note);
    this.#terms = [...this.#terms.filter((each) => each.id !== next.id), next].sort((a, b) => a.source.localeCompare(b.source));
    return next;
  }

  remove(id: number): NoArgs {
    this.#terms = this.#terms.filter((each) => each.id !== id);
    return {};
  }

  bring(): TermImportView {
    this.save({ sessionId: 0, source: "window", target: "janela", status: "preferred", note: "" });
    return {
      file: "client.tbx",
      nAdded: 1,
      nChanged: 0,
      nSame: 0,
      nRefused: 1,
      refused: [{ line: 12, text: "valve", reason: "noTarget" }],
      leftOut: [{ name: "partOfSpeech", count: 2 }],
    };
  }

  write(form: TermFormView): ExportView {
    return { path: `/home/ana/terms.${form === "csv" ? "csv" : "tbx"}` };
  }

  /** Finds the terms of a source, and whether a target meets them. */
  lit(source: string, target: string): { sourceParts: SourcePartView[]; terms: UnitTermView[] } {
    const has = (text: string, term: string): boolean => text.toLowerCase().includes(term.toLowerCase());
    const sources = [...new Set(this.#terms.map((term) => term.source))].filter((term) => has(source, term));
    const terms = sources.map((term): UnitTermView => {
      const own = this.#terms.filter((each) => each.source === term);
      const bad = own.some((each) => each.status === "forbidden" && has(target, each.target));
      const good = own.some((each) => each.status !== "forbidden" && has(target, each.target));
      const targets = own.map((each) => ({ target: each.target, status: each.status, note: each.note }));
      return { source: term, targets, certain: true, related: false, state: bad ? "forbidden" : good ? "met" : "unmet" };
    });
    const sourceParts = parts(source).flatMap((part) => (part.placeable === null ? cut(part.text, sources) : [{ ...part, term: null }]));
    return { sourceParts, terms };
  }
}

function cut(text: string, terms: readonly string[]): SourcePartView[] {
  const places = terms.map((term, at) => ({ at, from: text.toLowerCase().indexOf(term.toLowerCase()), length: term.length }));
  const first = places.filter((place) => place.from >= 0).sort((a, b) => a.from - b.from)[0];
  if (first === undefined) return text === "" ? [] : [{ text, placeable: null, term: null }];
  const end = first.from + first.length;
  const before = text.slice(0, first.from);
  return [
    ...(before === "" ? [] : [{ text: before, placeable: null, term: null }]),
    { text: text.slice(first.from, end), placeable: null, term: first.at },
    ...cut(text.slice(end), terms),
  ];
}
