/** The guides, as one project sees them. */

import { asApiError, type Backend } from "../backend/backend";
import type { ApiError } from "../backend/bindings/ApiError";
import type { GuideFileView } from "../backend/bindings/GuideFileView";
import type { GuidesView } from "../backend/bindings/GuidesView";
import type { Notices } from "./notices.svelte";

export class GuidesState {
  readonly projectId: string;
  view = $state.raw<GuidesView | null>(null);
  readonly #backend: Backend;
  readonly #notices: Notices;

  constructor(backend: Backend, notices: Notices, projectId: string) {
    this.#backend = backend;
    this.#notices = notices;
    this.projectId = projectId;
  }

  async load(): Promise<void> {
    await this.#take(() => this.#backend.call("guide_list", { projectId: this.projectId }));
  }

  /** Lets a guide hold for the project, or no longer. */
  async attach(id: number, attached: boolean): Promise<void> {
    await this.#take(() => this.#backend.call("guide_attach", { projectId: this.projectId, id, attached }));
    if (this.view?.guides.find((guide) => guide.id === id)?.isAttached !== attached) await this.load();
  }

  /** Keeps a guide, or adds one without an id; answers why it was not taken. */
  async save(text: string, id?: number): Promise<ApiError | null> {
    try {
      this.view = await this.#backend.call("guide_save", { projectId: this.projectId, id, text });
      return null;
    } catch (thrown) {
      return asApiError(thrown);
    }
  }

  async remove(id: number): Promise<void> {
    try {
      await this.#backend.call("guide_delete", { id });
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
    }
    await this.load();
  }

  /** Lets the person choose a file that may become a guide; `null` when they chose none, or it is none. */
  async pick(): Promise<GuideFileView | null> {
    try {
      return await this.#backend.call("guide_import", {});
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
      return null;
    }
  }

  /** Lets the person choose where a guide is written to; answers the path, or `null` where nothing was written. */
  async write(id: number): Promise<string | null> {
    try {
      return (await this.#backend.call("guide_export", { id })).path;
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
      return null;
    }
  }

  async #take(call: () => Promise<GuidesView>): Promise<void> {
    try {
      this.view = await call();
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
    }
  }
}
