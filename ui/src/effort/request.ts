/** Reads the body of a request into messages that a person can read. What is not understood is left to the text itself. */

export type Role = "system" | "user" | "assistant" | "tool";

export interface Message {
  role: Role;
  text: string;
}

const ROLES: readonly Role[] = ["system", "user", "assistant", "tool"];

export function readMessages(body: string): Message[] {
  const messages = field(parse(body), "messages");
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: unknown): Message[] => {
    const role = ROLES.find((each) => each === field(message, "role"));
    if (role === undefined) return [];
    const content = field(message, "content");
    const text = typeof content === "string" ? content : "";
    const calls = field(message, "tool_calls");
    const lines = Array.isArray(calls) ? calls.map(callText) : [];
    return [{ role, text: [text, ...lines].filter((line) => line !== "").join("\n") }];
  });
}

function callText(call: unknown): string {
  const called = field(call, "function");
  return `${text(field(called, "name"))} ${text(field(called, "arguments"))}`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
