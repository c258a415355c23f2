/** The frame: keys, palette, key sheet, panels, foot, stop. */

import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { expect, test } from "vitest";
import { FAILING } from "../backend/fake";
import { expectAccessible, showWindow } from "../test/view";

const key = (init: KeyboardEventInit): Promise<boolean> => fireEvent.keyDown(window, init);

test("the palette finds a command and runs it", async () => {
  const { app } = await showWindow();
  await key({ key: "k", ctrlKey: true });
  const field = screen.getByRole("combobox", { name: "What do you want to do?" });
  await fireEvent.input(field, { target: { value: "settings" } });
  await expectAccessible(screen.getByRole("dialog"));
  await fireEvent.keyDown(field, { key: "Enter" });
  await waitFor(() => expect(app.route).toBe("settings"));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("the key sheet shows every command that has a key", async () => {
  const { app } = await showWindow();
  await app.openSession(1);
  await key({ key: "F1" });
  const sheet = await screen.findByRole("dialog", { name: "Keys" });
  await waitFor(() => {
    for (const command of app.commands.all.filter((each) => each.chord)) {
      expect(within(sheet).getAllByText(command.title()).length).toBeGreaterThan(0);
    }
  });
  await expectAccessible(sheet);
});

test("a panel that is asked for by name has the focus", async () => {
  const { app } = await showWindow();
  await app.openSession(1);
  await screen.findByRole("tab", { name: "Files" });
  app.commands.all.find(({ id }) => id === "memory")?.run();
  await waitFor(() => expect(document.activeElement?.textContent).toContain("Memory"));
  expect(screen.getByTestId("memory-panel")).toBeDefined();
});

test("panels fold by key and this is remembered", async () => {
  const { app } = await showWindow();
  await app.openSession(1);
  await screen.findByRole("navigation", { name: "Project" });
  await key({ key: "b", ctrlKey: true });
  await key({ key: "j", ctrlKey: true });
  await waitFor(() => expect(screen.queryByRole("navigation")).toBeNull());
  expect(screen.queryByRole("complementary")).toBeNull();
  expect(JSON.parse(localStorage.getItem("diglot.panels") ?? "{}")).toMatchObject({ left: false, right: false });
});

test("tabs are moved through with arrow keys", async () => {
  const { app } = await showWindow();
  await app.openSession(1);
  const files = await screen.findByRole("tab", { name: "Files" });
  await fireEvent.keyDown(files, { key: "ArrowRight" });
  expect(app.panels.leftTab).toBe("history");
  expect(document.activeElement).toBe(screen.getByRole("tab", { name: "History" }));
});

test("the agent is stopped, and goes on when told", async () => {
  const { app } = await showWindow({ thinkMs: 60_000 });
  await app.createSession({ projectId: "p1", targetLanguage: "fr" });
  await fireEvent.click(await screen.findByTestId("stop"));
  await waitFor(() => expect(app.session?.running).toBe(false));
  expect(screen.getByTestId("agent-state").textContent).toContain("Stopped");
  await fireEvent.click(await screen.findByTestId("continue"));
  await waitFor(() => expect(app.session?.running).toBe(true));
});

test("a provider that does not answer is told with what to do", async () => {
  const { app } = await showWindow();
  const failing = { id: "f", name: "F", baseUrl: `http://${FAILING}`, model: "m", protocol: "tools" as const };
  await app.settings.saveProvider({ ...failing, temperature: null, maxOutputTokens: null }, undefined);
  await app.settings.update({ translator: "f" });
  await app.createSession({ projectId: "p1", targetLanguage: "fr" });
  const notice = within(screen.getByTestId("notice"));
  expect(await notice.findByText(/Nobody answers at the provider's address/)).toBeTruthy();
  expect(await screen.findByTestId("continue")).toBeTruthy();
});
