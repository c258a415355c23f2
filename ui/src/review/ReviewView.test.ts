import { EditorView } from "@codemirror/view";
import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import axe from "axe-core";
import { beforeEach, describe, expect, test, vi } from "vitest";

import type { Args, Command, Result } from "../backend/backend";
import type { UnitView } from "../backend/bindings/UnitView";
import { FakeBackend } from "../backend/fake";
import { fail } from "../backend/fake/session";
import { App } from "../state/app.svelte";
import type { SessionState } from "../state/session.svelte";
import { renderWithin } from "../test/within";
import ReviewView from "./ReviewView.svelte";

const CONFIRM = { key: "Enter", keyCode: 13, ctrlKey: true };

/** Records what was asked of the host. */
class Host extends FakeBackend {
  readonly calls: [Command, unknown][] = [];

  override call<K extends Command>(command: K, args: Args<K>): Promise<Result<K>> {
    this.calls.push([command, args]);
    return super.call(command, args);
  }

  asked(command: Command): unknown[] {
    return this.calls.filter(([name]) => name === command).map(([, args]) => args);
  }
}

/** A host with a document of 50,000 units. */
class LongHost extends Host {
  override async call<K extends Command>(command: K, args: Args<K>): Promise<Result<K>> {
    const result = await super.call(command, args);
    if (command !== "document_view") return result;
    const { fromUnit = 1 } = args as Args<"document_view">;
    const view = result as Result<"document_view">;
    const model = view.units[0] as UnitView;
    const units = Array.from({ length: 100 }, (_, at) => ({ ...model, unit: fromUnit + at, callId: null, state: "open" as const }));
    return { ...view, nUnits: 50_000, fromUnit, units } as Result<K>;
  }
}

async function open(host: FakeBackend, sessionId = 1): Promise<SessionState> {
  const app = new App(host);
  await app.start();
  await app.openSession(sessionId);
  const { session } = app;
  if (session === null) throw new Error("no session");
  renderWithin(app, ReviewView, { session });
  await screen.findByTestId("unit-card");
  return session;
}

const editor = (): Promise<HTMLElement> => screen.findByTestId("target-editor");
const row = (unit: number): HTMLElement => {
  const found = screen.getAllByTestId("unit-row").find((each) => each.dataset["unit"] === String(unit));
  if (found === undefined) throw new Error(`no row ${unit}`);
  return found;
};
const inHand = (): string | undefined =>
  screen.getAllByTestId("unit-row").find((each) => each.getAttribute("aria-selected") === "true")?.dataset["unit"];

/** Types into the editor as a person does: at the end of the text. */
async function type(text: string): Promise<void> {
  const content = await editor();
  const line = content.querySelector(".cm-line:last-child");
  line?.append(text);
  await waitFor(() => expect(content.textContent).toContain(text));
}

describe("a draft", () => {
  let host: Host;
  let session: SessionState;

  beforeEach(async () => {
    host = new Host({ thinkMs: 0 });
    session = await open(host);
    // The fifth unit has a fault; the decisions are tried on the one after it.
    await fireEvent.click(row(6));
    await editor();
  });

  test("is approved by one key, and the next one has the focus", async () => {
    await fireEvent.keyDown(await editor(), CONFIRM);
    await waitFor(() => expect(row(6).dataset["state"]).toBe("approved"));
    expect(inHand()).toBe("7");
    await waitFor(async () => expect(document.activeElement).toBe(await editor()));
    expect(host.asked("session_respond")).toEqual([
      { sessionId: session.id, callId: expect.any(String) as string, decision: { kind: "approve" } },
    ]);
  });

  test("is marked as confirmed by the answer, not before", async () => {
    let let_go: () => void = () => undefined;
    const answer = new Promise<void>((resolve) => (let_go = resolve));
    const call = host.call.bind(host);
    vi.spyOn(host, "call").mockImplementation(async (command, args) => {
      if (command === "session_respond") await answer;
      return call(command, args);
    });
    await fireEvent.keyDown(await editor(), CONFIRM);
    await waitFor(() => expect(inHand()).toBe("7"));
    expect(row(6).dataset["state"]).toBe("saving");
    let_go();
    await waitFor(() => expect(row(6).dataset["state"]).toBe("approved"));
  });

  test("that was changed shows the change at once and is refined", async () => {
    await type(" Bem.");
    const diff = await screen.findByTestId("diff");
    expect(diff.querySelector("ins")?.textContent).toContain("Bem");
    expect(screen.getByTestId("approve").textContent).toContain("Confirm");
    await fireEvent.keyDown(await editor(), CONFIRM);
    await waitFor(() => expect(row(6).dataset["state"]).toBe("refined"));
    expect(host.asked("session_respond")).toMatchObject([{ decision: { kind: "refine", target: "A janela abre. Bem." } }]);
  });

  test("is rejected with a reason, by keys alone", async () => {
    await fireEvent.keyDown(await editor(), { key: "R", ctrlKey: true, shiftKey: true });
    const reason = await screen.findByTestId("reject-reason");
    expect(document.activeElement).toBe(reason);
    await fireEvent.keyDown(reason, { key: "Enter" });
    expect(host.asked("session_respond")).toEqual([]);
    await fireEvent.input(reason, { target: { value: "too formal" } });
    await fireEvent.keyDown(reason, { key: "Enter", keyCode: 229 });
    expect(host.asked("session_respond")).toEqual([]);
    await fireEvent.keyDown(reason, { key: "Enter" });
    await waitFor(() => expect(inHand()).toBe("7"));
    expect(host.asked("session_respond")).toMatchObject([{ decision: { kind: "reject", reason: "too formal" } }]);
  });

  test("is rejected for a fault and a marked piece, by keys alone, and the new draft is shown against it", async () => {
    const content = await editor();
    EditorView.findFromDOM(content)?.dispatch({ selection: { anchor: 2, head: 8 } });
    await fireEvent.keyDown(content, { key: "R", ctrlKey: true, shiftKey: true });
    expect((await screen.findByTestId("marked")).textContent).toContain("janela");
    const reason = await screen.findByTestId("reject-reason");
    for (const key of ["3", "1"]) await fireEvent.keyDown(reason, { key });
    expect(screen.getByTestId("fault-term").getAttribute("aria-pressed")).toBe("true");
    expect(screen.getByTestId("fault-omission").getAttribute("aria-pressed")).toBe("false");
    await fireEvent.keyDown(reason, { key: "Enter" });
    await waitFor(() => expect(inHand()).toBe("7"));
    const decision = { kind: "reject", reason: "", fault: "term", marked: { text: "janela", occurrence: 1 } };
    expect(host.asked("session_respond")).toMatchObject([{ decision }]);
    for (const { callId } of [...session.proposals]) await session.decide(callId, { kind: "approve", despiteIssues: true });
    await waitFor(() => expect(row(6).dataset["state"]).toBe("proposed"));
    await fireEvent.click(row(6));
    const redraft = await screen.findByTestId("redraft");
    expect(redraft.textContent).toContain("janela");
    expect(redraft.querySelector("ins")).not.toBeNull();
  });

  test("takes a digit as text once a reason is begun", async () => {
    await fireEvent.keyDown(await editor(), { key: "R", ctrlKey: true, shiftKey: true });
    const reason = await screen.findByTestId("reject-reason");
    await fireEvent.input(reason, { target: { value: "use " } });
    await fireEvent.keyDown(reason, { key: "2" });
    expect(screen.getByTestId("fault-meaning").getAttribute("aria-pressed")).toBe("false");
  });

  test("keeps what was typed while another unit is looked at", async () => {
    await type(" Bem.");
    await fireEvent.keyDown(await editor(), { key: "ArrowDown", altKey: true });
    expect(inHand()).toBe("7");
    expect(within(row(6)).getByText("A janela abre. Bem.")).toBeDefined();
    await fireEvent.keyDown(window, { key: "ArrowUp", altKey: true });
    await waitFor(async () => expect((await editor()).textContent).toBe("A janela abre. Bem."));
  });

  test("keeps what was typed beside its source when the file gains a unit", async () => {
    await type(" Bem.");
    const call = host.call.bind(host);
    vi.spyOn(host, "call").mockImplementation(async (command, args) => {
      const result = await call(command, args);
      if (command !== "document_view") return result;
      const view = result as Result<"document_view">;
      const units = view.units.map((unit) => ({ ...unit, unit: unit.unit + 1 }));
      const added = { ...units[0], unit: 1, source: "New." } as UnitView;
      return { ...view, nUnits: view.nUnits + 1, units: [added, ...units] } as typeof result;
    });
    session.document.forget();
    await session.document.ensure(1, 1, session.view.seq);
    await waitFor(() => expect(within(row(7)).getByText("A janela abre. Bem.")).toBeDefined());
  });

  test("that comes does not take the focus from where the person writes", async () => {
    const elsewhere = document.body.appendChild(document.createElement("textarea"));
    elsewhere.focus();
    session.select("guide/intro.md", 7);
    await waitFor(() => expect(inHand()).toBe("7"));
    await editor();
    expect(document.activeElement).toBe(elsewhere);
    elsewhere.remove();
    session.select("guide/intro.md", 8);
    await waitFor(async () => expect(document.activeElement).toBe(await editor()));
  });

  test("is set aside", async () => {
    await fireEvent.click(screen.getByTestId("skip"));
    await waitFor(() => expect(host.asked("unit_skip")).toEqual([{ sessionId: session.id, path: "guide/intro.md", unit: 6 }]));
    await waitFor(() => expect(row(6).dataset["state"]).toBe("skipped"));
  });
});

describe("a draft with a fault", () => {
  test("is approved by a second key, after the first one asked", async () => {
    const host = new Host({ thinkMs: 0 });
    await open(host);
    await fireEvent.click(row(5));
    expect(screen.getAllByTestId("issue").map((each) => each.dataset["kind"])).toEqual(["protected", "term"]);
    await fireEvent.keyDown(await editor(), CONFIRM);
    await screen.findByText(/Press Ctrl\+Enter again/);
    expect(inHand()).toBe("5");
    await fireEvent.keyDown(await editor(), CONFIRM);
    await waitFor(() => expect(row(5).dataset["state"]).toBe("approved"));
    expect(host.asked("session_respond")).toMatchObject([
      { decision: { kind: "approve" } },
      { decision: { kind: "approve", despiteIssues: true } },
    ]);
  });

  test("that was typed is confirmed by a second key, too", async () => {
    const host = new Host({ thinkMs: 0 });
    await open(host);
    await fireEvent.click(row(5));
    await type(" Sim.");
    await fireEvent.keyDown(await editor(), CONFIRM);
    await screen.findByText(/Press Ctrl\+Enter again/);
    expect(host.asked("session_respond")).toEqual([]);
    await fireEvent.keyDown(await editor(), CONFIRM);
    await waitFor(() => expect(row(5).dataset["state"]).toBe("refined"));
    expect(host.asked("session_respond")).toMatchObject([{ decision: { kind: "refine" } }]);
  });

  test("takes the missing piece by a key", async () => {
    await open(new Host({ thinkMs: 0 }));
    await fireEvent.click(row(5));
    await fireEvent.keyDown(await editor(), { key: "i", ctrlKey: true });
    await waitFor(async () => expect((await editor()).textContent).toContain("`Esc`"));
    await waitFor(() => expect(screen.getAllByTestId("issue").map((each) => each.dataset["kind"])).toEqual(["term"]));
  });
});

describe("a text that its file cannot hold", () => {
  test("is asked about; Escape leaves it, and the choice confirms it", async () => {
    const host = new Host({ thinkMs: 0 });
    const session = await open(host);
    const call = host.call.bind(host);
    let holds = false;
    vi.spyOn(host, "call").mockImplementation((command, args) => {
      if (command === "document_set_when_missing") holds = true;
      if (command === "session_respond" && !holds) return Promise.reject(fail("targetUnencodable", "żł"));
      return call(command, args);
    });
    await fireEvent.click(row(6));
    await type(" żł");
    await fireEvent.keyDown(await editor(), CONFIRM);
    expect((await screen.findByTestId("unencodable")).textContent).toContain("ż");
    await fireEvent.keyDown(await editor(), { key: "Escape" });
    await waitFor(() => expect(screen.queryByTestId("unencodable")).toBeNull());
    await fireEvent.keyDown(await editor(), CONFIRM);
    await fireEvent.click(await screen.findByTestId("save-as-utf8"));
    await waitFor(() => expect(row(6).dataset["state"]).toBe("refined"));
    const choice = { sessionId: session.id, path: "guide/intro.md", whenMissing: "convertToUtf8" };
    expect(host.asked("document_set_when_missing")).toEqual([choice]);
  });
});

describe("a decision", () => {
  const UNDO = { key: "z", code: "KeyZ", keyCode: 90, ctrlKey: true };
  const REDO = { ...UNDO, key: "Z", shiftKey: true };

  test("is taken back by a key, with what was typed, and done again", async () => {
    const host = new Host({ thinkMs: 0 });
    const session = await open(host);
    await fireEvent.click(row(6));
    await type(" Bem.");
    await fireEvent.keyDown(await editor(), CONFIRM);
    await waitFor(() => expect(row(6).dataset["state"]).toBe("refined"));
    await waitFor(() => expect(inHand()).toBe("7"));
    await fireEvent.keyDown(await editor(), UNDO);
    await waitFor(() => expect(inHand()).toBe("6"));
    expect(row(6).dataset["state"]).toBe("proposed");
    await waitFor(async () => expect((await editor()).textContent).toBe("A janela abre. Bem."));
    expect(session.view.redo).toMatchObject({ kind: "refine", unit: 6 });
    // Now the key belongs to the text, which goes back to the draft.
    await fireEvent.keyDown(await editor(), UNDO);
    await waitFor(async () => expect((await editor()).textContent).toBe("A janela abre."));
    expect(host.asked("session_undo")).toHaveLength(1);
    await fireEvent.keyDown(screen.getByTestId("unit-grid"), REDO);
    await waitFor(() => expect(row(6).dataset["state"]).toBe("refined"));
    expect(session.view.undo).toMatchObject({ kind: "refine", text: "A janela abre. Bem." });
  });

  test("is taken back once however long the key is held, and not from another field", async () => {
    const host = new Host({ thinkMs: 0 });
    await open(host);
    await fireEvent.click(row(6));
    const field = document.body.appendChild(document.createElement("textarea"));
    field.focus();
    await fireEvent.keyDown(field, UNDO);
    field.remove();
    await fireEvent.keyDown(await editor(), { ...UNDO, repeat: true });
    expect(host.asked("session_undo")).toEqual([]);
    await fireEvent.keyDown(await editor(), UNDO);
    await waitFor(() => expect(host.asked("session_undo")).toHaveLength(1));
  });
});

describe("a confirmed unit", () => {
  test("is opened for a change, and revised", async () => {
    const host = new Host({ thinkMs: 0 });
    const session = await open(host);
    await fireEvent.dblClick(row(2));
    await type(" Sim.");
    await fireEvent.keyDown(await editor(), CONFIRM);
    await waitFor(() => expect(row(2).dataset["state"]).toBe("revised"));
    expect(host.asked("unit_revise")).toEqual([
      {
        sessionId: session.id,
        path: "guide/intro.md",
        unit: 2,
        target: "Este guia mostra como configurar o editor. Sim.",
      },
    ]);
  });

  test("in hand has the focus on the grid, and Enter opens it", async () => {
    await open(new Host({ thinkMs: 0 }));
    await fireEvent.click(row(4));
    const grid = screen.getByTestId("unit-grid");
    await waitFor(() => expect(document.activeElement).toBe(grid));
    expect(screen.queryByTestId("target-editor")).toBeNull();
    await fireEvent.keyDown(grid, { key: "Enter" });
    await waitFor(async () => expect(document.activeElement).toBe(await editor()));
    expect((await editor()).textContent).toBe("Feche a porta.");
  });

  test("is passed over by the key that confirms", async () => {
    await open(new Host({ thinkMs: 0 }));
    await fireEvent.click(row(2));
    await fireEvent.keyDown(window, CONFIRM);
    expect(inHand()).toBe("5");
    await waitFor(async () => expect(document.activeElement).toBe(await editor()));
  });

  test("is left as it was by Escape", async () => {
    const host = new Host({ thinkMs: 0 });
    await open(host);
    await fireEvent.dblClick(row(2));
    await type(" Sim.");
    await fireEvent.keyDown(await editor(), { key: "Escape" });
    await waitFor(() => expect(screen.getByTestId("unit-card").dataset["mode"]).toBe("read"));
    expect(within(row(2)).getByText("Este guia mostra como configurar o editor.")).toBeDefined();
    expect(host.asked("unit_revise")).toEqual([]);
  });
});

describe("an open unit without a draft", () => {
  test("is confirmed when a text is written, not before", async () => {
    const host = new Host({ thinkMs: 0 });
    await open(host);
    await fireEvent.click(row(12));
    expect(screen.getByTestId<HTMLButtonElement>("approve").disabled).toBe(true);
    await fireEvent.keyDown(await editor(), CONFIRM);
    expect(host.asked("unit_revise")).toEqual([]);
    await type("Primeiros passos");
    await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("approve").disabled).toBe(false));
    await fireEvent.keyDown(await editor(), CONFIRM);
    await waitFor(() => expect(host.asked("unit_revise")).toMatchObject([{ unit: 12, target: "Primeiros passos" }]));
  });
});

describe("the page", () => {
  test("holds a bounded number of rows of a document of 50,000 units, and asks for what is seen alone", async () => {
    const host = new LongHost({ thinkMs: 0 });
    await open(host);
    await waitFor(() => expect(screen.getAllByTestId("unit-row").length).toBeGreaterThan(10));
    const grid = screen.getByTestId("unit-grid");
    for (const top of [40_000, 1_200_000, 2_440_000]) {
      grid.scrollTop = top;
      await fireEvent.scroll(grid);
      const first = Math.floor((top - 400) / 49) + 1;
      await waitFor(() => expect(row(first + 20).dataset["state"]).toBe("open"));
      expect(screen.getAllByTestId("unit-row").length).toBeLessThanOrEqual(82);
    }
    // The unit in hand stays in the page with what is written in it, though it is far out of view.
    expect(screen.getByTestId("unit-card")).toBeDefined();
    expect(host.asked("document_view").length).toBeLessThan(14);
  });

  test("says languages and directions", async () => {
    const app = new App(new FakeBackend({ thinkMs: 0 }));
    await app.start();
    await app.createSession({ projectId: "guide-docs", sourceLanguage: "en", targetLanguage: "ar" });
    if (app.session === null) throw new Error("no session");
    renderWithin(app, ReviewView, { session: app.session });
    const box = await editor();
    expect([box.lang, box.dir]).toEqual(["ar", "rtl"]);
    const cells = within(row(2)).getAllByRole("gridcell").map((cell) => [cell.lang, cell.dir]);
    expect(cells).toEqual([["en", "ltr"], ["ar", "rtl"]]);
  });

  test("has no fault that axe finds", async () => {
    await open(new Host({ thinkMs: 0 }));
    await fireEvent.click(row(5));
    await editor();
    const { violations } = await axe.run(document.body, {
      rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
    });
    expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
  });
});
