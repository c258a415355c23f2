/** What was learnt for the open session's languages. */

import { asApiError, type Backend } from "../backend/backend";
import type { MemoryUpdateRequest } from "../backend/bindings/MemoryUpdateRequest";
import type { MemoryView } from "../backend/bindings/MemoryView";
import type { Notices } from "./notices.svelte";

export class MemoryState {
  readonly sessionId: number;
  view = $state.raw<MemoryView | null>(null);
  readonly #backend: Backend;
  readonly #notices: Notices;

  constructor(backend: Backend, notices: Notices, sessionId: number) {
    this.#backend = backend;
    this.#notices = notices;
    this.sessionId = sessionId;
  }

  async load(): Promise<void> {
    try {
      this.view = await this.#backend.call("memory_list", { sessionId: this.sessionId });
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
    }
  }

  /** Changes an item, or adds one without an id. Tells whether it was taken. */
  async update(change: Omit<MemoryUpdateRequest, "sessionId">): Promise<boolean> {
    return this.#change(() => this.#backend.call("memory_update", { sessionId: this.sessionId, ...change }));
  }

  async remove(id: number): Promise<boolean> {
    return this.#change(() => this.#backend.call("memory_delete", { sessionId: this.sessionId, id }));
  }

  async #change(call: () => Promise<unknown>): Promise<boolean> {
    try {
      await call();
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
      return false;
    }
    await this.load();
    return true;
  }
}
