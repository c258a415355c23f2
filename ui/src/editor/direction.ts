/** Owns the writing direction of a language. Knows no editor and no screen. */

/** A value of the `dir` attribute. */
export type Direction = "ltr" | "rtl";

/** Scripts written from right to left (ISO 15924), after the Unicode Script_Metadata. */
const RIGHT_TO_LEFT = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi"]);

/** Returns the direction in which a language is written; `ltr` for a tag that nobody knows. */
export function directionOf(language: string): Direction {
  try {
    const script = new Intl.Locale(language).maximize().script;
    return script !== undefined && RIGHT_TO_LEFT.has(script) ? "rtl" : "ltr";
  } catch {
    return "ltr";
  }
}
