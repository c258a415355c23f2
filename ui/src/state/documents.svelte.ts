/** Documents of the open session: units by page, loaded when they are looked at. */

import { asApiError, type Backend } from "../backend/backend";
import type { ApiError } from "../backend/bindings/ApiError";
import type { DocumentView } from "../backend/bindings/DocumentView";
import type { UnitView } from "../backend/bindings/UnitView";

/** Units that one request brings. */
export const PAGE = 100;

type Page = { seq: number; units: UnitView[] };
export type DocumentHead = Omit<DocumentView, "units" | "fromUnit">;

export class DocumentState {
  readonly path: string;
  /** What holds for the whole document; `null` until the first page is there. */
  head = $state.raw<DocumentHead | null>(null);
  error = $state.raw<ApiError | null>(null);
  #pages = $state.raw<ReadonlyMap<number, Page>>(new Map());
  #headSeq = -1;
  #loading = new Map<number, { seq: number; done: Promise<void> }>();
  readonly #load: (fromUnit: number) => Promise<DocumentView>;

  constructor(path: string, load: (fromUnit: number) => Promise<DocumentView>) {
    this.path = path;
    this.#load = load;
  }

  /** Gives a unit, numbered from 1; `undefined` until its page is there. */
  unit(number: number): UnitView | undefined {
    return this.#pages.get(Math.floor((number - 1) / PAGE))?.units[(number - 1) % PAGE];
  }

  /** Brings the units from `first` to `last` as of the log's sequence number `seq`. */
  async ensure(first: number, last: number, seq: number): Promise<void> {
    const from = Math.floor((Math.max(1, first) - 1) / PAGE);
    const to = Math.floor((Math.max(1, last) - 1) / PAGE);
    const pages = Array.from({ length: to - from + 1 }, (_, i) => from + i);
    await Promise.all(pages.map((page) => this.#bring(page, seq)));
  }

  /** Lets go of what was loaded, for instance after the file changed. */
  forget(): void {
    this.#loading.clear();
    this.#pages = new Map();
  }

  #bring(page: number, seq: number): Promise<void> {
    if ((this.#pages.get(page)?.seq ?? -1) >= seq) return Promise.resolve();
    const running = this.#loading.get(page);
    if (running !== undefined && running.seq >= seq) return running.done;
    const done = this.#fetch(page, seq);
    this.#loading.set(page, { seq, done });
    return done;
  }

  async #fetch(page: number, seq: number): Promise<void> {
    try {
      const { units, fromUnit: _, ...head } = await this.#load(page * PAGE + 1);
      // An answer that was overtaken by a newer one is of no use.
      if ((this.#pages.get(page)?.seq ?? -1) > seq) return;
      if (seq >= this.#headSeq) {
        this.head = head;
        this.#headSeq = seq;
      }
      this.error = null;
      this.#pages = new Map(this.#pages).set(page, { seq, units });
    } catch (thrown) {
      this.error = asApiError(thrown);
    } finally {
      if (this.#loading.get(page)?.seq === seq) this.#loading.delete(page);
    }
  }
}

export class Documents {
  readonly #backend: Backend;
  readonly #sessionId: number;
  // Not reactive: which documents were asked for is nobody's to watch.
  readonly #documents = new Map<string, DocumentState>();

  constructor(backend: Backend, sessionId: number) {
    this.#backend = backend;
    this.#sessionId = sessionId;
  }

  get(path: string): DocumentState {
    const known = this.#documents.get(path);
    if (known !== undefined) return known;
    const made = new DocumentState(path, (fromUnit) =>
      this.#backend.call("document_view", { sessionId: this.#sessionId, path, fromUnit, limit: PAGE }),
    );
    this.#documents.set(path, made);
    return made;
  }

  forget(): void {
    for (const document of this.#documents.values()) document.forget();
  }
}
