import { EditorView } from "@codemirror/view";
import { afterEach, describe, expect, test, vi } from "vitest";

import { matchesChord } from "../lib/keys";
import { createEditor, type EditorOptions, type TargetEditor } from "./create";
import { directionOf } from "./direction";

let editor: TargetEditor | null = null;

function make(options: Partial<EditorOptions> = {}): { editor: TargetEditor; content: HTMLElement } {
  editor = createEditor({
    parent: document.body,
    text: "",
    language: "zh-Hans",
    direction: "ltr",
    label: "Translation",
    multiline: false,
    onChange: () => undefined,
    ...options,
  });
  const content = document.querySelector<HTMLElement>(".cm-content");
  if (content === null) throw new Error("no editor in the page");
  return { editor, content };
}

function key(content: HTMLElement, init: KeyboardEventInit): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init });
  content.dispatchEvent(event);
  return event;
}

afterEach(() => {
  editor?.destroy();
  editor = null;
  document.body.replaceChildren();
});

describe("Enter", () => {
  test("breaks the line of a unit that may have several", () => {
    const { content } = make({ text: "one", multiline: true });
    key(content, { key: "Enter", keyCode: 13 });
    expect(editor?.text()).toBe("one\n");
  });

  test("does nothing in a unit of one line", () => {
    const { content } = make({ text: "one" });
    key(content, { key: "Enter", keyCode: 13 });
    expect(editor?.text()).toBe("one");
  });

  test("with Ctrl is left to the window", () => {
    const { content } = make({ text: "one", multiline: true });
    const confirm = vi.fn();
    const listen = (event: KeyboardEvent): void => {
      if (matchesChord(event, "Mod+Enter")) confirm();
    };
    window.addEventListener("keydown", listen);
    key(content, { key: "Enter", keyCode: 13, ctrlKey: true });
    window.removeEventListener("keydown", listen);
    expect(confirm).toHaveBeenCalledTimes(1);
    expect(editor?.text()).toBe("one");
  });
});

describe("undo", () => {
  const UNDO = { key: "z", keyCode: 90, ctrlKey: true };

  test("belongs to the text while there is something to undo, and to the window then", () => {
    const { editor: made, content } = make({ text: "one" });
    made.replace("two");
    expect(key(content, UNDO).defaultPrevented).toBe(true);
    expect(made.text()).toBe("one");
    expect(key(content, UNDO).defaultPrevented).toBe(false);
    expect(key(content, { ...UNDO, key: "Z", shiftKey: true }).defaultPrevented).toBe(true);
    expect(made.text()).toBe("two");
  });
});

/** The two orders in which engines tell that Enter took a candidate of an input method. */
const ORDERS = {
  "before the end of the composition": true,
  "after the end of the composition": false,
} as const;

describe.each(Object.entries(ORDERS))("Enter that takes a candidate, %s", (_, isComposing) => {
  test.each([true, false])("neither breaks a line nor confirms (several lines: %s)", (multiline) => {
    const { content, editor: made } = make({ multiline });
    const confirm = vi.fn();
    const listen = (event: KeyboardEvent): void => {
      if (matchesChord(event, "Mod+Enter")) confirm();
    };
    window.addEventListener("keydown", listen);
    const enter = { key: "Enter", keyCode: 229, isComposing };
    content.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true, data: "" }));
    content.dispatchEvent(new CompositionEvent("compositionupdate", { bubbles: true, data: "chong qi" }));
    if (isComposing) key(content, enter);
    made.insert("重启");
    content.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true, data: "重启" }));
    if (!isComposing) key(content, enter);
    expect([made.text(), confirm.mock.calls.length]).toEqual(["重启", 0]);
    key(content, { key: "Enter", keyCode: 13, ctrlKey: true });
    window.removeEventListener("keydown", listen);
    expect([made.text(), confirm.mock.calls.length]).toEqual(["重启", 1]);
  });
});

describe("a text", () => {
  test("tells each change, and its changes can be undone", () => {
    const onChange = vi.fn();
    const { content, editor: made } = make({ text: "draft", onChange });
    made.replace("mine");
    made.insert("!");
    expect(onChange.mock.calls).toEqual([["mine"], ["mine!"]]);
    key(content, { key: "z", keyCode: 90, ctrlKey: true });
    expect(made.text()).not.toBe("mine!");
  });

  test("of one line takes pasted lines as one", () => {
    const { editor: made } = make({ text: "a" });
    made.insert(" b\n  c\nd");
    expect(made.text()).toBe("a b c d");
  });

  test("keeps marks of direction and every other invisible character", () => {
    const { editor: made } = make({ text: "‏שלום‎ {count}" });
    made.insert("​");
    expect(made.text()).toBe("‏שלום‎ {count}​");
  });

  test("says its language, direction and name", () => {
    const { content } = make({ language: "ar", direction: directionOf("ar") });
    expect(["lang", "dir", "aria-label", "spellcheck", "role"].map((name) => content.getAttribute(name))).toEqual([
      "ar",
      "rtl",
      "Translation",
      "true",
      "textbox",
    ]);
  });
});

describe("placeables", () => {
  const pieces = [
    { text: "Run ", placeable: null },
    { text: "`setup`", placeable: "code" },
  ];

  test("are shown as chips", () => {
    const { content, editor: made } = make({ text: "Run `setup`" });
    made.show(pieces);
    expect(content.querySelector(".placeable-code")?.textContent).toBe("`setup`");
    expect(made.text()).toBe("Run `setup`");
  });

  test.each([
    ["Backspace", 8, 11, "Run "],
    ["Delete", 46, 4, "Run "],
    ["Backspace", 8, 3, "Ru `setup`"],
  ])("are deleted whole by %s", (name, keyCode, at, left) => {
    const { content, editor: made } = make({ text: "Run `setup`" });
    made.show(pieces);
    EditorView.findFromDOM(content)?.dispatch({ selection: { anchor: at } });
    key(content, { key: name, keyCode });
    expect(made.text()).toBe(left);
  });

  test("of an older text are not shown", () => {
    const { content, editor: made } = make({ text: "Run `setup` now" });
    made.show(pieces);
    expect(content.querySelector(".placeable")).toBeNull();
  });
});

test("directionOf follows the script of the language", () => {
  const tags = ["ar", "he", "fa-IR", "ur", "ug-Cyrl", "az-Arab", "pt-BR", "zh-Hant", "not a tag"];
  expect(tags.map(directionOf)).toEqual(["rtl", "rtl", "rtl", "rtl", "ltr", "rtl", "ltr", "ltr", "ltr"]);
});
