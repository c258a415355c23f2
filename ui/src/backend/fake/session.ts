/** A session of the in-memory twin: units, a log of turns, open requests. */

import type { ActionKindView } from "../bindings/ActionKindView";
import type { ActionView } from "../bindings/ActionView";
import type { ApiError } from "../bindings/ApiError";
import type { ErrorCode } from "../bindings/ErrorCode";
import type { DecisionRequest } from "../bindings/DecisionRequest";
import type { DocumentView } from "../bindings/DocumentView";
import type { FinishView } from "../bindings/FinishView";
import type { OutcomeView } from "../bindings/OutcomeView";
import type { ProgressView } from "../bindings/ProgressView";
import type { RedraftView } from "../bindings/RedraftView";
import type { RejectRequest } from "../bindings/RejectRequest";
import type { RequestView } from "../bindings/RequestView";
import type { SessionSummary } from "../bindings/SessionSummary";
import type { SessionView } from "../bindings/SessionView";
import type { TurnKind } from "../bindings/TurnKind";
import type { TurnView } from "../bindings/TurnView";
import type { UnitView } from "../bindings/UnitView";
import { documents } from "./documents";
import { parts, wordDiff } from "./text";

const LOOK_AHEAD = 4;
const ASK_AFTER = 6;

export function fail(code: ErrorCode, detail = ""): ApiError {
  return { code, detail };
}

/** What is kept of a unit, to swap it with. */
type Kept = { unit: UnitView; request: RequestView | null };
type Done = { action: ActionView; kept: Kept };

/** A draft that was refused, and why. */
type Refused = { draft: string; why: RejectRequest };

export class FakeSession {
  readonly summary: SessionSummary;
  readonly units = new Map<string, UnitView[]>();
  instructions = "";
  provider = "Offline";
  seq = 0;
  running = false;
  attempt: SessionView["attempt"] = null;
  #asked = false;
  readonly #turns: TurnView[] = [];
  readonly #requests: RequestView[] = [];
  readonly #done: Done[] = [];
  readonly #undone: Done[] = [];
  readonly #refused = new Map<string, Refused>();

  constructor(summary: SessionSummary) {
    this.summary = summary;
    for (const [path, units] of Object.entries(documents)) {
      this.units.set(path, units.map((unit, i) => openUnit(unit, i + 1)));
    }
    this.#count();
  }

  view(sinceSeq = -1): SessionView {
    return {
      session: { ...this.summary },
      seq: this.seq,
      actor: this.#actor(),
      running: this.running,
      finish: this.#finish(),
      attempt: this.attempt,
      requests: this.#requests.map((request) => ({ ...request })),
      turns: this.#turns.filter((turn) => turn.seq > sinceSeq).map((turn) => ({ ...turn, turn: { ...turn.turn } })),
      hasEarlier: false,
      files: [...this.units].map(([path, units]) => progress(path, units)),
      targetProblems: [],
      folderPresent: true,
      instructions: this.instructions,
      provider: this.provider,
      nLearning: 0,
      undo: this.#done.at(-1)?.action ?? null,
      redo: this.#undone.at(-1)?.action ?? null,
      isOpening: false,
    };
  }

  document(path: string, fromUnit: number, limit: number): DocumentView {
    const units = this.#document(path);
    const { nConfirmed, nextOpen } = progress(path, units);
    return {
      path,
      format: "Markdown",
      encoding: "UTF-8",
      encodingGuessed: false,
      whenMissing: "refuse",
      hasEscapes: false,
      problems: [],
      nUnits: units.length,
      nConfirmed,
      nextOpen,
      fromUnit,
      units: units.slice(fromUnit - 1, fromUnit - 1 + limit).map((unit) => ({ ...unit, targetParts: parts(unit.target ?? "") })),
    };
  }

  say(text: string): void {
    this.#log({ kind: "user", text });
    this.#log({ kind: "agent", text: "Understood. I will keep to that from here on.", reasoning: null });
  }

  /** Does what an agent does: looks around, reads, drafts a few, asks once. */
  step(): void {
    if (this.#actor() === "user") return;
    if (this.#turns.length === 0) {
      this.#log({ kind: "listed", path: "", nEntries: 4 });
      this.#log({ kind: "read", path: "guide/intro.md", fromUnit: 1, toUnit: 18 });
      this.#log({
        kind: "agent",
        text: "A short guide for people who use the editor. I will address the reader informally.",
        reasoning: "The text speaks to the reader directly and uses short sentences.",
      });
    }
    for (const [path, unit] of this.#open().slice(0, LOOK_AHEAD)) this.#propose(path, unit);
    if (this.summary.nConfirmed >= ASK_AFTER && !this.#asked) this.#ask();
    this.summary.nTokens += 412;
  }

  respond(callId: string, decision: DecisionRequest): void {
    const at = this.#requests.findIndex((request) => request.callId === callId);
    const request = this.#requests[at];
    if (request === undefined) throw fail("notPending");
    if (request.kind === "ask") this.#answer(callId, decision);
    else {
      const { path, unit } = request;
      const before = this.#keep(path, unit);
      this.#decide(path, unit, decision);
      const text = decision.kind === "refine" ? decision.target : null;
      this.#note({ kind: actionKind(decision), path, unit, nUnits: 1, text }, before);
    }
    this.#requests.splice(this.#requests.indexOf(request), 1);
    this.#settle(callId, outcome(decision));
  }

  revise(path: string, number: number, target: string): void {
    const unit = this.#unit(path, number);
    if (target.trim() === "") throw fail("decisionIncomplete");
    const confirmed = unit.state === "approved" || unit.state === "refined";
    const before = this.#keep(path, number);
    this.#note({ kind: confirmed ? "revise" : "translate", path, unit: number, nUnits: 1, text: target }, before);
    this.#withdraw(unit.callId);
    Object.assign(unit, { target, state: "refined", origin: "hand", revised: confirmed, callId: null, issues: [] });
    this.#log({ kind: "revised", path, unit: number });
  }

  skip(path: string, number: number): void {
    const unit = this.#unit(path, number);
    this.#note({ kind: "skip", path, unit: number, nUnits: 1, text: null }, this.#keep(path, number));
    this.#withdraw(unit.callId);
    Object.assign(unit, { skipped: true, callId: null, state: "open", target: null });
    this.#log({ kind: "skipped", path, unit: number });
  }

  unit(path: string, number: number): UnitView {
    return this.#unit(path, number);
  }

  learn(text: string): void {
    this.#log({ kind: "learnt", items: [text], failure: null });
  }

  /** Takes the last action back, or does it again: the unit is swapped with what was kept of it. */
  reverse(way: "undo" | "redo"): ActionView | null {
    const [from, to] = way === "undo" ? [this.#done, this.#undone] : [this.#undone, this.#done];
    const done = from.pop();
    if (done === undefined) return null;
    const { action, kept } = done;
    const now = this.#keep(action.path, action.unit);
    if (now.request !== null) this.#withdraw(now.unit.callId);
    Object.assign(this.#unit(action.path, action.unit), kept.unit);
    if (kept.request !== null) {
      this.#requests.push(kept.request);
      this.#settle(kept.request.callId, "waiting");
    } else if (now.request !== null) this.#settle(now.request.callId, kept.unit.state === "approved" ? "approved" : "refined");
    to.push({ action, kept: now });
    this.#log({ kind: way === "undo" ? "undone" : "redone", action: { ...action, text: null } });
    return action;
  }

  #keep(path: string, unit: number): Kept {
    const request = this.#requests.find((each) => each.kind === "translate" && each.path === path && each.unit === unit);
    return { unit: { ...this.#unit(path, unit) }, request: request ?? null };
  }

  #note(action: ActionView, kept: Kept): void {
    this.#done.push({ action, kept });
    this.#undone.length = 0;
  }

  #propose(path: string, unit: UnitView): void {
    const made = documents[path]?.[unit.unit - 1];
    if (made === undefined) return;
    const callId = `c${String(this.seq).padStart(8, "0")}`;
    const again = unit.state === "rejected";
    const refused = again ? this.#refused.get(`${path} ${String(unit.unit)}`) : undefined;
    Object.assign(unit, { target: again ? `${made.draft} (2)` : made.draft, state: "proposed", origin: "model", callId, issues: made.issues });
    this.#requests.push({
      kind: "translate",
      callId,
      path,
      unit: unit.unit,
      unitKind: unit.kind,
      source: unit.source,
      sourceParts: unit.sourceParts,
      target: unit.target ?? "",
      origin: "model",
      issues: unit.issues,
      ...(refused === undefined ? {} : { redraft: redraft(refused, unit.target ?? "") }),
    });
    this.#log({ kind: "drafted", path, unit: unit.unit, callId, outcome: "waiting" });
  }

  #ask(): void {
    this.#asked = true;
    const callId = `c${String(this.seq).padStart(8, "0")}`;
    const question = "Which word shall I use for “form”?";
    const options = ["formulário", "ficha"];
    this.#requests.push({ kind: "ask", callId, question, options });
    this.#log({ kind: "asked", callId, question, options, answer: null, outcome: "waiting" });
  }

  #answer(callId: string, decision: DecisionRequest): void {
    if (decision.kind === "cancel") return;
    if (decision.kind !== "answer") throw fail("badRequest");
    const turn = this.#turns.find(({ turn }) => turn.kind === "asked" && turn.callId === callId)?.turn;
    if (turn?.kind === "asked") turn.answer = decision.text ?? decision.choice ?? "";
  }

  #decide(path: string, number: number, decision: DecisionRequest): void {
    const unit = this.#unit(path, number);
    switch (decision.kind) {
      case "approve":
        if (unit.issues.some((issue) => issue.blocking) && decision.despiteIssues !== true) throw fail("needsConfirmation");
        Object.assign(unit, { state: "approved", bulk: decision.bulk === true, callId: null });
        break;
      case "refine":
        if (decision.target.trim() === "") throw fail("decisionIncomplete");
        Object.assign(unit, { state: "refined", target: decision.target, callId: null, issues: [] });
        break;
      case "reject":
        if (decision.reason.trim() === "" && decision.fault === undefined) throw fail("decisionIncomplete");
        this.#refused.set(`${path} ${String(number)}`, { draft: unit.target ?? "", why: decision });
        Object.assign(unit, { state: "rejected", target: null, callId: null, issues: [] });
        break;
      case "cancel":
        Object.assign(unit, { state: "open", target: null, callId: null, issues: [] });
        break;
      case "answer":
        throw fail("badRequest");
    }
  }

  #withdraw(callId: string | null): void {
    const at = this.#requests.findIndex((request) => request.callId === callId);
    if (callId === null || at < 0) return;
    this.#requests.splice(at, 1);
    this.#settle(callId, "setAside");
  }

  #settle(callId: string, result: OutcomeView): void {
    for (const { turn } of this.#turns) {
      if ((turn.kind === "drafted" || turn.kind === "asked") && turn.callId === callId) turn.outcome = result;
    }
    this.seq += 1;
    this.#count();
  }

  #log(turn: TurnKind): void {
    this.seq += 1;
    this.#turns.push({ seq: this.seq, turn });
    this.#count();
  }

  #count(): void {
    const files = [...this.units].map(([path, units]) => progress(path, units));
    this.summary.nUnits = files.reduce((sum, file) => sum + (file.nUnits ?? 0), 0);
    this.summary.nConfirmed = files.reduce((sum, file) => sum + file.nConfirmed, 0);
    this.summary.nWaiting = this.#requests.length;
  }

  #open(): [path: string, unit: UnitView][] {
    return [...this.units].flatMap(([path, units]) =>
      units
        .filter(isOpen)
        .map((unit): [string, UnitView] => [path, unit]),
    );
  }

  #actor(): SessionView["actor"] {
    return this.#requests.length > 0 || this.#open().length === 0 ? "user" : "agent";
  }

  #finish(): FinishView | null {
    return this.#requests.length === 0 && this.#open().length === 0 ? "complete" : null;
  }

  #document(path: string): UnitView[] {
    const units = this.units.get(path);
    if (units === undefined) throw fail("sourceUnreadable");
    return units;
  }

  #unit(path: string, number: number): UnitView {
    const unit = this.#document(path)[number - 1];
    if (unit === undefined) throw fail("badRequest");
    return unit;
  }
}

function openUnit(unit: { kind: UnitView["kind"]; source: string }, number: number): UnitView {
  return {
    unit: number,
    kind: unit.kind,
    source: unit.source,
    sourceParts: parts(unit.source),
    target: null,
    targetParts: [],
    state: "open",
    origin: null,
    bulk: false,
    revised: false,
    skipped: false,
    callId: null,
    issues: [],
    occurrence: null,
    hints: null,
  };
}

function redraft({ draft, why }: Refused, target: string): RedraftView {
  const { reason, fault, marked } = why;
  return { pieces: wordDiff(draft, target), fault: fault ?? null, marked: marked?.text ?? null, reason };
}

/** Tells whether the agent may draft a unit: neither confirmed, nor drafted, nor set aside. */
function isOpen(unit: UnitView): boolean {
  return (unit.state === "open" && !unit.skipped) || unit.state === "rejected";
}

function progress(path: string, units: readonly UnitView[]): ProgressView {
  const confirmed = (unit: UnitView): boolean => unit.state === "approved" || unit.state === "refined";
  return {
    path,
    nUnits: units.length,
    nConfirmed: units.filter(confirmed).length,
    nextOpen: units.find(isOpen)?.unit ?? null,
  };
}

function actionKind(decision: DecisionRequest): ActionKindView {
  const kinds = { approve: "approve", refine: "refine", reject: "reject", answer: "skip", cancel: "skip" } as const;
  return kinds[decision.kind];
}

function outcome(decision: DecisionRequest): OutcomeView {
  const outcomes = { approve: "approved", refine: "refined", reject: "rejected", answer: "answered", cancel: "setAside" } as const;
  return outcomes[decision.kind];
}
