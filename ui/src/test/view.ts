/** What tests of views share: the window over the in-memory host, and the accessibility check. */

import { render } from "@testing-library/svelte";
import axe from "axe-core";
import { expect } from "vitest";
import AppView from "../App.svelte";
import { FakeBackend, type FakeOptions } from "../backend/fake";
import { App } from "../state/app.svelte";

/** Shows the window; the agent does not wait. */
export async function showWindow(options: FakeOptions = {}): Promise<{ app: App; backend: FakeBackend }> {
  localStorage.clear();
  const backend = new FakeBackend({ thinkMs: 0, ...options });
  const app = new App(backend);
  render(AppView, { props: { app } });
  await app.start();
  return { app, backend };
}

/** Expects that axe finds nothing; what jsdom cannot see, colours and layout, is left to the real window. */
export async function expectAccessible(root: Element = document.body): Promise<void> {
  const { violations } = await axe.run(root, {
    rules: { "color-contrast": { enabled: false }, region: { enabled: false } },
  });
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n")}`);
  expect(found).toEqual([]);
}
