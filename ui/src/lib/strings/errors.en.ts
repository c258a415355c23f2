/** English sentences for what goes wrong: what happened, and what to do next. */

import type { ErrorCode } from "../../backend/bindings/ErrorCode";
import type { FinishView } from "../../backend/bindings/FinishView";
import type { IssueKindView } from "../../backend/bindings/IssueKindView";
import type { ReasonView } from "../../backend/bindings/ReasonView";

const codes: Record<ErrorCode, string> = {
  noApiKey: "This provider needs a key. Enter it in Settings.",
  modelUnauthorized: "The provider refused the key. Check it in Settings.",
  modelBilling: "The provider account has no credit left. Top it up there, or choose another provider in Settings.",
  modelUnknown: "The provider does not know this model. Choose another one in Settings.",
  modelRateLimited: "The provider gets too many requests. Wait a little, then continue.",
  modelUnreachable: "Nobody answers at the provider's address. Check the network and the address in Settings, then continue.",
  modelUnusable: "The model's answers cannot be used. Continue to try once more, or choose another model in Settings.",
  modelRefused: "The provider refused the request. Look at the details, or choose another provider in Settings.",
  contextTooLong: "The request is longer than the model takes. Send fewer units at once (in Settings), or choose another model.",
  sessionBusy: "This session is at work already. Wait until it is done, or stop it.",
  sessionConflict: "This session changed in the meantime. What you see is up to date now; please decide again.",
  sessionNotFound: "This session is not there any more. Choose another one in the history.",
  notPending: "This draft is not open any more. Go on with the next one.",
  alreadyDecided: "This draft was decided before. Change its translation in place to correct it.",
  needsConfirmation: "This draft has a fault. Correct it, or approve it all the same.",
  decisionIncomplete: "Something is missing. Write a translation, or say why you reject the draft.",
  sourceChanged: "The file changed on disk. Its open drafts were withdrawn; continue to get new ones.",
  sourceUnreadable: "This file cannot be read. Check that it is still there and that you may read it.",
  folderMissing: "The project's folder is not there. Put it back or connect its disk; your decisions are kept.",
  notAFolder: "This is not a folder that can be translated. Drop a folder with text files.",
  targetNotWritable: "The translated file cannot be written. Check free space and permissions; your decisions are kept.",
  diskFull: "The disk is full. Make room, then try again; what you decided before is kept.",
  dataNotWritable: "Diglot cannot write its own data: the disk fails or is write-protected. What you decided before is kept.",
  targetEditedOutside: "The translated file was changed outside Diglot. Choose whether to keep or replace it.",
  targetUnencodable: "The file's encoding cannot hold a character of the translation. Write it in another way.",
  badLanguage: "This is not a language code. Choose a language from the list.",
  memoryRefused: "Memory cannot take this text. Make it one short line, without addresses and paths.",
  termRefused: "This cannot be a term. It needs a word in both languages, and is no longer than a sentence.",
  termsUnreadable: "No terms can be read from this file. It must be TBX, or CSV whose first line names the columns source and target.",
  guideRefused: "This cannot be a guide. It needs a heading, is saved as UTF-8, and holds 60,000 bytes at most; 20 hold for one folder.",
  guideTaken: "Another guide has this title. Change the first heading, or edit that guide.",
  fileUnreadable: "This file cannot be read. Choose another one.",
  fileNotWritable: "The file cannot be written there. Choose another place.",
  badSettings: "These settings do not fit. Check the address and the numbers.",
  badPack: "This is not a language pack that can be used. Choose a pack's folder, zip or wheel.",
  databaseTooNew: "The database was made by a newer Diglot. You can read it; update Diglot to go on.",
  databaseDamaged: "The database is damaged. Restore it on the start page, or start Diglot again.",
  sessionDamaged: "A part of this session cannot be read. It is shown as far as it can be, and nothing is written to it.",
  databaseLocked: "Another Diglot has the history open. Close it, then try again.",
  badRequest: "Diglot could not do this. Try it once more.",
  internal: "Something went wrong inside Diglot. Nothing that you decided is lost; try it once more.",
};

/** What is said while Diglot waits to try again by itself. */
const waits: Partial<Record<ErrorCode, string>> = {
  modelRateLimited: "The provider gets too many requests.",
  modelUnreachable: "Nobody answers at the provider's address.",
  modelUnusable: "The model's answer could not be used.",
};

const reasons: Record<ReasonView, string> = {
  unknownFormat: "This format cannot be translated yet",
  binary: "Not a text file",
  tooLarge: "Too large to translate",
  notAFile: "A link, not a file",
  unreadable: "Cannot be read; check its permissions",
  settings: "Settings of a program",
  damaged: "Damaged; open it in its own program and save it again",
  encrypted: "Behind a password; take it off and open the folder again",
  switchedOff: "Its format is switched off",
  empty: "Nothing to translate in it",
};

const issues: Record<IssueKindView, string> = {
  placeholder: "A placeholder does not match",
  protected: "Protected text does not match",
  markup: "Markup does not match",
  number: "A number does not match",
  echo: "The draft repeats the source untranslated",
  language: "The draft seems to be in another language",
  commentary: "The draft talks about the translation",
  reasoning: "The draft holds thoughts of the model",
  refusal: "The model declined to translate this",
  truncated: "The draft ends early",
  repetition: "The draft repeats itself",
  length: "The draft is much longer or shorter than the source",
  term: "A term is not met",
  forbiddenTerm: "A term is translated as it must not be",
  brackets: "A bracket or quote has no partner",
  ending: "The punctuation at the end differs",
  spacing: "Blanks do not match",
  doubledWord: "A word stands twice in a row",
  tooLong: "The text is longer than allowed",
  sourceScript: "Part of the source was left untranslated",
  pluralForms: "The plural forms are not those of the language",
  accelerator: "The key of the menu item does not match",
  noDraft: "There is no draft; write the translation",
  gap: "An earlier unit was passed over",
  outdated: "Drafted before your last correction",
};

const finishes: Record<FinishView, string> = {
  complete: "Everything is translated.",
  turnEnded: "The agent stopped with units open. Continue to go on.",
  stepLimit: "The agent worked for long without a draft. Continue to go on.",
  repeatedCall: "The agent did the same again and again and was stopped. Continue, or tell it what to do.",
  refusedCalls: "Drafts were faulty again and again. Continue, or choose another model in Settings.",
  tokenCap: "This session has spent its tokens. Raise the limit in Settings to go on.",
};

export const errorsEn = {
  codes,
  waits,
  reasons,
  issues,
  finishes,
  details: "Details",
  comma: ", ",
  semicolon: "; ",
  missing: (texts: string) => `missing: ${texts}`,
  extra: (texts: string) => `too much: ${texts}`,
};
