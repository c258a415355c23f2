/** Sentences with a number in them, by the plural rules of a language. */

type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** Makes a function that picks the form for a number and puts the number, well written, in the place of `#`. */
export function plural(locale: string): (n: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(locale);
  const digits = new Intl.NumberFormat(locale);
  return (n, forms) => (forms[rules.select(n)] ?? forms.other).replace("#", digits.format(n));
}
