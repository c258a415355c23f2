/** English words of the review, the talk and the checks. */

import type { ActionKindView } from "../../backend/bindings/ActionKindView";
import type { FaultView } from "../../backend/bindings/FaultView";
import type { OriginView } from "../../backend/bindings/OriginView";
import type { OutcomeView } from "../../backend/bindings/OutcomeView";
import type { Mark } from "../../review/marks";
import { plural } from "../plural";

const count = plural("en");

const marks: Record<Mark, string> = {
  open: "Open",
  proposed: "Draft to review",
  approved: "Approved",
  bulk: "Approved together with others",
  refined: "Refined",
  revised: "Changed after it was confirmed",
  rejected: "Rejected; a new draft comes",
  skipped: "Set aside",
  saving: "Being saved",
};

const origins: Record<OriginView, string> = {
  model: "Model",
  exactMatch: "Exact match",
  fuzzyMatch: "Similar match",
  engine: "Neural engine",
  hand: "By hand",
  none: "No draft",
};

const faults: Record<FaultView, string> = {
  term: "Term",
  meaning: "Meaning",
  omission: "Something missing",
  addition: "Something added",
  register: "Register",
  tooLiteral: "Too literal",
  format: "Format",
};

const outcomes: Record<OutcomeView, string> = {
  waiting: "waits for you",
  approved: "approved",
  refined: "refined",
  rejected: "rejected",
  answered: "answered",
  setAside: "set aside",
};

const actions: Record<ActionKindView, string> = {
  approve: "approve",
  bulkApprove: "approve together",
  refine: "refine",
  reject: "reject",
  skip: "set aside",
  translate: "translate by hand",
  revise: "change",
};

const reversals = {
  actions,
  unit: (n: string, path: string) => `unit ${n} of ${path}`,
  units: (n: number, path: string) => count(n, { one: `# unit from ${path} on`, other: `# units from ${path} on` }),
  undone: (what: string, place: string) => `Undid: ${what}, ${place}`,
  redone: (what: string, place: string) => `Did again: ${what}, ${place}`,
  nothingToUndo: "There is nothing to undo.",
  nothingToRedo: "There is nothing to do again.",
};

const commands = {
  confirm: "Confirm and go on",
  reject: "Reject with a reason",
  nextUnit: "Next unit",
  previousUnit: "Previous unit",
  toggleDiff: "Show or hide what you changed",
  insertPlaceable: "Insert the next missing piece",
  addTerm: "Add the selected words as a term",
  nextIssue: "Next warning",
  receipt: "Show how the unit was drafted",
  undo: "Undo the last decision",
  redo: "Do the decision again",
  escape: "Close what is open on the unit",
};

const terms = {
  name: "Terms",
  never: "never:",
  states: {
    met: "met",
    unmet: "not met",
    forbidden: "translated as it must not be",
    related: "may not be meant here",
    open: "",
  },
};

export const reviewEn = {
  terms,
  marks,
  origins,
  outcomes,
  commands,
  reversals,
  name: "Review",
  units: "Units side by side",
  columnState: "State",
  source: "Source",
  target: "Translation",
  unitNumber: (n: string) => `Unit ${n}`,
  editorName: (n: string, language: string) => `Translation of unit ${n}, ${language}`,
  untranslated: "Not translated yet",
  occurrence: (n: string, all: string) => `${n} of ${all} with this text`,
  approve: "Approve",
  confirm: "Confirm",
  confirmDespite: "Confirm all the same",
  confirmAgain: (key: string) => `Press ${key} again to confirm it in spite of this.`,
  keepChange: "Keep the change",
  leaveChange: "Leave as it was",
  reject: "Reject…",
  rejectReason: "What is wrong with this draft?",
  rejectSend: "Reject",
  rejectHint: "In your own words",
  rejectHintMark: "Your words, or select what is wrong",
  rejectKeys: "A digit from 1 to 7 chooses a fault, Enter rejects, Escape closes",
  rejectFaults: "What kind of fault",
  rejectMarked: "Wrong is",
  rejectUnmark: "Mark nothing",
  faults,
  redraftName: "Against the draft you rejected:",
  redraftSame: "The same as the draft you rejected:",
  skip: "Skip",
  change: "Change",
  insertMissing: (text: string) => `Insert ${text}`,
  apply: "Apply",
  suggestion: (text: string) => `Suggested: ${text}`,
  diffName: "What you changed",
  diffAdded: "added:",
  diffRemoved: "removed:",
  diffEnd: "end",
  maxLength: (n: string) => `At most ${n} characters`,
  formerSource: "What changed in the source",
  formerTarget: "Translated before as",
  suggestedByFile: "Suggested by the file",
  takeOver: "Use it",
  takeOverName: (what: string) => `Use it: ${what}`,
  issuesName: "Warnings",
  blocking: "Fault",
  warning: "Warning",
  note: "Note",

  drafting: "Drafting…",
  stopped: "Stopped. Your drafts and decisions are kept.",
  resume: "Continue",
  resumeWords: "Go on with the open units.",
  question: "The agent has a question for you.",
  tryAgainIn: (seconds: number) =>
    count(seconds, { one: "Trying again in # second.", other: "Trying again in # seconds." }),
  tryAgainFrom: (moment: string) => `The service takes requests again from ${moment}.`,
  tryNow: "Try now",
  fileComplete: "This file is complete.",
  nextFile: (path: string) => `Go to ${path}`,
  folderAt: "The translated folder:",
  nothing: "There is nothing to translate in this file.",
  noFile: "Choose a file on the left. Drafts appear here, beside their source.",

  unencodable: {
    ask: (encoding: string, characters: string) =>
      `This file is saved as ${encoding}, which cannot hold ${characters}. How should the translation be written?`,
    convert: "Save the translated file as UTF-8",
    escape: "Write such characters as escapes",
    change: "I will change the text",
  },
  encodingGuessed: (encoding: string) => `The encoding of this file is a guess: ${encoding}.`,
  encodingLabel: "Encoding",
  encodingKeep: "It looks right",
  invalidBytes: (lines: string) => `Line ${lines}: bytes that the encoding does not know. They stay as they are.`,
  unclosed: (line: string) => `Line ${line}: something opens here and is never closed.`,
  sourceChanged: "This file changed on disk. It was read anew; what you confirmed is kept where its text is the same.",
  folderMissing: "The folder is not there. You can read the session; deciding needs the folder.",
  targetOf: (path: string) => `${path}:`,
  targetKeep: "Keep theirs",
  targetOverwrite: "Replace it",
  targetBeside: "Write beside it",
  targetHints: {
    keep: "Diglot writes no translation of this file",
    overwrite: "The file that is there is renamed and kept",
    beside: "The translation gets another name in the same folder",
  },
  targetRetry: "Write again",
  dismiss: "Close this notice",

  dismissIssue: "It is fine",
  dismissHint: "Sets this finding aside for this text, one on a term for this source; it stays so",
  checks: {
    title: "All confirmed units",
    nothing: "Nothing is confirmed yet.",
    run: "Check them",
    again: "Check again",
    checking: "Checking…",
    summary: (checked: string, findings: number, inconsistent: number) =>
      `${checked} checked: ${count(findings, { one: "# finding", other: "# findings" })}, ${count(inconsistent, { one: "# source with several translations", other: "# sources with several translations" })}.`,
    inconsistent: "The same source, several translations",
    more: (n: number) => count(n, { one: " and # more place", other: " and # more places" }),
    takeUp: "Look again",
    showAside: (n: number) => count(n, { one: "Show # that was set aside", other: "Show # that were set aside" }),
    hideAside: "Hide what was set aside",
  },
  checksEmpty: "No warnings among the drafts that wait. They appear here when something in a draft looks wrong.",
  checksCount: (n: number) => count(n, { one: "# warning", other: "# warnings" }),
  nextIssue: "Next",

  answer: "Answer",
  conversation: "Conversation",
  talkEmpty: "What the agent says and does appears here. Tell it what it should know: “use the informal form”.",
  talkEarlier: "Earlier turns are not shown.",
  talkInput: "Say something to the agent",
  talkHint: "Enter sends, Shift+Enter makes a new line",
  send: "Send",
  you: "You",
  agent: "Agent",
  reasoning: "Reasoning",
  listed: (path: string, n: number) => `Looked at ${path}: ${count(n, { one: "# entry", other: "# entries" })}`,
  project: "the folder",
  readUnits: (path: string, from: string, to: string) => `Read ${path}, units ${from} to ${to}`,
  guided: (title: string) => `Looked up the guide “${title}”`,
  drafted: (path: string, units: string) => `Drafted ${path}, ${units}`,
  draftedUnit: (path: string, unit: string, outcome: string) => `${path}, unit ${unit}: ${outcome}`,
  activity: (n: number) => count(n, { one: "# action", other: "# actions" }),
  refused: (tool: string) =>
    tool === "Translate" ? "A faulty draft went back to the agent" : `A request of the agent went back to it (${tool})`,
  revised: (path: string, unit: string) => `You changed ${path}, unit ${unit}`,
  skipped: (path: string, unit: string) => `You set aside ${path}, unit ${unit}`,
  learnt: "Learnt",
  learntNothing: "Nothing to learn from your last correction",
  learntFailed: "Nothing could be learnt from your last correction",
  turnSourceChanged: (path: string) => `${path} changed on disk and was read anew`,

  askTitle: "A question",
  askNone: "None of these",
  askFree: "Or in your own words",
  askFreeOnly: "Your answer",
  askSend: "Answer",
  askCancel: "Set aside",
  askPreparing: "The agent is writing a question…",
  askCancelled: "Set aside without an answer",
  askAnswered: "Your answer",
};
