/** Gives jsdom what it lacks of a browser: dialogs, scrolling, sizes; and tests the patience for a busy machine. */

import { configure } from "@testing-library/svelte";

configure({ asyncUtilTimeout: 10_000 });

const dialog = HTMLDialogElement.prototype;

function open(this: HTMLDialogElement): void {
  this.setAttribute("open", "");
}

dialog.show ??= open;
dialog.showModal ??= open;
dialog.close ??= function close(this: HTMLDialogElement): void {
  if (!this.hasAttribute("open")) return;
  this.removeAttribute("open");
  this.dispatchEvent(new Event("close"));
};

Range.prototype.getClientRects ??= () => [] as unknown as DOMRectList;
Element.prototype.scrollIntoView ??= () => undefined;

globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};

window.matchMedia ??= (query: string) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;
