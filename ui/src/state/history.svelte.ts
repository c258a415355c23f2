/** The list of sessions, newest first, as far as it was scrolled. */

import { asApiError, type Backend } from "../backend/backend";
import type { SessionSummary } from "../backend/bindings/SessionSummary";
import type { Notices } from "./notices.svelte";

/** Sessions that one request brings. */
const PAGE = 50;

export class HistoryState {
  sessions = $state.raw<SessionSummary[]>([]);
  nTotal = $state(0);
  /** Sessions among those asked for that cannot be read at all. */
  nUnreadable = $state(0);
  loaded = $state(false);
  /** Words that the listed sessions have. */
  query = "";
  #asked = 0;
  readonly #backend: Backend;
  readonly #notices: Notices;

  readonly hasMore = $derived.by(() => this.sessions.length + this.nUnreadable < this.nTotal);

  constructor(backend: Backend, notices: Notices) {
    this.#backend = backend;
    this.#notices = notices;
  }

  /** Looks for sessions that have these words. */
  async find(query: string): Promise<void> {
    this.query = query;
    await this.#load(0, PAGE);
  }

  async refresh(): Promise<void> {
    await this.#load(0, Math.max(PAGE, this.sessions.length));
  }

  async loadMore(): Promise<void> {
    if (this.hasMore) await this.#load(this.sessions.length, PAGE);
  }

  async rename(sessionId: number, title: string): Promise<void> {
    await this.#change(() => this.#backend.call("session_rename", { sessionId, title }));
  }

  async remove(sessionId: number): Promise<void> {
    await this.#change(() => this.#backend.call("session_delete", { sessionId }));
  }

  async #change(call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
    }
    await this.refresh();
  }

  async #load(offset: number, limit: number): Promise<void> {
    const asked = ++this.#asked;
    try {
      const page = await this.#backend.call("session_list", { query: this.query, offset, limit });
      // The answer to a query that was typed over since is of no use.
      if (asked !== this.#asked) return;
      this.sessions = [...this.sessions.slice(0, offset), ...page.sessions];
      this.nTotal = page.nTotal;
      this.nUnreadable = offset === 0 ? page.nUnreadable : this.nUnreadable + page.nUnreadable;
      this.loaded = true;
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
    }
  }
}
