/** Words by language: the catalogues, and the choice among them. A missing key fails the type check. */

import { en } from "./strings/en";
import { zh } from "./strings/zh";

export type Locale = "en" | "zh";
export type Strings = typeof en;

export const LOCALES: readonly Locale[] = ["en", "zh"];

const catalogues: Record<Locale, Strings> = { en, zh };

export function strings(locale: Locale): Strings {
  return catalogues[locale];
}

/** Chooses the window's language: the person's choice, else the first of the system's that there is. */
export function chooseLocale(chosen: string | null, system: readonly string[]): Locale {
  for (const tag of chosen === null ? system : [chosen, ...system]) {
    const language = tag.toLowerCase().split("-")[0];
    const found = LOCALES.find((locale) => locale === language);
    if (found !== undefined) return found;
  }
  return "en";
}
