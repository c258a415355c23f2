/** What the file and earlier work tell about a unit, and how it comes into the editor. */

import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { expect, test, vi } from "vitest";
import type { Result } from "../backend/backend";
import type { HintsView } from "../backend/bindings/HintsView";
import { FakeBackend } from "../backend/fake";
import { App } from "../state/app.svelte";
import { expectAccessible } from "../test/view";
import { renderWithin } from "../test/within";
import ReviewView from "./ReviewView.svelte";

const NO_HINTS: HintsView = { note: null, suggestion: null, maxLength: null, former: null };

/** Opens a session in which a unit has hints, and puts the unit in hand. */
async function open(unit: number, hints: Partial<HintsView>): Promise<HTMLElement> {
  const host = new FakeBackend({ thinkMs: 0 });
  const call = host.call.bind(host);
  vi.spyOn(host, "call").mockImplementation(async (command, args) => {
    const result = await call(command, args);
    if (command !== "document_view") return result;
    const view = result as Result<"document_view">;
    const units = view.units.map((each) => (each.unit === unit ? { ...each, hints: { ...NO_HINTS, ...hints } } : each));
    return { ...view, units } as typeof result;
  });
  const app = new App(host);
  await app.start();
  await app.openSession(1);
  const { session } = app;
  if (session === null) throw new Error("no session");
  renderWithin(app, ReviewView, { session });
  session.select("guide/intro.md", unit);
  return screen.findByTestId("hints");
}

test("the suggestion of the file is taken into the editor", async () => {
  const hints = await open(12, { note: "menu.title", maxLength: 20, suggestion: "Primeiros passos" });
  expect(within(hints).getByText("menu.title")).toBeDefined();
  expect(within(hints).getByText("At most 20 characters")).toBeDefined();
  expect(screen.getByTestId<HTMLButtonElement>("approve").disabled).toBe(true);
  await fireEvent.click(within(hints).getByRole("button", { name: "Use it: Suggested by the file" }));
  await waitFor(() => expect(screen.getByTestId("target-editor").textContent).toBe("Primeiros passos"));
  expect(screen.getByTestId<HTMLButtonElement>("approve").disabled).toBe(false);
  await expectAccessible(hints);
});

test("what the source was before stands beside the former translation", async () => {
  const source = [
    { kind: "equal" as const, text: "Open the " },
    { kind: "removed" as const, text: "door" },
    { kind: "added" as const, text: "window" },
  ];
  const hints = await open(6, { former: { source, target: "Abra a porta." } });
  const diff = within(hints).getByRole("group", { name: "What changed in the source" });
  expect([diff.querySelector("del")?.textContent, diff.querySelector("ins")?.textContent]).toEqual([
    expect.stringContaining("door") as string,
    expect.stringContaining("window") as string,
  ]);
  await fireEvent.click(within(hints).getByTestId("take"));
  await waitFor(() => expect(screen.getByTestId("target-editor").textContent).toBe("Abra a porta."));
});

test("a confirmed unit shows its hints, and takes nothing over before it is opened", async () => {
  const hints = await open(2, { suggestion: "Este guia" });
  expect(within(hints).getByText("Este guia")).toBeDefined();
  expect(within(hints).queryByRole("button")).toBeNull();
});
