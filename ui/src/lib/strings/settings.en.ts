/** English words of the settings. */

import type { ErrorCode } from "../../backend/bindings/ErrorCode";
import type { KeyState } from "../../backend/bindings/KeyState";
import type { ProtocolChoice } from "../../backend/bindings/ProtocolChoice";
import type { Theme } from "../../backend/bindings/Theme";
import { plural } from "../plural";

const count = plural("en");

const keys: Record<KeyState, string> = {
  none: "no key",
  keychain: "key in the system's keychain",
  environment: "key from the environment",
  session: "key until Diglot closes",
};

/** What a test of the connection finds, where a fault has other words in the form than elsewhere. */
const failures: Partial<Record<ErrorCode, string>> = {
  noApiKey: "This service needs a key. Enter it above.",
  modelUnauthorized: "The key was refused by the server. Check the key.",
  modelBilling: "The account has no credit left. Top it up at the service, or choose another one.",
  modelUnknown: "The server does not know this model. Choose one that it offers.",
  modelRateLimited: "The server gets too many requests. Wait a little, then test again.",
  modelUnreachable: "No model answers at this address. Check the address and the network.",
  modelUnusable: "The model answers, but its answers cannot be used. Choose another model.",
  modelRefused: "The server refused the request.",
};

const protocols: Record<ProtocolChoice, string> = {
  tools: "Tool calls (most services)",
  jsonSchema: "One JSON action per answer (small local models)",
};

const themes: Record<Theme, string> = { system: "As the system", light: "Light", dark: "Dark" };

export const settingsEn = {
  title: "Settings",
  sections: {
    providers: "Providers",
    roles: "Who does what",
    packs: "Language packs",
    work: "Work",
    look: "Look",
    about: "About",
  },
  providersHint: "Any service or local server that speaks the OpenAI protocol. Text is sent only to the one that you choose.",
  offline: "Offline engine",
  offlineHint: "On this computer, without a network. Always there.",
  addProvider: "Add a provider",
  findLocal: "Find local servers",
  finding: "Looking for servers on this computer…",
  foundNone: "No server answers on this computer. Start Ollama, LM Studio, Jan, llama.cpp, vLLM or KoboldCpp, then look again.",
  omitted: (fields: string) => `Left out of requests, since this model refuses it: ${fields}`,
  foundNoModel: "no model is loaded",
  foundWantsKey: "asks for its key",
  found: (name: string, models: number) => count(models, { one: `${name}, # model`, other: `${name}, # models` }),
  use: (name: string) => `Set up ${name}`,
  editProvider: (name: string) => `Edit ${name}`,
  removeProvider: (name: string) => `Remove ${name}`,
  removeTitle: "Remove this provider?",
  removeText: (name: string) => `“${name}” and its key are removed. Sessions stay.`,
  removeYes: "Remove the provider",
  form: {
    newTitle: "Add a provider",
    editTitle: "Edit the provider",
    preset: "Service",
    custom: "Another one",
    name: "Name",
    baseUrl: "Address",
    baseUrlHint: "Ends with the version, for instance https://api.example.com/v1",
    model: "Model",
    key: "Key",
    keyKept: "A key is kept. Leave this empty to keep it.",
    keyHint: "Kept in the system's keychain, never shown again.",
    keySession: "This system has no keychain: the key is kept until Diglot closes.",
    keyLocal: "Local servers mostly need none.",
    forgetKey: "Forget the key",
    protocol: "How it is asked",
    temperature: "Temperature",
    maxOutput: "Longest answer, in tokens",
    providers: "As the provider sets it",
    more: "More options",
    test: "Test connection",
    testing: "Testing…",
    works: "It works.",
    models: (n: number) => count(n, { one: "# model is offered.", other: "# models are offered." }),
    incomplete: "Name, address and model are needed.",
    badUrl: "The address must start with http:// or https://",
    badNumber: "This is not a number that fits.",
    failures,
  },
  keys,
  protocols,
  translator: "Drafts",
  translatorHint: "Who writes the drafts.",
  memory: "Memory",
  memoryHint: "Who learns from your changes. The offline engine learns changed terms and keeps your reasons.",
  packsHint: "The offline engine needs one for each direction.",
  packsNone: "No language pack is installed yet. Import one below.",
  packPath: "Pack to import",
  packPathHint: "The path of a folder, a zip or a wheel with language packs.",
  packImport: "Import",
  packImported: "The language pack is installed.",
  lookAhead: "Drafts ahead",
  lookAheadHint: "How many drafts a turn brings, 1 to 8.",
  chunkUnits: "Units at once",
  chunkUnitsHint: "How much the model sees at once, 4 to 40. Fewer for small models.",
  softLimit: "Longest unit",
  softLimitHint: "Longer text is divided, 80 to 2,000 characters.",
  tokenCap: "Token limit of a session",
  tokenCapHint: "The agent stops there. Empty is without limit.",
  range: (from: string, to: string) => `From ${from} to ${to}.`,
  theme: "Theme",
  themes,
  uiLanguage: "Language of the window",
  asSystem: "As the system",
  contentSize: "Size of the text",
  contentSizeHint: "Of sources and translations, 12 to 24.",
  version: (version: string) => `Diglot ${version}`,
  dataFolder: "History is kept in",
};
