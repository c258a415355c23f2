/** From an empty window to a session: the folder, the languages, the start. */

import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { describe, expect, test } from "vitest";
import { expectAccessible, showWindow } from "../test/view";

const press = (element: Element): Promise<boolean> => fireEvent.click(element);

async function type(field: HTMLElement, value: string): Promise<void> {
  await fireEvent.input(field, { target: { value } });
}

describe("start", () => {
  test("says what to do and what drafts, and is accessible", async () => {
    await showWindow();
    expect(screen.getByRole("heading", { name: "Drop a folder to translate" })).toBeTruthy();
    expect(screen.getByText("works without a network, 2 language packs")).toBeTruthy();
    await expectAccessible();
  });

  test("speaks Chinese when the settings say so", async () => {
    await showWindow({ settings: { uiLanguage: "zh" } });
    expect(screen.getByRole("heading", { name: "拖入要翻译的文件夹" })).toBeTruthy();
    expect(document.documentElement.lang).toBe("zh-Hans");
  });

  test("a database of a newer Diglot, and settings that could not be read, are said", async () => {
    await showWindow({ database: { readOnly: true, lostSettings: true } });
    expect(screen.getByText(/open for reading only/)).toBeTruthy();
    expect(screen.getByText(/settings could not be read/)).toBeTruthy();
    await expectAccessible();
  });

  test("a damaged database is restored by a button, and what became of it is said", async () => {
    await showWindow({ database: { damaged: true } });
    await press(screen.getByRole("button", { name: "Restore now" }));
    const said = await screen.findByTestId("database-restored");
    expect(said.textContent).toMatch(/restored from the backup of .* 12 later steps were taken over .* may be missing/);
    expect(said.textContent).toMatch(/is kept at .*diglot\.db\.damaged/);
    expect(screen.queryByTestId("database-damaged")).toBeNull();
    await expectAccessible();
  });

  test("without a backup a new database is said to be begun, in Chinese too", async () => {
    const recovered = { kept: "/x/old.db", backupAt: null, nSalvaged: 0, lostUntil: null };
    await showWindow({ settings: { uiLanguage: "zh" }, database: { recovered } });
    expect(screen.getByTestId("database-restored").textContent).toBe(
      "数据库已损坏，且没有备份，因此已新建一个。已保存的内容全部都在。损坏的文件保存在 /x/old.db。",
    );
  });

  test("a dropped folder shows its files with formats and reasons", async () => {
    const { backend } = await showWindow();
    backend.drop("/home/ana/guide-docs");
    expect(await screen.findByRole("heading", { name: "Translate guide-docs" })).toBeTruthy();
    expect(screen.getByText("2 of 4 files can be translated")).toBeTruthy();
    expect(screen.getByText("Not a text file")).toBeTruthy();
    expect(screen.getByText("Left out: .git, node_modules")).toBeTruthy();
    await expectAccessible();
  });

  test("a folder that is not there is told, and nothing else happens", async () => {
    const { app, backend } = await showWindow();
    backend.drop("/missing");
    expect(await screen.findByText(/The project's folder is not there/)).toBeTruthy();
    expect(app.project).toBeNull();
  });

  test("a language is typed, and start opens the session and lets the agent draft", async () => {
    const { app } = await showWindow();
    await press(screen.getByTestId("choose-folder"));
    const field = await screen.findByRole("combobox", { name: "Into" });
    const start = screen.getByTestId<HTMLButtonElement>("start");
    expect(start.disabled).toBe(true);
    await type(field, "germ");
    await fireEvent.keyDown(field, { key: "Enter" });
    expect(start.disabled).toBe(false);
    await press(start);
    await waitFor(() => expect(app.route).toBe("review"));
    expect(app.session?.view.session.targetLanguage).toBe("de");
    await waitFor(() => expect(app.session?.proposals.length).toBe(4));
    expect(app.settings.view?.settings.lastTargetLanguage).toBe("de");
  });

  test("the same language twice cannot be started", async () => {
    await showWindow({ folder: "/home/ana/guide-docs" });
    const field = await screen.findByRole("combobox", { name: "Into" });
    await type(field, "en");
    await fireEvent.keyDown(field, { key: "Enter" });
    expect(screen.getByText("The two languages are the same.")).toBeTruthy();
    expect(screen.getByTestId<HTMLButtonElement>("start").disabled).toBe(true);
  });

  test("a language that has a session goes on with it", async () => {
    const { app } = await showWindow({ folder: "/home/ana/guide-docs", settings: { lastTargetLanguage: "pt-BR" } });
    const start = await screen.findByTestId("start");
    expect(start.textContent.trim()).toBe("Continue in Brazilian Portuguese");
    await press(start);
    await waitFor(() => expect(app.session?.id).toBe(1));
  });
});
