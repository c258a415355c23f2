/** Guides: written, switched, changed, brought from a file, written to one, deleted. */

import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, expect, test, vi } from "vitest";
import { FILE } from "../backend/fake/guides";
import type { FakeBackend } from "../backend/fake";
import type { App } from "../state/app.svelte";
import { expectAccessible, showWindow } from "../test/view";

let app: App;
let backend: FakeBackend;

beforeEach(async () => {
  ({ app, backend } = await showWindow({ folder: "/home/ana/guide-docs" }));
  await fireEvent.click(await screen.findByTestId("open-guides"));
  await screen.findByTestId("guides-words");
});

const area = (): HTMLTextAreaElement => screen.getByLabelText("Text (Markdown)");

async function write(text: string): Promise<void> {
  await fireEvent.click(screen.getByTestId("new-guide"));
  await fireEvent.input(area(), { target: { value: text } });
  await fireEvent.click(screen.getByTestId("save-guide"));
}

test("an empty list says what a guide is good for", async () => {
  expect(screen.getByTestId("guides-words").textContent).toContain("write once");
  await expectAccessible();
});

test("a guide is written, holds for the folder, and can be switched off", async () => {
  await write("# House style\n\nShort sentences.\n");
  const row = await screen.findByTestId("guide");
  expect(within(row).getByText("Short sentences.")).toBeTruthy();
  await expectAccessible();
  const call = vi.spyOn(backend, "call");
  const on = within(row).getByRole<HTMLInputElement>("switch", { name: "Use “House style” for this folder" });
  expect(on.checked).toBe(true);
  await fireEvent.click(on);
  expect(call).toHaveBeenCalledWith("guide_attach", { projectId: app.projectId, id: 1, attached: false });
});

test("a text without a title is refused beside it", async () => {
  await write("  ");
  expect(await screen.findByText(/It needs a heading/)).toBeTruthy();
  expect(area().getAttribute("aria-invalid")).toBe("true");
});

test("what is not saved is not lost by Escape", async () => {
  await fireEvent.click(screen.getByTestId("new-guide"));
  await fireEvent.input(area(), { target: { value: "# Law" } });
  await fireEvent(screen.getByRole("dialog"), new Event("cancel", { cancelable: true }));
  expect(screen.getByText("What you wrote is not saved.")).toBeTruthy();
  await fireEvent.click(screen.getByRole("button", { name: "Keep writing" }));
  expect(area().value).toBe("# Law");
  await fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
  await fireEvent.click(screen.getByRole("button", { name: "Discard" }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("new-guide")));
});

test("a file is looked at before it is kept, and says what it replaces", async () => {
  const call = vi.spyOn(backend, "call");
  await fireEvent.click(screen.getByTestId("import-guide"));
  await waitFor(() => expect(area().value).toBe(FILE));
  expect(call.mock.calls.map(([command]) => command)).toEqual(["guide_import"]);
  await fireEvent.click(screen.getByTestId("save-guide"));
  expect(call).toHaveBeenCalledWith("guide_save", { projectId: app.projectId, id: undefined, text: FILE });
  await fireEvent.click(await screen.findByTestId("import-guide"));
  expect(await screen.findByText(/Saving replaces its text/)).toBeTruthy();
});

test("a guide is exported, and deleted after a question", async () => {
  await write("# Law\n\nCite.\n");
  await screen.findByTestId("guide");
  await fireEvent.click(screen.getByRole("button", { name: "Export “Law”" }));
  expect(await screen.findByText("Written: /home/ana/Law.md")).toBeTruthy();
  await fireEvent.click(screen.getByRole("button", { name: "Delete “Law”" }));
  await fireEvent.click(screen.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByTestId("guide")).toBeNull());
});

test("the guides open from a session too", async () => {
  await fireEvent.click(screen.getByRole("button", { name: "Close" }));
  await app.openSession(1);
  await fireEvent.click(await screen.findByTestId("guides"));
  expect(await screen.findByTestId("guides-words")).toBeTruthy();
});
