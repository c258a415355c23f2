/** The memory panel: accepted, switched, changed, added, deleted. */

import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, expect, test } from "vitest";
import type { App } from "../state/app.svelte";
import { expectAccessible, showWindow } from "../test/view";

let app: App;

beforeEach(async () => {
  ({ app } = await showWindow());
  await app.openSession(1);
  app.panels.showRight("memory");
  await screen.findByTestId("memory-panel");
});

const item = (id: number): unknown => app.memory?.view?.items.find((each) => each.id === id);

test("shows terms, rules, their cost and evidence, and is accessible", async () => {
  const panel = screen.getByTestId("memory-panel");
  expect(within(panel).getByText("23 tokens with each request")).toBeTruthy();
  expect(within(panel).getByText("Too formal")).toBeTruthy();
  await expectAccessible(panel);
});

test("a suggestion is used after one click, and can be switched off", async () => {
  await fireEvent.click(screen.getByRole("button", { name: "Use it: file: arquivo" }));
  await waitFor(() => expect(item(2)).toMatchObject({ state: "active" }));
  await fireEvent.click(screen.getByRole("button", { name: "Switch off: file: arquivo" }));
  await waitFor(() => expect(item(2)).toMatchObject({ state: "off" }));
});

test("a rule is added by hand", async () => {
  await fireEvent.click(screen.getByRole("button", { name: "Add a rule" }));
  await fireEvent.input(screen.getByLabelText("Rule"), { target: { value: "Keep product names." } });
  await fireEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Keep product names.")).toBeTruthy();
  expect(screen.getByText("Added by hand")).toBeTruthy();
});

test("a term is changed", async () => {
  await fireEvent.click(screen.getByRole("button", { name: "Edit “Save: Salvar”" }));
  await fireEvent.input(screen.getByLabelText("Target term"), { target: { value: "Guardar" } });
  await fireEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(item(1)).toMatchObject({ termTarget: "Guardar" }));
});

test("an item is deleted", async () => {
  await fireEvent.click(screen.getByRole("button", { name: "Delete “Save: Salvar”" }));
  await waitFor(() => expect(item(1)).toBeUndefined());
});
