/** The settings, the providers and the language packs. */

import { asApiError, type Backend } from "../backend/backend";
import type { KeyState } from "../backend/bindings/KeyState";
import type { LocalServerView } from "../backend/bindings/LocalServerView";
import type { ProviderCheckView } from "../backend/bindings/ProviderCheckView";
import type { ProviderSettings } from "../backend/bindings/ProviderSettings";
import type { Settings } from "../backend/bindings/Settings";
import type { SettingsView } from "../backend/bindings/SettingsView";
import type { Notices } from "./notices.svelte";

/** Id of the engine on this machine; always there, and not among the providers. */
export const OFFLINE = "offline";

export class SettingsState {
  view = $state.raw<SettingsView | null>(null);
  readonly #backend: Backend;
  readonly #notices: Notices;

  readonly translator = $derived.by(() => this.provider(this.view?.settings.translator ?? OFFLINE));

  constructor(backend: Backend, notices: Notices) {
    this.#backend = backend;
    this.#notices = notices;
  }

  /** Finds a provider; `undefined` stands for `offline`. */
  provider(id: string): ProviderSettings | undefined {
    return this.view?.settings.providers.find((provider) => provider.id === id);
  }

  keyState(id: string): KeyState {
    const at = this.view?.settings.providers.findIndex((provider) => provider.id === id) ?? -1;
    return this.view?.keys[at] ?? "none";
  }

  async load(): Promise<void> {
    await this.#take(() => this.#backend.call("settings_view", {}));
  }

  /** Changes some settings. Tells whether they were stored. */
  async update(change: Partial<Settings>): Promise<boolean> {
    if (this.view === null) return false;
    const settings = { ...this.view.settings, ...change };
    return this.#take(() => this.#backend.call("settings_update", { settings }));
  }

  /** Stores a provider, and its key when one is given. */
  async saveProvider(provider: ProviderSettings, key: string | undefined): Promise<boolean> {
    const others = this.view?.settings.providers ?? [];
    const known = others.some((each) => each.id === provider.id);
    const providers = known
      ? others.map((each) => (each.id === provider.id ? provider : each))
      : [...others, provider];
    if (!(await this.update({ providers }))) return false;
    return key === undefined || this.setKey(provider.id, key);
  }

  /** Removes a provider and its key; roles that it had fall back to `offline`. */
  async removeProvider(id: string): Promise<boolean> {
    const settings = this.view?.settings;
    if (settings === undefined) return false;
    if (this.keyState(id) !== "none") await this.setKey(id, undefined);
    return this.update({
      providers: settings.providers.filter((each) => each.id !== id),
      translator: settings.translator === id ? OFFLINE : settings.translator,
      memory: settings.memory === id ? OFFLINE : settings.memory,
    });
  }

  /** Keeps a key; without one, forgets it. */
  async setKey(providerId: string, key: string | undefined): Promise<boolean> {
    return this.#take(() => this.#backend.call("provider_set_key", { providerId, key }));
  }

  async check(provider: ProviderSettings, key: string | undefined): Promise<ProviderCheckView> {
    try {
      return await this.#backend.call("provider_check", { provider, key });
    } catch (thrown) {
      return { usable: false, error: asApiError(thrown), models: [], protocol: null };
    }
  }

  async findLocal(): Promise<LocalServerView[]> {
    try {
      return await this.#backend.call("provider_find_local", {});
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
      return [];
    }
  }

  async importPacks(path: string): Promise<boolean> {
    try {
      const packs = await this.#backend.call("pack_import", { path });
      if (this.view !== null) this.view = { ...this.view, packs };
      return true;
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
      return false;
    }
  }

  async #take(call: () => Promise<SettingsView>): Promise<boolean> {
    try {
      this.view = await call();
      return true;
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
      return false;
    }
  }
}
