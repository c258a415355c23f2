/** Small things: words, numbers, keys, trees, languages. */

import { describe, expect, test } from "vitest";
import type { IssueView } from "../backend/bindings/IssueView";
import { issueText } from "./errorText";
import { createFormat } from "./format";
import { chooseLocale, strings } from "./i18n";
import { chordCaps, matchesChord } from "./keys";
import { findLanguages, languageOptions } from "./languages";
import { plural } from "./plural";
import { buildTree, type TreeNode } from "./tree";

test("the window's language is the choice, else the system's, else English", () => {
  expect(chooseLocale("zh", ["en-US"])).toBe("zh");
  expect(chooseLocale(null, ["fr-FR", "zh-TW", "en"])).toBe("zh");
  expect(chooseLocale("xx", ["fr"])).toBe("en");
});

test("every sentence for an error ends as a sentence, in both languages", () => {
  for (const locale of ["en", "zh"] as const) {
    for (const text of Object.values(strings(locale).errors.codes)) expect(text).toMatch(/[.。]$/);
  }
});

test("a finding quotes the beginning of a long text, whole characters of it", () => {
  const issue: IssueView = { kind: "reasoning", blocking: false, missing: [], extra: [], suggestion: null, fingerprint: "", dismissed: false };
  const said = (extra: string): string => issueText(strings("en"), { ...issue, extra: [extra] });
  expect(said("<think>short</think>")).toContain("<think>short</think>");
  const family = "👩‍👩‍👧";
  expect(said(family.repeat(100))).toContain(`${family.repeat(80)}…`);
  expect(said(family.repeat(100))).not.toContain(family.repeat(81));
});

test("numbers take the form of their language", () => {
  expect([0, 1, 2].map((n) => plural("en")(n, { one: "# unit", other: "# units" }))).toEqual(["0 units", "1 unit", "2 units"]);
  expect(plural("en")(12_345, { other: "#" })).toBe("12,345");
  expect(plural("pl")(3, { one: "plik", few: "pliki", other: "plików" })).toBe("pliki");
});

describe("format", () => {
  const format = createFormat("en");

  test("a share is rounded down, so that 100 % means all", () => {
    expect([format.percent(999, 1000), format.percent(0, 0), format.percent(5, 5)]).toEqual(["99%", "0%", "100%"]);
  });

  test("sizes have the unit that fits", () => {
    expect([0, 999, 1000, 48_211, 41_000_000].map((n) => format.bytes(n))).toEqual([
      "0 bytes",
      "999 bytes",
      "1 kB",
      "48.2 kB",
      "41 MB",
    ]);
  });

  test("days are near or dates", () => {
    const now = new Date(2026, 2, 10, 9).getTime();
    const day = (days: number): string => format.day(now - days * 86_400_000, now);
    expect([day(0), day(1), day(2)]).toEqual(["Today", "Yesterday", "Mar 8, 2026"]);
  });

  test("a language has its name, and a tag that is none stays", () => {
    expect([format.language("pt-BR"), format.language("not a tag")]).toEqual(["Brazilian Portuguese", "not a tag"]);
  });
});

describe("keys", () => {
  const event = (init: KeyboardEventInit): KeyboardEvent => new KeyboardEvent("keydown", init);

  test("a chord is all of its keys and no other", () => {
    expect(matchesChord(event({ key: "R", ctrlKey: true, shiftKey: true }), "Mod+Shift+r")).toBe(true);
    expect(matchesChord(event({ key: "r", ctrlKey: true }), "Mod+Shift+r")).toBe(false);
    expect(matchesChord(event({ key: "r", ctrlKey: true, altKey: true }), "Mod+r")).toBe(false);
  });

  test("an input method keeps its keys", () => {
    expect(matchesChord(event({ key: "Enter", ctrlKey: true, isComposing: true }), "Mod+Enter")).toBe(false);
    expect(matchesChord(event({ key: "Process" }), "Process")).toBe(false);
  });

  test("caps are as printed", () => {
    expect(chordCaps("Mod+Shift+k")).toEqual(["Ctrl", "Shift", "K"]);
  });
});

test("files become a tree, and folders with one folder are joined", () => {
  const show = (node: TreeNode<{ path: string }>): unknown => (node.file ? node.name : { [node.name]: node.children.map(show) });
  const files = ["a/b/one.md", "a/b/two.md", "top.md"].map((path) => ({ path }));
  expect(buildTree(files).map(show)).toEqual([{ "a/b": ["one.md", "two.md"] }, "top.md"]);
});

describe("languages", () => {
  const options = languageOptions("en");
  const find = (query: string): string[] => findLanguages(options, query).map(({ tag }) => tag);

  test("are found by name, own name, another language's name, or tag", () => {
    expect(find("german")[0]).toBe("de");
    expect(find("deutsch")[0]).toBe("de");
    expect(find("德语")[0]).toBe("de");
    expect(find("pt-br")).toEqual(["pt-BR"]);
    expect(find("portugues")).toContain("pt");
  });

  test("a tag that is well formed and not in the list fits, nonsense does not", () => {
    expect(find("gsw-ch")).toEqual(["gsw-CH"]);
    expect(find("???")).toEqual([]);
  });
});
