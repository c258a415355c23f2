/** The settings: providers, what a test of one finds, packs, numbers, looks. */

import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { describe, expect, test } from "vitest";
import { expectAccessible, showWindow } from "../test/view";
import { freeId, isLocal } from "./presets";

async function openSettings(): ReturnType<typeof showWindow> {
  const shown = await showWindow();
  await fireEvent.click(screen.getByTestId("settings"));
  return shown;
}

async function fill(label: string | RegExp, value: string): Promise<void> {
  await fireEvent.input(screen.getByLabelText(label), { target: { value } });
}

describe("providers", () => {
  test("the page is accessible, also with the form open", async () => {
    await openSettings();
    await expectAccessible();
    await fireEvent.click(screen.getByTestId("add-provider"));
    await expectAccessible(screen.getByRole("dialog"));
  });

  test("a service fills the form, a test says what is wrong, a key mends it", async () => {
    const { app } = await openSettings();
    await fireEvent.click(screen.getByTestId("add-provider"));
    await fireEvent.change(screen.getByLabelText("Service"), { target: { value: "mistral" } });
    expect(screen.getByLabelText<HTMLInputElement>("Address").value).toBe("https://api.mistral.ai/v1");
    await fireEvent.click(screen.getByRole("button", { name: "Test connection" }));
    expect(await screen.findByText("This service needs a key. Enter it above.")).toBeTruthy();
    await fill("Key", "secret");
    await fireEvent.click(screen.getByRole("button", { name: "Test connection" }));
    expect(await screen.findByText(/It works/)).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(app.settings.view?.settings.providers.map(({ id }) => id)).toEqual(["deepseek", "mistral"]);
    expect(app.settings.keyState("mistral")).toBe("keychain");
  });

  test("a form that lacks something says what, and keeps nothing", async () => {
    const { app } = await openSettings();
    await fireEvent.click(screen.getByTestId("add-provider"));
    await fill("Model", "");
    await fill("Address", "example.com");
    await fireEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(screen.getByText("Name, address and model are needed.")).toBeTruthy();
    expect(screen.getByText("The address must start with http:// or https://")).toBeTruthy();
    expect(app.settings.view?.settings.providers).toHaveLength(1);
  });

  test("a kept key is never shown", async () => {
    const { app } = await openSettings();
    await app.settings.setKey("deepseek", "secret");
    await fireEvent.click(screen.getByRole("button", { name: "Edit DeepSeek" }));
    expect(screen.getByLabelText<HTMLInputElement>("Key").value).toBe("");
    expect(screen.getByText("A key is kept. Leave this empty to keep it.")).toBeTruthy();
  });

  test("a removed provider leaves its roles to the offline engine", async () => {
    const { app } = await openSettings();
    await app.settings.update({ translator: "deepseek" });
    await fireEvent.click(screen.getByRole("button", { name: "Remove DeepSeek" }));
    await fireEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Remove the provider" }));
    await waitFor(() => expect(app.settings.view?.settings.providers).toEqual([]));
    expect(app.settings.view?.settings.translator).toBe("offline");
  });

  test("a field that a model refuses is told", async () => {
    const { app } = await openSettings();
    expect(screen.queryByText(/Left out of requests/)).toBeNull();
    const providers = app.settings.view?.settings.providers.map((each) => ({ ...each, temperature: 0.2 })) ?? [];
    await app.settings.update({ providers });
    expect(await screen.findByText(/this model refuses it: temperature/)).toBeTruthy();
  });

  test("local servers are found and set up", async () => {
    await openSettings();
    await fireEvent.click(screen.getByRole("button", { name: "Find local servers" }));
    expect(await screen.findByText(/asks for its key/)).toBeTruthy();
    expect(screen.getByText(/nomic-embed-text, qwen3:8b/)).toBeTruthy();
    await fireEvent.click(screen.getByRole("button", { name: "Set up Ollama" }));
    expect(screen.getByLabelText<HTMLInputElement>("Model").value).toBe("qwen3:8b");
  });
});

test("a number is stored when it fits, and refused in words when not", async () => {
  const { app } = await openSettings();
  const field = screen.getByLabelText("Drafts ahead");
  await fireEvent.input(field, { target: { value: "9" } });
  await fireEvent.change(field);
  expect(screen.getByText("From 1 to 8.")).toBeTruthy();
  expect(app.settings.view?.settings.lookAhead).toBe(4);
  await fireEvent.input(field, { target: { value: "6" } });
  await fireEvent.change(field);
  await waitFor(() => expect(app.settings.view?.settings.lookAhead).toBe(6));
});

test("the theme and the language change at once", async () => {
  await openSettings();
  await fireEvent.change(screen.getByLabelText("Theme"), { target: { value: "dark" } });
  await waitFor(() => expect(document.documentElement.dataset.theme).toBe("dark"));
  await fireEvent.change(screen.getByLabelText("Language of the window"), { target: { value: "zh" } });
  expect(await screen.findByRole("heading", { name: "设置" })).toBeTruthy();
});

test("a pack that cannot be used is told", async () => {
  await openSettings();
  await fill("Pack to import", "/tmp/nothing");
  await fireEvent.click(screen.getByRole("button", { name: "Import" }));
  expect(await screen.findByText(/This is not a language pack that can be used/)).toBeTruthy();
  await fill("Pack to import", "/tmp/en-de.zip");
  await fireEvent.click(screen.getByRole("button", { name: "Import" }));
  expect(await screen.findByText("English to German")).toBeTruthy();
});

test("ids are free and plain", () => {
  expect(freeId("LM Studio", [])).toBe("lm-studio");
  expect(freeId("LM Studio", ["lm-studio", "lm-studio-2"])).toBe("lm-studio-3");
  expect(freeId("模型", ["offline"])).toBe("provider");
});

test("only addresses of this machine are local", () => {
  expect(["http://127.0.0.1:1234/v1", "http://localhost/v1", "http://[::1]:80"].map(isLocal)).toEqual([true, true, true]);
  expect(["https://localhost.example.com", "https://api.example.com"].map(isLocal)).toEqual([false, false]);
});
