/** Chords such as `Mod+Shift+R`: which event is one, and how it is written. `Mod` is Ctrl, or Cmd on a Mac. */

import { composing } from "../editor/composing";

export const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);

const MAC_SIGNS: Record<string, string> = { Mod: "⌘", Shift: "⇧", Alt: "⌥", Ctrl: "⌃", Enter: "↩" };
const SIGNS: Record<string, string> = { Mod: "Ctrl", ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc" };

/** Tells whether a key press is the chord. A press that an input method works on is none. */
export function matchesChord(event: KeyboardEvent, chord: string): boolean {
  if (composing(event)) return false;
  const parts = chord.split("+");
  const key = parts.pop() ?? "";
  const mod = parts.includes("Mod");
  const ctrl = parts.includes("Ctrl") || (mod && !IS_MAC);
  const meta = mod && IS_MAC;
  return (
    keyOf(event) === key.toLowerCase() &&
    event.ctrlKey === ctrl &&
    event.metaKey === meta &&
    event.altKey === parts.includes("Alt") &&
    event.shiftKey === parts.includes("Shift")
  );
}

/** Names the key of a press. Under a layout without Latin letters its place on the keyboard counts. */
function keyOf(event: KeyboardEvent): string {
  const place = /^Key([A-Z])$/.exec(event.code)?.[1];
  return (place !== undefined && !/^[a-z]$/i.test(event.key) ? place : event.key).toLowerCase();
}

/** Gives the caps of a chord, as they are printed on a keyboard. */
export function chordCaps(chord: string): string[] {
  return chord.split("+").map((part) => (IS_MAC ? MAC_SIGNS[part] : undefined) ?? SIGNS[part] ?? capital(part));
}

function capital(part: string): string {
  return part.charAt(0).toUpperCase() + part.slice(1);
}

/** Writes a chord for `aria-keyshortcuts`. */
export function ariaChord(chord: string): string {
  return chord.replace("Mod", IS_MAC ? "Meta" : "Control");
}
