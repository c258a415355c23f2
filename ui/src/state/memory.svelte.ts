/** What was learnt for the open session's languages. */

import { asApiError, type Backend } from "../backend/backend";
import type { ApiError } from "../backend/bindings/ApiError";
import type { MemoryUpdateRequest } from "../backend/bindings/MemoryUpdateRequest";
import type { MemoryView } from "../backend/bindings/MemoryView";
import type { Notices } from "./notices.svelte";

type Change = Omit<MemoryUpdateRequest, "sessionId">;

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

  /** Changes an item, or adds one without an id. */
  async update(change: Change): Promise<void> {
    const error = await this.save(change);
    if (error !== null) this.#notices.error(error);
  }

  /** Does as `update`, and answers why an item was not taken. */
  async save(change: Change): Promise<ApiError | null> {
    return this.#change(() => this.#backend.call("memory_update", { sessionId: this.sessionId, ...change }));
  }

  async remove(id: number): Promise<void> {
    const error = await this.#change(() => this.#backend.call("memory_delete", { sessionId: this.sessionId, id }));
    if (error !== null) this.#notices.error(error);
  }

  async #change(call: () => Promise<unknown>): Promise<ApiError | null> {
    try {
      await call();
    } catch (thrown) {
      return asApiError(thrown);
    }
    await this.load();
    return null;
  }
}
