/** Starts the window with the host that is there. */

import { mount } from "svelte";
import AppView from "./App.svelte";
import type { Backend } from "./backend/backend";
import { inTauri, TauriBackend } from "./backend/tauri";
import { matchesChord } from "./lib/keys";
import { App } from "./state/app.svelte";
import "./styles/tokens.css";
import "./styles/base.css";

async function chooseBackend(): Promise<Backend> {
  if (inTauri()) return new TauriBackend();
  const { fakeFromAddress } = await import("./backend/fake");
  return fakeFromAddress(location.search);
}

/** Switches the page's own reload off: the window is not a page, and Ctrl+R is a command. */
function keepPage(event: KeyboardEvent): void {
  if (matchesChord(event, "Mod+r") || event.key === "F5") event.preventDefault();
}

/** Leaves the page's own menu, which can reload it, to texts: to be copied, pasted, or spelt. */
function keepMenu(event: MouseEvent): void {
  const onText = event.target instanceof Element && event.target.closest("input, textarea, [contenteditable='true']") !== null;
  if (!onText && window.getSelection()?.isCollapsed !== false) event.preventDefault();
}

const app = new App(await chooseBackend());
const target = document.getElementById("app");
if (target !== null) mount(AppView, { target, props: { app } });
// After the window's own keys, which come first.
if (inTauri()) {
  window.addEventListener("keydown", keepPage);
  window.addEventListener("contextmenu", keepMenu);
}
await app.start();
// Tests of the window wait for this: from now on it hears drops and events.
document.documentElement.dataset.ready = "true";
