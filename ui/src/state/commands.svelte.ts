/** Everything that can be done by key or from the palette; each part of the window brings its own. */

import { untrack } from "svelte";
import { matchesChord } from "../lib/keys";

export type CommandGroup = "window" | "review" | "session";

export interface UiCommand {
  id: string;
  group: CommandGroup;
  /** What it does, in the window's language; asked for whenever it is shown. */
  title: () => string;
  /** Its key, for instance `Mod+Enter`. */
  chord?: string;
  /** Whether holding its key does it once. */
  once?: boolean;
  /** Whether it can be done now; always, when missing. */
  enabled?: () => boolean;
  run: () => void;
}

export class Commands {
  #groups = $state.raw<readonly (readonly UiCommand[])[]>([]);
  readonly all = $derived(this.#groups.flat());

  /** Adds commands; the answer takes them back. Made to be returned from an `$effect`. */
  register(commands: readonly UiCommand[]): () => void {
    // An effect that registers must not hear of it.
    this.#groups = [...untrack(() => this.#groups), commands];
    return () => {
      this.#groups = this.#groups.filter((group) => group !== commands);
    };
  }

  /** Runs the command of a key press, the last one registered first. */
  press(event: KeyboardEvent): void {
    if (event.defaultPrevented) return;
    const command = this.all.findLast(
      (each) => each.chord !== undefined && matchesChord(event, each.chord) && (each.enabled?.() ?? true),
    );
    if (command === undefined) return;
    event.preventDefault();
    if (!event.repeat || command.once !== true) command.run();
  }
}
