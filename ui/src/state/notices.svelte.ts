/** Short messages that float over the window, one at a time. */

import type { ApiError } from "../backend/bindings/ApiError";

export type Notice =
  | { kind: "info"; id: number; text: string }
  | { kind: "error"; id: number; error: ApiError };

/** How long a message without a fault stays. */
const INFO_MS = 4000;

export class Notices {
  current = $state.raw<Notice | null>(null);
  #id = 0;

  info(text: string): void {
    const id = ++this.#id;
    this.current = { kind: "info", id, text };
    setTimeout(() => this.dismiss(id), INFO_MS);
  }

  /** Shows an error until the person closes it or another message comes. */
  error(error: ApiError): void {
    this.current = { kind: "error", id: ++this.#id, error };
  }

  /** Takes away what was said about a place that the person leaves. */
  clear(): void {
    this.current = null;
  }

  dismiss(id: number): void {
    if (this.current?.id === id) this.current = null;
  }
}
