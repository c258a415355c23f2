/** English words of the guides. */

import { plural } from "../plural";

const count = plural("en");

export const guidesEn = {
  title: "Guides",
  open: "Guides",
  intro: "Switched on, a guide holds for this folder: the agent sees its title and reads a page when it needs it.",
  empty:
    "A guide is a page of instructions that you write once and use in many projects: a house style, the words of a field, the wishes of a client. Write the first one, or import a Markdown file.",
  add: "New guide",
  import: "Import…",
  list: "Guides",
  holds: (title: string) => `Use “${title}” for this folder`,
  size: (n: number) => count(n, { one: "about # token", other: "about # tokens" }),
  edit: (title: string) => `Edit “${title}”`,
  export: (title: string) => `Export “${title}”`,
  remove: (title: string) => `Delete “${title}”`,
  removeAsk: (title: string) => `Delete “${title}” for all projects?`,
  removeYes: "Delete",
  removeNo: "Keep",
  exported: (path: string) => `Written: ${path}`,
  newTitle: "New guide",
  editTitle: "Change the guide",
  text: "Text (Markdown)",
  textHint: "The first heading is its title.",
  example: "# House style\n\nShort sentences. No exclamation marks. Product names stay in English.",
  replaces: (title: string) => `There is a guide “${title}” already. Saving replaces its text.`,
  discardAsk: "What you wrote is not saved.",
  discard: "Discard",
  keepWriting: "Keep writing",
};
