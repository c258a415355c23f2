/** The termbase of a session's languages: the page that is looked at, and the calls that change it. */

import { asApiError, type Backend } from "../backend/backend";
import type { ApiError } from "../backend/bindings/ApiError";
import type { TermFormView } from "../backend/bindings/TermFormView";
import type { TermImportView } from "../backend/bindings/TermImportView";
import type { TermsView } from "../backend/bindings/TermsView";
import type { TermStatusView } from "../backend/bindings/TermStatusView";
import type { Notices } from "./notices.svelte";

/** A term as it is written; one without an id is new. */
export interface TermDraft {
  id?: number;
  source: string;
  target: string;
  status: TermStatusView;
  note: string;
}

/** Terms of a page. */
export const PAGE = 50;

export class TermsState {
  readonly sessionId: number;
  view = $state.raw<TermsView | null>(null);
  query = $state("");
  /** What became of the file that was brought last. */
  brought = $state.raw<TermImportView | null>(null);
  readonly #backend: Backend;
  readonly #notices: Notices;
  #asked = 0;

  constructor(backend: Backend, notices: Notices, sessionId: number) {
    this.#backend = backend;
    this.#notices = notices;
    this.sessionId = sessionId;
  }

  /** Shows the page that begins at a place. */
  async load(offset = 0): Promise<void> {
    const ticket = ++this.#asked;
    const args = { sessionId: this.sessionId, query: this.query, offset, limit: PAGE };
    const view = await this.#try(() => this.#backend.call("term_list", args));
    // The newest question wins, whichever answer comes first.
    if (view !== null && ticket === this.#asked) this.view = view;
  }

  async search(query: string): Promise<void> {
    this.query = query;
    await this.load();
  }

  /** Keeps a term, or adds one; answers why it was not taken. */
  async save(draft: TermDraft): Promise<ApiError | null> {
    try {
      await this.#backend.call("term_save", { sessionId: this.sessionId, ...draft });
    } catch (thrown) {
      return asApiError(thrown);
    }
    await this.load(this.view?.offset ?? 0);
    return null;
  }

  async remove(id: number): Promise<void> {
    await this.#try(() => this.#backend.call("term_delete", { sessionId: this.sessionId, id }));
    await this.load(this.view?.offset ?? 0);
  }

  /** Lets the person choose a file whose terms are taken. */
  async bring(): Promise<void> {
    const brought = await this.#try(() => this.#backend.call("term_import", { sessionId: this.sessionId }));
    if (brought === null) return;
    this.brought = brought;
    await this.load();
  }

  /** Lets the person choose where the terms are written to; answers the path, or `null` where nothing was written. */
  async write(form: TermFormView): Promise<string | null> {
    const written = await this.#try(() => this.#backend.call("term_export", { sessionId: this.sessionId, form }));
    return written?.path ?? null;
  }

  async #try<T>(call: () => Promise<T>): Promise<T | null> {
    try {
      return await call();
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
      return null;
    }
  }
}
