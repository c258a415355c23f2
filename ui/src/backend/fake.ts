/** A host in memory: the whole window runs on it, in a browser or in a test, without a file or a model. */

import type { Args, Backend, Command, FolderDrop, Result, Unlisten } from "./backend";
import type { ActionView } from "./bindings/ActionView";
import type { ApiEvent } from "./bindings/ApiEvent";
import type { AppView } from "./bindings/AppView";
import type { MemoryConflictView } from "./bindings/MemoryConflictView";
import type { MemoryItemView } from "./bindings/MemoryItemView";
import type { MemoryView } from "./bindings/MemoryView";
import type { PackView } from "./bindings/PackView";
import type { ProjectView } from "./bindings/ProjectView";
import type { ProviderCheckView } from "./bindings/ProviderCheckView";
import type { ReversalView } from "./bindings/ReversalView";
import type { RulesView } from "./bindings/RulesView";
import type { SessionView } from "./bindings/SessionView";
import type { Settings } from "./bindings/Settings";
import type { SettingsView } from "./bindings/SettingsView";
import type { KeyState } from "./bindings/KeyState";
import { receipt } from "./fake/effort";
import { FakeGuides } from "./fake/guides";
import { fail, FakeSession } from "./fake/session";
import { FakeTerms } from "./fake/terms";
import { parts, wordDiff } from "./fake/text";
import * as world from "./fake/world";

export interface FakeOptions {
  /** How long the agent thinks, in milliseconds. */
  thinkMs?: number;
  settings?: Partial<Settings>;
  /** Folder that the program was started with. */
  folder?: string | null;
  /** How the database is. */
  database?: Partial<Database>;
}

type Database = Pick<AppView, "readOnly" | "damaged" | "recovered" | "lostSettings">;

type Handlers = { [K in Command]: (args: Args<K>) => Result<K> | Promise<Result<K>> };

/** Address of an endpoint that always fails, to see what that looks like. */
export const FAILING = "failing";

export class FakeBackend implements Backend {
  readonly #thinkMs: number;
  readonly #folder: string | null;
  readonly #listeners = new Set<(event: ApiEvent) => void>();
  readonly #dropListeners = new Set<(drop: FolderDrop) => void>();
  readonly #sessions = new Map<number, FakeSession>();
  readonly #keys = new Map<string, KeyState>();
  #settings: Settings;
  #database: Database;
  #packs: PackView[] = [
    { source: "en", target: "pt", nBytes: 41_000_000 },
    { source: "pt", target: "en", nBytes: 40_200_000 },
  ];
  readonly #guides = new FakeGuides();
  readonly #terms = new FakeTerms();
  #memory: MemoryItemView[] = world.memoryItems(Date.now());
  #conflicts: MemoryConflictView[] = [];

  constructor({ thinkMs = 400, settings = {}, folder = null, database = {} }: FakeOptions = {}) {
    this.#thinkMs = thinkMs;
    this.#folder = folder;
    this.#database = { readOnly: false, damaged: false, recovered: null, lostSettings: false, ...database };
    this.#settings = { ...world.settings(), ...settings };
    for (const summary of world.earlierSessions(Date.now())) this.#sessions.set(summary.id, new FakeSession(summary));
    this.#work(1, 4);
  }

  async call<K extends Command>(command: K, args: Args<K>): Promise<Result<K>> {
    await Promise.resolve();
    return structuredClone(await this.#handlers[command](structuredClone(args)));
  }

  listen(handler: (event: ApiEvent) => void): Promise<Unlisten> {
    this.#listeners.add(handler);
    return Promise.resolve(() => this.#listeners.delete(handler));
  }

  onFolderDrop(handler: (drop: FolderDrop) => void): Promise<Unlisten> {
    this.#dropListeners.add(handler);
    return Promise.resolve(() => this.#dropListeners.delete(handler));
  }

  /** Drops a folder on the window. */
  drop(path: string): void {
    for (const handler of this.#dropListeners) handler({ kind: "drop", paths: [path] });
  }

  #rules: RulesView = {
    formats: [{ id: "markdown", name: "Markdown", nFiles: 2, isOn: true }],
    keysOut: [],
    keysIn: [],
    columns: [],
    attributes: [],
  };

  readonly #handlers: Handlers = {
    app_view: () => this.#about(),
    database_restore: () => {
      const recovered = { kept: "/home/ana/.local/share/diglot/diglot.db.damaged", backupAt: Date.now() - 600_000, nSalvaged: 12, lostUntil: Date.now() };
      this.#database = { ...this.#database, damaged: false, recovered };
      return this.#about();
    },
    project_open: ({ path }) => this.#project(path),
    project_pick: () => this.#project(world.FOLDER),
    project_view: () => this.#project(world.FOLDER),
    project_rules: () => this.#rules,
    project_set_rules: ({ off, keysOut, keysIn, columns, attributes }) => {
      const formats = this.#rules.formats.map((format) => ({ ...format, isOn: !off.includes(format.id) }));
      return (this.#rules = { formats, keysOut, keysIn, columns, attributes });
    },
    session_create: ({ sourceLanguage, targetLanguage, instructions, afresh }) => {
      const known = [...this.#sessions.values()].find((each) => each.summary.targetLanguage === targetLanguage);
      if (known !== undefined && afresh !== true) return known.view();
      const id = Math.max(...this.#sessions.keys(), 0) + 1;
      const session = new FakeSession(world.summary(id, "guide-docs", sourceLanguage ?? "en", targetLanguage, Date.now()));
      session.instructions = instructions ?? "";
      this.#sessions.set(id, session);
      return session.view();
    },
    session_list: ({ query = "", offset = 0, limit = 50 }) => {
      const words = query.toLowerCase();
      const fit = [...this.#sessions.values()]
        .map((session) => session.summary)
        .filter((each) => `${each.title} ${each.targetLanguage}`.toLowerCase().includes(words))
        .toSorted((a, b) => b.updatedAt - a.updatedAt);
      return { sessions: fit.slice(offset, offset + limit), offset, nTotal: fit.length, nUnreadable: 0 };
    },
    session_view: ({ sessionId, sinceSeq }) => this.#session(sessionId).view(sinceSeq),
    session_input: ({ sessionId, text }) => this.#change(sessionId, (session) => session.say(text)),
    session_next: ({ sessionId }) => this.#run(sessionId),
    session_run: ({ sessionId }) => this.#run(sessionId),
    session_stop: ({ sessionId }) => {
      this.#setRunning(sessionId, false);
      return this.#session(sessionId).view();
    },
    session_respond: ({ sessionId, callId, decision }) =>
      this.#change(sessionId, (session) => session.respond(callId, decision)),
    session_undo: ({ sessionId }) => this.#reverse(sessionId, "undo"),
    session_redo: ({ sessionId }) => this.#reverse(sessionId, "redo"),
    session_rename: ({ sessionId, title }) => Object.assign(this.#session(sessionId).summary, { title }),
    session_delete: ({ sessionId }) => {
      this.#sessions.delete(sessionId);
      return {};
    },
    document_view: ({ sessionId, path, fromUnit = 1, limit = 200 }) =>
      this.#session(sessionId).document(path, fromUnit, limit),
    issue_dismiss: () => ({}),
    session_check: () => ({ nChecked: 0, nFindings: 0, findings: [], nInconsistencies: 0, inconsistencies: [] }),
    document_set_when_missing: ({ sessionId, path }) => this.#session(sessionId).document(path, 1, 200),
    document_configure: ({ sessionId, path }) => this.#session(sessionId).document(path, 1, 200),
    unit_revise: ({ sessionId, path, unit, target }) =>
      this.#change(sessionId, (session) => session.revise(path, unit, target)),
    unit_skip: ({ sessionId, path, unit }) => this.#change(sessionId, (session) => session.skip(path, unit)),
    proposal_diff: ({ sessionId, path, unit, target }) => {
      const { source, target: draft, issues } = this.#session(sessionId).unit(path, unit);
      const open = issues.filter(({ missing }) => missing.some((text) => !target.includes(text)));
      return { pieces: wordDiff(draft ?? "", target), issues: open, parts: parts(target), ...this.#terms.lit(source, target) };
    },
    draft_receipt: ({ sessionId, path, unit, withRequest }) => receipt(this.#session(sessionId), path, unit, withRequest === true),
    target_resolve: ({ sessionId }) => this.#session(sessionId).view(),
    memory_list: () => this.#memoryView(),
    memory_update: ({ sessionId: _, id, ...change }) => this.#updateMemory(id, change),
    memory_delete: ({ id }) => {
      this.#memory = this.#memory.filter((item) => item.id !== id);
      return {};
    },
    memory_settle: ({ one, other, keep }) => {
      const lost = keep === undefined ? undefined : keep === one ? other : one;
      const item = this.#memory.find(({ id }) => id === lost);
      if (item !== undefined) Object.assign(item, { state: "off", isSent: false });
      this.#conflicts = this.#conflicts.filter(({ earlier, later }) => ![earlier, later].includes(one));
      return this.#memoryView();
    },
    guide_list: () => this.#guides.view(),
    guide_save: ({ id, text }) => this.#guides.save(text, id),
    guide_delete: ({ id }) => this.#guides.remove(id),
    guide_attach: ({ id, attached }) => this.#guides.attach(id, attached),
    guide_import: () => this.#guides.file(),
    guide_export: ({ id }) => this.#guides.write(id),
    term_list: (args) => this.#terms.list(args),
    term_save: (args) => this.#terms.save(args),
    term_delete: ({ id }) => this.#terms.remove(id),
    term_import: () => this.#terms.bring(),
    term_export: ({ form }) => this.#terms.write(form),
    settings_view: () => this.#settingsView(),
    settings_update: ({ settings }) => {
      this.#settings = settings;
      return this.#settingsView();
    },
    provider_check: ({ provider, key }) => this.#check(provider.baseUrl, key ?? (this.#keys.get(provider.id) && "kept")),
    provider_find_local: () => [
      { name: "Ollama", baseUrl: "http://127.0.0.1:11434/v1", models: ["nomic-embed-text", "qwen3:8b", "gemma3:4b"], wantsKey: false },
      { name: "Jan", baseUrl: "http://127.0.0.1:1337/v1", models: [], wantsKey: true },
    ],
    provider_set_key: ({ providerId, key }) => {
      if (key === undefined) this.#keys.delete(providerId);
      else this.#keys.set(providerId, "keychain");
      return this.#settingsView();
    },
    pack_list: () => this.#packs,
    pack_import: ({ path }) => {
      if (!/\.(zip|whl)$/.test(path)) throw fail("badPack", path);
      this.#packs = [...this.#packs, { source: "en", target: "de", nBytes: 39_000_000 }];
      return this.#packs;
    },
  };

  #about(): AppView {
    return { version: "0.1.0", folder: this.#folder, sample: "/opt/diglot/sample/guide", ...this.#database };
  }

  #project(path: string): ProjectView {
    if (path.endsWith("missing")) throw fail("folderMissing", path);
    const files = world.files();
    return {
      id: world.PROJECT_ID,
      name: path.split("/").pop() ?? path,
      path,
      sourceLanguage: "en",
      files,
      offset: 0,
      nFiles: files.length,
      nDocuments: files.filter((file) => file.format !== null).length,
      leftOut: [".git", "node_modules"],
      sessions: [...this.#sessions.values()].map((session) => session.summary).filter(({ title }) => title === "guide-docs"),
      isWhole: true,
    };
  }

  #session(id: number): FakeSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw fail("sessionNotFound");
    return session;
  }

  #change(id: number, change: (session: FakeSession) => void): SessionView {
    const session = this.#session(id);
    change(session);
    session.summary.updatedAt = Date.now();
    this.#emit({ event: "sessionChanged", data: { sessionId: id, seq: session.seq } });
    return session.view();
  }

  #reverse(id: number, way: "undo" | "redo"): ReversalView {
    let action: ActionView | null = null;
    const session = this.#change(id, (each) => (action = each.reverse(way)));
    return { action, session };
  }

  async #run(id: number): Promise<SessionView> {
    const session = this.#session(id);
    if (session.running) throw fail("sessionBusy");
    session.provider = this.#settings.providers.find((each) => each.id === this.#settings.translator)?.name ?? "Offline";
    this.#setRunning(id, true);
    await new Promise((resolve) => setTimeout(resolve, this.#thinkMs));
    if (!session.running) return session.view();
    this.#setRunning(id, false);
    const provider = this.#settings.providers.find((each) => each.id === this.#settings.translator);
    if (provider?.baseUrl.includes(FAILING)) {
      session.attempt = { error: fail("modelUnreachable", "connection refused"), tryAgainAt: null, nTries: 5 };
      throw session.attempt.error;
    }
    session.attempt = null;
    return this.#change(id, (each) => each.step());
  }

  #setRunning(sessionId: number, running: boolean): void {
    this.#session(sessionId).running = running;
    this.#emit({ event: "runChanged", data: { sessionId, running, tryAgainAt: null } });
  }

  /** Lets some units of a session be decided already. */
  #work(id: number, n: number): void {
    const session = this.#session(id);
    session.step();
    for (const request of session.view().requests.slice(0, n)) {
      if (request.kind !== "translate") continue;
      const refined = request.target.replace("ficheiro", "arquivo");
      const kind = refined === request.target ? ({ kind: "approve" } as const) : ({ kind: "refine", target: refined } as const);
      session.respond(request.callId, kind);
    }
    session.learn("“file” is “arquivo”");
    session.step();
  }

  #memoryView(): MemoryView {
    const sent = this.#memory.filter((item) => item.isSent);
    const nTokens = sent.reduce((sum, item) => sum + item.nTokens, 0);
    return { items: this.#memory, nTokens, conflicts: this.#conflicts };
  }

  #updateMemory(id: number | undefined, change: Partial<MemoryItemView>): MemoryItemView {
    const known = this.#memory.find((item) => item.id === id);
    const isSent = (change.state ?? known?.state ?? "active") === "active";
    if (known !== undefined) return Object.assign(known, change, { isSent });
    const [termSource, termTarget] = [change.termSource ?? null, change.termTarget ?? null];
    const made: MemoryItemView = {
      id: Math.max(0, ...this.#memory.map((item) => item.id)) + 1,
      kind: change.kind ?? "preference",
      text: change.text ?? `Translate “${termSource}” as “${termTarget}”.`,
      termSource,
      termTarget,
      wordingWrite: change.wordingWrite ?? null,
      wordingInsteadOf: change.wordingInsteadOf ?? null,
      scope: change.scope ?? "languages",
      state: change.state ?? "active",
      isSent,
      nApplied: 0,
      nMet: 0,
      nOverridden: 0,
      evidence: [],
      nTokens: 10,
      updatedAt: Date.now(),
    };
    this.#memory = [...this.#memory, made];
    return made;
  }

  #settingsView(): SettingsView {
    return {
      version: "0.1.0",
      settings: this.#settings,
      keys: this.#settings.providers.map((provider) => this.#keys.get(provider.id) ?? "none"),
      omitted: this.#settings.providers.map(({ temperature }) => (temperature === null ? [] : ["temperature"])),
      keychain: true,
      packs: this.#packs,
      dataFolder: "/home/ana/.local/share/diglot",
    };
  }

  #check(baseUrl: string, key: string | undefined): ProviderCheckView {
    const local = /\/\/(127\.|localhost)/.test(baseUrl);
    const code = baseUrl.includes(FAILING) ? "modelUnreachable" : !local && key === undefined ? "noApiKey" : null;
    if (code !== null) return { usable: false, error: fail(code), models: [], protocol: null };
    if (key === "wrong") return { usable: false, error: fail("modelUnauthorized", "401"), models: [], protocol: null };
    return { usable: true, error: null, models: ["deepseek-chat", "deepseek-reasoner"], protocol: "tools" };
  }

  #emit(event: ApiEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/** Makes the twin as the page's address wants it: `?fake&lang=zh&theme=dark&folder=/x`. */
export function fakeFromAddress(search: string): FakeBackend {
  const wish = new URLSearchParams(search);
  const theme = wish.get("theme");
  return new FakeBackend({
    folder: wish.get("folder"),
    settings: {
      uiLanguage: wish.get("lang"),
      theme: theme === "dark" || theme === "light" ? theme : "system",
    },
  });
}
