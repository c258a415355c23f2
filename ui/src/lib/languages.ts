/** Languages to choose from, and how a typed word finds one. */

import { LOCALES } from "./i18n";

const TAGS =
  "af am ar az be bg bn bs ca cs cy da de de-AT de-CH el en en-GB en-US eo es es-419 es-MX et eu fa fi fil fr fr-CA ga gl gu ha he hi hr hu hy id ig is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms mt my nb ne nl nn or pa pl ps pt pt-BR pt-PT ro ru si sk sl so sq sr sr-Latn sv sw ta te tg th tk tr uk ur uz vi xh yo zh-Hans zh-Hant zu".split(
    " ",
  );

export interface LanguageOption {
  tag: string;
  name: string;
  /** What a typed word is compared with. */
  keys: readonly string[];
}

/** Lists the languages by name, in the language of the window. */
export function languageOptions(locale: string): LanguageOption[] {
  const namers = [locale, ...LOCALES].map(namer);
  const byName = new Intl.Collator(locale);
  return TAGS.map((tag) => {
    const names = namers.map((name) => name(tag));
    return { tag, name: names[0] ?? tag, keys: [tag, namer(tag)(tag), ...names].map(fold) };
  }).toSorted((a, b) => byName.compare(a.name, b.name));
}

/** Finds languages by name, in a language of the window or their own, or by tag. Another tag that is well formed fits, too. */
export function findLanguages(options: readonly LanguageOption[], query: string): LanguageOption[] {
  const words = fold(query.trim());
  if (words === "") return [...options];
  const found = options
    .map((option) => ({ option, rank: rank(option.keys, words) }))
    .filter((each) => each.rank < 3)
    .toSorted((a, b) => a.rank - b.rank)
    .map((each) => each.option);
  if (found.length > 0) return found;
  const tag = canonicalTag(query.trim());
  return tag === null ? [] : [{ tag, name: tag, keys: [] }];
}

/** Equal, at the beginning, somewhere, nowhere. */
function rank(keys: readonly string[], words: string): number {
  if (keys.includes(words)) return 0;
  if (keys.some((key) => key.startsWith(words))) return 1;
  return keys.some((key) => key.includes(words)) ? 2 : 3;
}

function namer(locale: string): (tag: string) => string {
  const names = new Intl.DisplayNames(locale, { type: "language" });
  return (tag) => names.of(tag) ?? tag;
}

function canonicalTag(text: string): string | null {
  try {
    return /^[a-z]{2,3}(-|$)/i.test(text) ? (Intl.getCanonicalLocales(text)[0] ?? null) : null;
  } catch {
    return null;
  }
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
