/** The history: found, opened, renamed, deleted. */

import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { expect, test } from "vitest";
import { expectAccessible, showWindow } from "../test/view";

const titles = (): string[] =>
  screen.queryAllByTestId("history-item").map((item) => item.querySelector(".title")?.textContent ?? "");

test("sessions stand by day, newest first, and are found by their words", async () => {
  await showWindow();
  expect(titles()).toEqual(["guide-docs", "release-notes", "handbook"]);
  expect(screen.getByRole("heading", { name: "Yesterday" })).toBeTruthy();
  await fireEvent.input(screen.getByTestId("history-search"), { target: { value: "hand" } });
  await waitFor(() => expect(titles()).toEqual(["handbook"]));
  await fireEvent.input(screen.getByTestId("history-search"), { target: { value: "nowhere" } });
  expect(await screen.findByText("No session has these words.")).toBeTruthy();
});

test("a session is opened as it was left, and the agent waits", async () => {
  const { app } = await showWindow();
  const item = screen.getAllByTestId("history-item")[0];
  if (item) await fireEvent.click(item);
  await waitFor(() => expect(app.route).toBe("review"));
  expect(app.session?.view.session.nConfirmed).toBe(4);
  expect(app.session?.current).toEqual({ path: "guide/intro.md", unit: 5 });
  expect(app.session?.running).toBe(false);
  expect(screen.getByTestId("save-state").dataset.state).toBe("saved");
  await waitFor(() => expect(app.project?.view.name).toBe("guide-docs"));
  await expectAccessible();
});

test("a session is renamed in place", async () => {
  await showWindow();
  await fireEvent.click(screen.getByRole("button", { name: "Rename handbook" }));
  const field = screen.getByRole("textbox", { name: "Title" });
  await fireEvent.input(field, { target: { value: "The handbook" } });
  await fireEvent.keyDown(field, { key: "Enter" });
  await waitFor(() => expect(titles()).toContain("The handbook"));
  expect(document.activeElement?.textContent).toContain("handbook");
});

test("what was looked for in one list is not kept from another", async () => {
  const { app } = await showWindow();
  await fireEvent.input(screen.getByTestId("history-search"), { target: { value: "nowhere" } });
  await screen.findByText("No session has these words.");
  app.openSettings();
  await waitFor(() => expect(screen.queryByTestId("history-search")).toBeNull());
  app.closeSettings();
  await waitFor(() => expect(titles()).toHaveLength(3));
});

test("a session is deleted only after a yes", async () => {
  await showWindow();
  await fireEvent.click(screen.getByRole("button", { name: "Delete handbook" }));
  const dialog = screen.getByRole("dialog", { name: "Delete this session?" });
  await expectAccessible(dialog);
  await fireEvent.click(within(dialog).getByRole("button", { name: "Cancel" }));
  expect(titles()).toHaveLength(3);
  await fireEvent.click(screen.getByRole("button", { name: "Delete handbook" }));
  await fireEvent.click(screen.getByRole("button", { name: "Delete the session" }));
  await waitFor(() => expect(titles()).toEqual(["guide-docs", "release-notes"]));
});
