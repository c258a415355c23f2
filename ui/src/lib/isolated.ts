/** Owns how a text of another direction stands in a sentence. Pure. */

/** Sets a text apart, so that its direction moves nothing around it. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`;
}
