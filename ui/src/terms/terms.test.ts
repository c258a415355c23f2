/** The termbase in the window: listed, searched, changed, brought from a file, written to one, added to from the review. */

import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, expect, test } from "vitest";
import type { App } from "../state/app.svelte";
import { expectAccessible, showWindow } from "../test/view";

let app: App;

beforeEach(async () => {
  ({ app } = await showWindow());
  await app.openSession(1);
});

async function open(): Promise<void> {
  app.overlay = "terms";
  await screen.findAllByTestId("term-row");
}

const rows = (): (string | null)[][] =>
  screen.getAllByTestId("term-row").map((row) => [...row.querySelectorAll("td")].slice(0, 3).map((cell) => cell.textContent));

test("terms are listed and searched", async () => {
  await open();
  expect(rows()).toEqual([
    ["Save", "salvar", "Preferred"],
    ["Save", "gravar", "Forbidden"],
    ["file", "arquivo", "Preferred"],
  ]);
  expect(screen.getByTestId("terms-count").textContent).toContain("1 to 3 of 3");
  await expectAccessible();
  await fireEvent.input(screen.getByTestId("term-search"), { target: { value: "ARQ" } });
  await waitFor(() => expect(rows()).toEqual([["file", "arquivo", "Preferred"]]));
  await fireEvent.input(screen.getByTestId("term-search"), { target: { value: "xyz" } });
  expect(await screen.findByText("No term has this text.")).toBeDefined();
});

test("a term is added, changed and deleted", async () => {
  await open();
  await fireEvent.click(screen.getByTestId("new-term"));
  const form = screen.getByTestId("term-form");
  const field = (name: string): HTMLInputElement => {
    const input = form.querySelector<HTMLInputElement>(`input[name="${name}"]`);
    if (input === null) throw new Error(name);
    return input;
  };
  await fireEvent.input(field("source"), { target: { value: "→" } });
  await fireEvent.input(field("target"), { target: { value: "porta" } });
  await expectAccessible();
  await fireEvent.click(screen.getByTestId("save-term"));
  expect((await screen.findByRole("alert")).textContent).toContain("cannot be a term");
  await fireEvent.input(field("source"), { target: { value: "door" } });
  await fireEvent.click(screen.getByTestId("save-term"));
  await waitFor(() => expect(rows()).toContainEqual(["door", "porta", "Preferred"]));
  await fireEvent.click(screen.getByRole("button", { name: "Edit “door”" }));
  await fireEvent.change(within(screen.getByTestId("term-form")).getByLabelText("Status"), { target: { value: "admitted" } });
  await fireEvent.click(screen.getByTestId("save-term"));
  await waitFor(() => expect(rows()).toContainEqual(["door", "porta", "Admitted"]));
  await fireEvent.click(screen.getByRole("button", { name: "Delete “door”" }));
  await fireEvent.click(screen.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(rows()).toHaveLength(3));
});

test("a file says what was taken and what not, and terms are written to one", async () => {
  await open();
  await fireEvent.click(screen.getByTestId("import-terms"));
  const brought = await screen.findByTestId("brought");
  expect(brought.textContent).toContain("client.tbx: 1 new term, 0 changed, 0 as before.");
  expect(within(brought).getByText("1 entry was not taken")).toBeDefined();
  expect(brought.textContent).toContain("has no term in the target language");
  expect(brought.textContent).toContain("partOfSpeech");
  await expectAccessible();
  await fireEvent.click(screen.getByTestId("export-terms"));
  expect(await screen.findByText("Written: /home/ana/terms.tbx")).toBeDefined();
});

test("what is selected in the review is written as a term", async () => {
  app.addTerm("door", "porta");
  const form = await screen.findByTestId("term-form");
  expect([...form.querySelectorAll("input")].map((input) => input.value)).toEqual(["door", "porta", ""]);
  await fireEvent.click(screen.getByTestId("save-term"));
  await waitFor(() => expect(screen.queryByTestId("term-form")).toBeNull());
  expect(app.overlay).toBeNull();
});
