/** The opened folder: its files, page by page. */

import { asApiError, type Backend } from "../backend/backend";
import type { FileView } from "../backend/bindings/FileView";
import type { ProjectSetRulesRequest } from "../backend/bindings/ProjectSetRulesRequest";
import type { ProjectView } from "../backend/bindings/ProjectView";
import type { RulesView } from "../backend/bindings/RulesView";
import type { Notices } from "./notices.svelte";

/** Files that one request brings. */
const PAGE = 500;

export class ProjectState {
  readonly id: string;
  view: ProjectView;
  files: FileView[];
  loading = $state(false);
  readonly #backend: Backend;
  readonly #notices: Notices;

  readonly hasMore = $derived.by(() => this.files.length < this.view.nFiles);

  /** How many files can be translated; as far as that is known, when there are more than were looked at. */
  readonly nTranslatable = $derived.by(() =>
    this.hasMore ? this.view.nDocuments : this.files.filter((file) => file.format !== null && file.reason === null).length,
  );

  constructor(backend: Backend, notices: Notices, view: ProjectView) {
    this.#backend = backend;
    this.#notices = notices;
    this.id = view.id;
    this.view = $state.raw(view);
    this.files = $state.raw(view.files);
  }

  /** Looks at the folder again, as far as it was seen. */
  async refresh(): Promise<void> {
    await this.#load(0, Math.max(PAGE, this.files.length));
  }

  async loadMore(): Promise<void> {
    if (this.hasMore) await this.#load(this.files.length, PAGE);
  }

  /** What is set for the formats of the folder. */
  async rules(): Promise<RulesView> {
    return this.#backend.call("project_rules", { projectId: this.id });
  }

  /** Sets rules for the formats of the folder; tells whether they hold now. */
  async setRules(rules: Omit<ProjectSetRulesRequest, "projectId">): Promise<boolean> {
    try {
      await this.#backend.call("project_set_rules", { projectId: this.id, ...rules });
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
      return false;
    }
    await this.refresh();
    return true;
  }

  async #load(offset: number, limit: number): Promise<void> {
    if (this.loading) return;
    this.loading = true;
    try {
      this.view = await this.#backend.call("project_view", { projectId: this.id, offset, limit });
      this.files = [...this.files.slice(0, offset), ...this.view.files];
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
    } finally {
      this.loading = false;
    }
  }
}
