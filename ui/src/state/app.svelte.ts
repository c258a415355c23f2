/** The window as a whole: where the person is, and the states of its parts. */

import { createContext } from "svelte";
import { asApiError, type Backend, type FolderDrop } from "../backend/backend";
import type { ApiEvent } from "../backend/bindings/ApiEvent";
import type { AppView } from "../backend/bindings/AppView";
import type { ProjectView } from "../backend/bindings/ProjectView";
import type { SessionCreateRequest } from "../backend/bindings/SessionCreateRequest";
import type { SessionView } from "../backend/bindings/SessionView";
import { createFormat } from "../lib/format";
import { chooseLocale, strings } from "../lib/i18n";
import { Commands } from "./commands.svelte";
import { HistoryState } from "./history.svelte";
import { MemoryState } from "./memory.svelte";
import { Notices } from "./notices.svelte";
import { Panels } from "./panels.svelte";
import { ProjectState } from "./project.svelte";
import { SessionState } from "./session.svelte";
import { SettingsState } from "./settings.svelte";
import type { TermDraft } from "./terms.svelte";

export type Route = "start" | "review" | "settings";

export class App {
  readonly backend: Backend;
  readonly notices = new Notices();
  readonly commands = new Commands();
  readonly panels = new Panels();
  readonly settings: SettingsState;
  readonly history: HistoryState;
  route = $state<Route>("start");
  about = $state.raw<AppView | null>(null);
  project = $state.raw<ProjectState | null>(null);
  session = $state.raw<SessionState | null>(null);
  memory = $state.raw<MemoryState | null>(null);
  /** Whether a folder is being read. */
  opening = $state(false);
  /** Whether a damaged database is being restored. */
  restoring = $state(false);
  /** Whether a folder hangs over the window. */
  dropping = $state(false);

  /** What floats over the window. */
  overlay = $state<"palette" | "keys" | "rules" | "guides" | "terms" | "receipt" | null>(null);
  /** The term that is to be written as soon as the terms are shown. */
  termDraft = $state.raw<TermDraft | null>(null);
  #beforeSettings: Route = "start";
  /** How far each session is, as events told; one may come before the view that it makes old. */
  readonly #told = new Map<number, number>();

  /** The project that the person looks at: that of the session in review, else the folder that was opened. */
  readonly projectId = $derived.by(() =>
    this.route === "review" ? (this.session?.view.session.projectId ?? null) : (this.project?.id ?? null),
  );
  readonly locale = $derived.by(() =>
    chooseLocale(this.settings.view?.settings.uiLanguage ?? null, navigator.languages),
  );
  /** The words of the window, in its language. */
  readonly t = $derived(strings(this.locale));
  readonly format = $derived(createFormat(this.locale));

  /** Shows the form for a new term. */
  addTerm(source: string, target: string): void {
    this.termDraft = { source, target, status: "preferred", note: "" };
    this.overlay = "terms";
  }

  closeTerms(): void {
    this.termDraft = null;
    this.overlay = null;
  }

  constructor(backend: Backend) {
    this.backend = backend;
    this.settings = new SettingsState(backend, this.notices);
    this.history = new HistoryState(backend, this.notices);
  }

  /** Sets the window up; answers when it hears what the application tells. */
  async start(): Promise<void> {
    await Promise.all([
      this.backend.listen((event) => this.#hear(event)),
      this.backend.onFolderDrop((drop) => this.#drop(drop)),
      this.settings.load(),
      this.history.find(""),
    ]);
    await this.#askAbout();
    if (this.about?.folder) await this.openFolder(this.about.folder);
  }

  async openFolder(path: string): Promise<void> {
    await this.#open(() => this.backend.call("project_open", { path }));
  }

  async pickFolder(): Promise<void> {
    await this.#open(() => this.backend.call("project_pick", {}));
  }

  async createSession(request: SessionCreateRequest): Promise<boolean> {
    try {
      this.#enter(await this.backend.call("session_create", request));
    } catch (thrown) {
      this.notices.error(asApiError(thrown));
      return false;
    }
    void this.settings.update({ lastTargetLanguage: request.targetLanguage });
    this.session?.goOn();
    return true;
  }

  /** Opens a session of the history; the agent waits until the person says so. */
  async openSession(sessionId: number): Promise<void> {
    let view: SessionView;
    try {
      view = await this.backend.call("session_view", { sessionId });
    } catch (thrown) {
      this.notices.error(asApiError(thrown));
      return;
    }
    this.#enter(view);
    await this.#openProjectOf(view);
  }

  /** Restores a damaged database; sessions are read anew. */
  async restoreDatabase(): Promise<void> {
    if (this.restoring) return;
    this.restoring = true;
    try {
      this.about = await this.backend.call("database_restore", {});
      this.leaveSession();
      await this.settings.load();
    } catch (thrown) {
      this.notices.error(asApiError(thrown));
    } finally {
      this.restoring = false;
    }
  }

  async #askAbout(): Promise<void> {
    try {
      this.about = await this.backend.call("app_view", {});
    } catch (thrown) {
      this.notices.error(asApiError(thrown));
    }
  }

  /** Goes back to the start, to choose another folder. */
  goToStart(): void {
    this.notices.clear();
    this.project = null;
    this.route = "start";
    void this.history.refresh();
  }

  openSettings(): void {
    this.notices.clear();
    if (this.route !== "settings") this.#beforeSettings = this.route;
    this.route = "settings";
  }

  closeSettings(): void {
    this.notices.clear();
    this.route = this.#beforeSettings;
  }

  /** Leaves a session that is not there any more. */
  leaveSession(): void {
    this.session = null;
    this.memory = null;
    this.goToStart();
  }

  #enter(view: SessionView): void {
    this.notices.clear();
    this.session = new SessionState(this.backend, this.notices, view);
    if ((this.#told.get(view.session.id) ?? 0) > view.seq) void this.session.refresh();
    this.memory = new MemoryState(this.backend, this.notices, view.session.id);
    this.route = "review";
    this.panels.uncover();
    void this.memory.load();
    void this.history.refresh();
  }

  async #openProjectOf(view: SessionView): Promise<void> {
    if (this.project?.id === view.session.projectId) return;
    this.project = null;
    if (!view.folderPresent) return;
    try {
      const project = await this.backend.call("project_open", { path: view.session.folder });
      if (this.session?.id === view.session.id) this.project = new ProjectState(this.backend, this.notices, project);
    } catch (thrown) {
      this.notices.error(asApiError(thrown));
    }
  }

  async #open(call: () => Promise<ProjectView | null>): Promise<void> {
    if (this.opening) return;
    this.notices.clear();
    this.opening = true;
    try {
      const view = await call();
      if (view === null) return;
      this.project = new ProjectState(this.backend, this.notices, view);
      this.route = "start";
    } catch (thrown) {
      this.notices.error(asApiError(thrown));
    } finally {
      this.opening = false;
    }
  }

  #drop(drop: FolderDrop): void {
    this.dropping = drop.kind === "over";
    const path = drop.kind === "drop" ? drop.paths[0] : undefined;
    if (path !== undefined) void this.openFolder(path);
  }

  #hear(event: ApiEvent): void {
    if (event.event === "sessionChanged") this.#told.set(event.data.sessionId, event.data.seq);
    this.session?.hear(event);
    switch (event.event) {
      case "folderRequested":
        void this.openFolder(event.data.path);
        break;
      case "projectChanged":
        if (event.data.projectId === this.project?.id) void this.project.refresh();
        break;
      case "sessionChanged":
        if (event.data.sessionId === this.memory?.sessionId) void this.memory.load();
        break;
      case "appChanged":
        void this.#askAbout();
        break;
      case "runChanged":
      case "targetsChanged":
        break;
    }
  }
}

/** Hands the window's state down to its parts. */
export const [getApp, setApp] = createContext<App>();
