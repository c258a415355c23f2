/** English words of the frame: panels, foot, history, memory, palette, keys. */

import type { MemoryKindView } from "../../backend/bindings/MemoryKindView";
import type { MemoryStateView } from "../../backend/bindings/MemoryStateView";
import type { CommandGroup } from "../../state/commands.svelte";
import { plural } from "../plural";

const count = plural("en");

const groups: Record<CommandGroup, string> = { review: "Review", session: "Session", window: "Window" };

const kinds: Record<MemoryKindView, string> = { terminology: "Term", style: "Style", preference: "Preference" };

const states: Record<MemoryStateView, string> = {
  suggested: "Suggested",
  active: "In use",
  off: "Off",
  suspended: "Paused",
};

export const windowEn = {
  project: "Project",
  document: "Document",
  assistant: "Assistant",
  status: "Status",
  toStart: "All projects",
  tabs: { files: "Files", history: "History", talk: "Talk", memory: "Memory", checks: "Checks" },
  leftTabs: "Project panels",
  rightTabs: "Assistant panels",
  projectProgress: "Progress of the project",
  openUnits: (n: number) => count(n, { one: "# open unit", other: "# open units" }),
  allConfirmed: "All confirmed",
  filesEmpty: "The folder is not there. Its decisions are kept; put it back to go on.",
  leftOut: (names: string) => `Left out: ${names}`,
  commands: {
    palette: "Command palette",
    keys: "Key sheet",
    foldLeft: "Fold the project panel",
    foldRight: "Fold the assistant panel",
    files: "Show files",
    history: "Show history",
    talk: "Show the talk",
    memory: "Show memory",
    checks: "Show checks",
    start: "Go to all projects",
    settings: "Settings",
    back: "Leave Settings",
    openFolder: "Open a folder",
    rules: "Formats and rules",
    guides: "Guides",
    terms: "Terms",
    answer: "Answer the question",
    stop: "Stop the agent",
    goOn: "Continue",
  },
  groups,
  palette: {
    placeholder: "What do you want to do?",
    empty: "No command has these words.",
    list: "Commands",
  },
  keySheet: "Keys",
  foot: {
    offline: "Offline engine",
    saving: "Saving…",
    saved: "All decisions saved",
    notSaved: "Last decision not saved",
    working: "Drafting…",
    learning: (n: number) => count(n, { one: "Learning from # decision", other: "Learning from # decisions" }),
    waiting: (n: number) => count(n, { one: "# draft waits for you", other: "# drafts wait for you" }),
    questions: (n: number) => count(n, { one: "# question waits for you", other: "# questions wait for you" }),
    stopped: "Stopped",
    ready: "Ready to go on",
    tryAgain: (n: number) => count(n, { one: "Trying again in # second", other: "Trying again in # seconds" }),
    stop: "Stop",
    targets: (n: number) => count(n, { one: "# translated file is not written", other: "# translated files are not written" }),
  },
  history: {
    label: "History",
    search: "Search sessions",
    empty: "Sessions appear here once you start to translate.",
    nothingFound: "No session has these words.",
    rename: (title: string) => `Rename ${title}`,
    remove: (title: string) => `Delete ${title}`,
    title: "Title",
    removeTitle: "Delete this session?",
    removeText: (title: string) =>
      `The history of “${title}” is deleted, with its talk and decisions. Your files stay, the translated ones too.`,
    removeYes: "Delete the session",
    damaged: "Can be read only in part",
    unreadable: (n: number) =>
      count(n, { one: "# session cannot be read. It stays stored.", other: "# sessions cannot be read. They stay stored." }),
  },
  memory: {
    empty: "Nothing learnt yet. When you change or reject a draft, what it teaches appears here.",
    cost: (n: number) => count(n, { one: "# token with each request", other: "# tokens with each request" }),
    noneSent: "Nothing of it is used yet. A suggestion is used once you accept it, or once you make the same change again.",
    terms: "Terms",
    rules: "Rules",
    noTerms: "No terms yet. Change a word in a draft, or add a term by hand.",
    noRules: "No rules yet. Reject a draft and say why, or add a rule by hand.",
    addTerm: "Add a term",
    addRule: "Add a rule",
    editItem: "Change what was learnt",
    source: "Source term",
    target: "Target term",
    rule: "Rule",
    ruleHint: "One sentence, for instance: Use the informal form.",
    kind: "Kind",
    kinds,
    states,
    accept: "Use it",
    switchOn: "Switch on",
    switchOff: "Switch off",
    evidence: (n: number) => count(n, { one: "From # decision", other: "From # decisions" }),
    byHand: "Added by hand",
    removeItem: (text: string) => `Delete “${text}”`,
    change: (text: string) => `Edit “${text}”`,
    draft: "Draft",
    final: "Yours",
    rejected: "Rejected",
    becomes: "becomes",
  },
};
