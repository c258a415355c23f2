/** What the in-memory twin tells of its drafts: a model far away that was given memory, a pair and a match. */

import type { ReceiptView } from "../bindings/ReceiptView";
import type { FakeSession } from "./session";

const SHARES: ReceiptView["shares"] = [
  { kind: "system", nTokens: 812 },
  { kind: "tools", nTokens: 604 },
  { kind: "memory", nTokens: 21 },
  { kind: "terms", nTokens: 18 },
  { kind: "messages", nTokens: 34 },
  { kind: "examples", nTokens: 96 },
  { kind: "matches", nTokens: 41 },
  { kind: "source", nTokens: 918 },
  { kind: "turns", nTokens: 388 },
];

/** Tells what a unit was drafted from; `null` for one that has no draft, or was translated by hand. */
export function receipt(session: FakeSession, path: string, unit: number, withRequest: boolean): ReceiptView | null {
  const shown = session.units.get(path)?.[unit - 1];
  if (shown === undefined || shown.origin === null || shown.origin === "hand") return null;
  const request = {
    model: "deepseek-chat",
    messages: [
      { role: "system", content: "You are a translator.\n# Learnt from the person's corrections\n- Use the informal form." },
      { role: "user", content: `From the person, the latest last:\n- Translate this.\n\n[${unit.toString()}] ${shown.source}` },
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "000000a01", type: "function", function: { name: "Read", arguments: `{"file_id":"${path}"}` } }],
      },
      { role: "tool", tool_call_id: "000000a01", content: "The units are given above." },
    ],
  };
  return {
    callId: shown.callId ?? "000000a02",
    origin: shown.origin,
    model: "deepseek-chat",
    host: "api.deepseek.com",
    protocol: "tools",
    usage: { nInput: SHARES.reduce((sum, share) => sum + share.nTokens, 0), nCached: 2048, nOutput: 184 },
    nDrafts: 4,
    memoryVersion: "3f9a10c2",
    given: [
      { id: 2, text: "Use the informal form.", isLate: false },
    ],
    terms: [
      { source: "file", target: "ficheiro", isForbidden: false, isLate: false, concerns: false },
      { source: "door", target: "porta", isForbidden: false, isLate: true, concerns: true },
    ],
    pairs: [{ source: "Open the file.", target: "Abra o ficheiro." }],
    matches: [{ percent: 86, source: "Close the window.", target: "Feche a janela." }],
    block: { path, fromUnit: 1, toUnit: 36 },
    shares: SHARES,
    wasSent: true,
    isExact: true,
    request: withRequest ? JSON.stringify(request) : null,
  };
}
