/** What is translated of a folder, from the boxes and lines of the dialog to the rules of the host. */

import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { expect, test, vi } from "vitest";
import { expectAccessible, showWindow } from "../test/view";

test("a format is switched off, and each line is a rule", async () => {
  const { app, backend } = await showWindow({ folder: "/home/ana/guide-docs" });
  const call = vi.spyOn(backend, "call");
  await fireEvent.click(await screen.findByTestId("open-rules"));
  const box = await screen.findByRole<HTMLInputElement>("checkbox", { name: /Markdown/ });
  expect(box.checked).toBe(true);
  await expectAccessible();
  await fireEvent.click(box);
  await fireEvent.input(screen.getByLabelText("Keys that hold no text"), { target: { value: "id\n\n  \nmenu.*.url\n" } });
  await fireEvent.click(screen.getByTestId("save-rules"));
  await waitFor(() => expect(app.overlay).toBeNull());
  const rules = { projectId: app.project?.id, off: ["markdown"], keysOut: ["id", "menu.*.url"], keysIn: [], columns: [], attributes: [] };
  expect(call).toHaveBeenCalledWith("project_set_rules", rules);
});

test("the rules that hold are shown when the dialog opens again", async () => {
  const { app } = await showWindow({ folder: "/home/ana/guide-docs" });
  await screen.findByTestId("open-rules");
  await app.project?.setRules({ off: ["markdown"], keysOut: [], keysIn: [], columns: ["title", "2"], attributes: [] });
  await fireEvent.click(screen.getByTestId("open-rules"));
  expect((await screen.findByRole<HTMLInputElement>("checkbox", { name: /Markdown/ })).checked).toBe(false);
  expect(screen.getByLabelText<HTMLTextAreaElement>("Columns of tables that hold text").value).toBe("title\n2");
});
