/** Numbers, dates, sizes and language names as a language writes them. */

const DAY = 86_400_000;

export interface Format {
  number(n: number): string;
  percent(part: number, whole: number): string;
  bytes(n: number): string;
  time(at: number): string;
  date(at: number): string;
  /** Date and time. */
  moment(at: number): string;
  /** Today, yesterday, or the date. */
  day(at: number, now: number): string;
  /** A language's name, in the language of the window. */
  language(tag: string): string;
}

export function createFormat(locale: string): Format {
  const number = new Intl.NumberFormat(locale);
  const percent = new Intl.NumberFormat(locale, { style: "percent" });
  const time = new Intl.DateTimeFormat(locale, { hour: "numeric", minute: "2-digit" });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const names = new Intl.DisplayNames(locale, { type: "language" });
  const sizes = (["byte", "kilobyte", "megabyte", "gigabyte"] as const).map(
    (unit) => new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: unit === "byte" ? "long" : "short", maximumFractionDigits: 1 }),
  );
  return {
    number: (n) => number.format(n),
    // Rounded down, so that 100 % means that all is done.
    percent: (part, whole) => percent.format(whole === 0 ? 0 : Math.floor((100 * part) / whole) / 100),
    bytes: (n) => {
      const power = n < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(n) / 3));
      return sizes[power]?.format(n / 1000 ** power) ?? number.format(n);
    },
    time: (at) => time.format(at),
    date: (at) => date.format(at),
    moment: (at) => moment.format(at),
    day: (at, now) => {
      const days = Math.round((startOfDay(at) - startOfDay(now)) / DAY);
      if (days > -2 && days <= 0) return capital(relative.format(days, "day"), locale);
      return date.format(at);
    },
    language: (tag) => languageName(names, tag),
  };
}

/** Says a language's name in `locale`, or gives the tag back when it is none. */
function languageName(names: Intl.DisplayNames, tag: string): string {
  try {
    return names.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

function capital(text: string, locale: string): string {
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);
}
