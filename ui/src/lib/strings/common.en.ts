/** English words that many places share. */

import { plural } from "../plural";

const count = plural("en");

export const commonEn = {
  appName: "Diglot",
  cancel: "Cancel",
  close: "Close",
  save: "Save",
  back: "Back",
  loading: "Loading",
  more: "Show more",
  units: (n: number) => count(n, { one: "# unit", other: "# units" }),
  tokens: (n: number) => count(n, { one: "# token", other: "# tokens" }),
  progress: (done: string, all: string) => `${done} of ${all}`,
  languages: (source: string, target: string) => `${source} to ${target}`,
};
