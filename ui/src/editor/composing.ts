/** Owns the one question whether a key belongs to an input method. Knows no editor. */

/**
 * Tells whether an input method owns the key. Chromium marks the key as composing; WebKit sends it after the end of
 * the composition, with the key code 229 alone.
 */
export function composing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229 || event.key === "Process";
}
