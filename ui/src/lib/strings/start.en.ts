/** English words of the start and of setting a project up. */

import { plural } from "../plural";

const count = plural("en");

/** Names of formats that are words; those not in it are proper names. */
const formats: Readonly<Record<string, string>> = { "plain text": "Text" };

export const startEn = {
  drop: "Drop a folder to translate",
  dropNow: "Let go to open it",
  dropHint: "Your files are only read. The translation goes into a new folder beside them.",
  choose: "Choose a folder",
  sample: "Try the sample",
  opening: "Reading the folder",
  recent: "Recent sessions",
  provider: "Drafts come from",
  offlineState: (n: number) =>
    count(n, { one: "works without a network, # language pack", other: "works without a network, # language packs" }),
  offlineNoPack: "no language pack yet; it drafts only what you translated before",
  noKey: "needs a key",
  ready: "ready",
  changeProvider: "Change in Settings",
  database: {
    readOnly: "The database was made by a newer Diglot, so it is open for reading only. Update Diglot to go on.",
    damaged:
      "The database is damaged. Diglot can restore it now from the latest backup; otherwise it does so at the next start. The damaged file is kept.",
    restore: "Restore now",
    restoring: "Restoring…",
    restored: (when: string) => `The database was damaged. It was restored from the backup of ${when}.`,
    begunAnew: "The database was damaged, and there was no backup of it, so a new one was begun.",
    salvaged: (n: number) =>
      count(n, {
        one: "# later step was taken over from the damaged file.",
        other: "# later steps were taken over from the damaged file.",
      }),
    nothingLost: "All that was stored is there.",
    lostBetween: (from: string, to: string) =>
      `What you did between ${from} and ${to} may be missing: look through the last units.`,
    lostBefore: (to: string) => `What you did before ${to} may be missing. Translated files are still in their folders.`,
    kept: (where: string) => `The damaged file is kept at ${where}.`,
    between: " ",
    lostSettings: "The settings could not be read, so the usual ones hold. What could not be read is kept.",
  },
  setup: {
    title: (name: string) => `Translate ${name}`,
    another: "Another folder",
    files: "Files",
    summary: (documents: string, all: number) =>
      count(all, { one: `${documents} of # file can be translated`, other: `${documents} of # files can be translated` }),
    none: "No file here can be translated. Documents, web pages, books, subtitles and files with the texts of programs can. Choose another folder.",
    noFiles: "The folder is empty",
    formats,
    more: "Show more files",
    from: "From",
    to: "Into",
    detected: "Detected; change it if it is wrong.",
    notDetected: "Not detected; choose it.",
    choose: "Choose a language",
    noLanguage: "No language has these letters. A code such as pt-BR works too.",
    instructions: "Instructions (optional)",
    instructionsHint: "What should hold for the whole folder? For instance: informal, keep product names in English.",
    start: "Start",
    go: (language: string) => `Continue in ${language}`,
    there: (language: string, progress: string) =>
      `You have a session into ${language}: ${progress} confirmed. It goes on where you left it.`,
    afresh: "Start afresh instead",
    same: "The two languages are the same.",
  },
  rules: {
    title: "What is translated in this folder",
    formats: "Formats",
    files: (n: number) => count(n, { one: "# file", other: "# files" }),
    keysOut: "Keys that hold no text",
    keysHint: "One a line: a key (id), the end of a path (menu.url), or * for any one key (menu.*.url).",
    keysIn: "Keys that do hold text",
    keysInHint: "Written the same way, where a key looks as if it held none.",
    columns: "Columns of tables that hold text",
    columnsHint: "One a line: a name in the first row, or a number from 1.",
    attributes: "Further attributes of tags that hold text",
    attributesHint: "One a line, for instance data-title.",
    effect: "Files in work are read anew; what you confirmed stays where its text is the same. They stay in work when their format is switched off.",
    cancel: "Cancel",
    save: "Save",
  },
};
