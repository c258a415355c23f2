/** English words of what shows that it works: receipts of drafts, effort and cost. */

import type { ShareKindView } from "../../backend/bindings/ShareKindView";
import type { Role } from "../../effort/request";
import { plural } from "../plural";

const count = plural("en");

const shares: Record<ShareKindView, string> = {
  system: "Instructions",
  tools: "Tools",
  memory: "Rules learnt",
  terms: "Terms",
  messages: "What you said",
  examples: "Examples",
  matches: "Matches",
  source: "Source text",
  turns: "Turns before",
};

const roles: Record<Role, string> = {
  system: "Instructions to the model",
  user: "From you and Diglot",
  assistant: "From the model, before",
  tool: "Result of a tool",
};

export const effortEn = {
  receipt: {
    title: (unit: string, path: string) => `How unit ${unit} of ${path} was drafted`,
    open: "How it was drafted",
    openFrom: (origin: string) => `${origin}: how it was drafted`,
    none: "There is no draft of this unit to tell of.",
    draftedBy: "Drafted by",
    modelAt: (model: string, host: string) => `${model} at ${host}`,
    here: "Diglot, on this computer",
    unknownModel: "A model that an earlier version did not note",
    origin: "From",
    tokens: "Tokens",
    usage: (input: string, cached: string, output: string) => `${input} sent, ${cached} of them cached; ${output} received`,
    sharedBy: (n: number) => count(n, { one: "for # draft", other: "for # drafts together" }),
    context: "Text shown",
    block: (from: string, to: string, path: string) => `Units ${from} to ${to} of ${path}`,
    memory: "Memory",
    noMemory: "Nothing learnt yet",
    memoryVersion: (n: number) => count(n, { one: "# item, as", other: "# items, as" }),
    versionHint: "Drafts with the same name here were given the same memory.",
    sharesTitle: "What the request was made of",
    sharesHint: "Shared by length; the sum is the provider’s own count.",
    source: "Source",
    shares,
    terms: (n: number) => count(n, { one: "# term given", other: "# terms given" }),
    rules: (n: number) => count(n, { one: "# rule given", other: "# rules given" }),
    matches: (n: number) => count(n, { one: "# match given", other: "# matches given" }),
    pairs: (n: number) => count(n, { one: "# confirmed pair given as an example", other: "# confirmed pairs given as examples" }),
    concerns: "in this source",
    forbidden: "not to be used",
    late: "learnt shortly before",
    nothingSent: "Nothing was sent: this draft was made on this computer.",
    request: "The request as it was sent",
    requestUnknown: "An earlier version of Diglot did not note how the model was asked.",
    exact: (size: string) => `Byte for byte what was sent, ${size}. The key is no part of it.`,
    notExact: "Made again by a version of Diglot other than the one that sent it; its words may differ.",
    roles,
    asText: "As one text (JSON)",
    copy: "Copy the request",
    copied: "Copied",
  },
};
