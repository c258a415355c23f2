/** English words that many places share. */

import { plural } from "../plural";

const count = plural("en");

export const commonEn = {
  appName: "Diglot",
  cancel: "Cancel",
  close: "Close",
  save: "Save",
  saved: "Saved",
  delete: "Delete",
  edit: "Edit",
  rename: "Rename",
  add: "Add",
  back: "Back",
  retry: "Try again",
  search: "Search",
  loading: "Loading",
  none: "None",
  on: "On",
  off: "Off",
  more: "Show more",
  units: (n: number) => count(n, { one: "# unit", other: "# units" }),
  files: (n: number) => count(n, { one: "# file", other: "# files" }),
  tokens: (n: number) => count(n, { one: "# token", other: "# tokens" }),
  characters: (n: number) => count(n, { one: "# character", other: "# characters" }),
  progress: (done: string, all: string) => `${done} of ${all}`,
  languages: (source: string, target: string) => `${source} to ${target}`,
};
