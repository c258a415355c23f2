/** The termbase of the in-memory twin, and a rough twin of how the core finds terms in a text. */

import type { SourcePartView } from "../bindings/SourcePartView";
import type { UnitTermView } from "../bindings/UnitTermView";
import { parts } from "./text";

interface FakeTerm {
  source: string;
  target: string;
  status: UnitTermView["targets"][number]["status"];
  note: string;
}

export class FakeTerms {
  readonly #terms: FakeTerm[] = [
    { source: "Save", target: "salvar", status: "preferred", note: "the button" },
    { source: "Save", target: "gravar", status: "forbidden", note: "" },
    { source: "file", target: "arquivo", status: "preferred", note: "" },
  ];

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
