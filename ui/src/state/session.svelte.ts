/** The open session: its last view, the unit in hand, and the calls that change it. */

import { asApiError, type Backend } from "../backend/backend";
import type { ActionView } from "../backend/bindings/ActionView";
import type { ApiError } from "../backend/bindings/ApiError";
import type { ApiEvent } from "../backend/bindings/ApiEvent";
import type { ChecksView } from "../backend/bindings/ChecksView";
import type { DecisionRequest } from "../backend/bindings/DecisionRequest";
import type { DiffView } from "../backend/bindings/DiffView";
import type { ReceiptView } from "../backend/bindings/ReceiptView";
import type { RequestView } from "../backend/bindings/RequestView";
import type { SessionView } from "../backend/bindings/SessionView";
import type { WhenMissingView } from "../backend/bindings/WhenMissingView";
import type { TargetChoice } from "../backend/bindings/TargetChoice";
import type { TurnView } from "../backend/bindings/TurnView";
import { Documents } from "./documents.svelte";
import type { Notices } from "./notices.svelte";
import { mergeTurns, settledSeq } from "./turns";

/** A unit's place. */
export type Place = { path: string; unit: number };

export type Proposal = Extract<RequestView, { kind: "translate" }>;
export type Question = Extract<RequestView, { kind: "ask" }>;

export class SessionState {
  readonly id: number;
  view: SessionView;
  turns = $state.raw<TurnView[]>([]);
  /** Whether the agent is at work. Told by events, in order; a view may have been made before the last of them. */
  running = $state(false);
  /** When a failed attempt is tried again, in Unix milliseconds. */
  tryAgainAt = $state<number | null>(null);
  /** The document on screen and the unit in hand; `unit` 0 stands for none. */
  current = $state.raw<Place>({ path: "", unit: 0 });
  /** Decisions on their way to the disk. */
  nSaving = $state(0);
  /** Why the last decision is not stored. */
  saveError = $state.raw<ApiError | null>(null);
  /** Whether the person stopped the agent; it goes on when they say so. */
  stopped = $state(false);
  readonly documents: Documents;
  readonly #backend: Backend;
  readonly #notices: Notices;
  #fetching = false;
  #stale = false;
  /** The place that was decided last, while there is no next one to go to. */
  #decided: Place | null = null;
  /** Whether a decision that came while the agent worked may have left it more to do. */
  #again = false;

  readonly proposals = $derived.by(() => this.view.requests.filter(isProposal));
  readonly questions = $derived.by(() => this.view.requests.filter(isQuestion));
  /** Whether the agent works, or will try again by itself. */
  readonly busy = $derived.by(() => this.running || this.tryAgainAt !== null);
  readonly document = $derived.by(() => this.documents.get(this.current.path));

  constructor(backend: Backend, notices: Notices, view: SessionView) {
    this.#backend = backend;
    this.#notices = notices;
    this.id = view.session.id;
    this.view = $state.raw(view);
    this.documents = new Documents(backend, this.id);
    this.take(view);
    this.running = view.running;
    this.tryAgainAt = view.running ? (view.attempt?.tryAgainAt ?? null) : null;
    this.current = this.nextOpen() ?? { path: view.files[0]?.path ?? "", unit: 0 };
  }

  /** Takes a view, unless a newer one is here. */
  take(view: SessionView): void {
    if (view.seq < this.view.seq) return;
    // The numbers of its units are others now.
    const renumbered = view.turns.some(
      ({ seq, turn }) => seq > this.view.seq && turn.kind === "sourceChanged" && turn.path === this.current.path,
    );
    this.view = view;
    this.turns = mergeTurns(this.turns, view.turns);
    if (this.current.unit === 0 || renumbered) this.current = this.nextOpen() ?? this.current;
    if (this.#decided !== null) this.advance(this.#decided);
  }

  hear(event: ApiEvent): void {
    if (event.event === "sessionChanged" && event.data.sessionId === this.id) {
      if (event.data.seq > this.view.seq || this.view.isOpening) void this.refresh();
    } else if (event.event === "runChanged" && event.data.sessionId === this.id) {
      this.running = event.data.running;
      this.tryAgainAt = event.data.tryAgainAt;
      // Why it is tried again stands in the view.
      if (event.data.tryAgainAt !== null) void this.refresh();
    } else if (event.event === "targetsChanged" && event.data.sessionId === this.id) {
      void this.refresh();
    }
  }

  /** Fetches the view; a wish that comes while one is under way is served after it, once. */
  async refresh(): Promise<void> {
    this.#stale = true;
    if (this.#fetching) return;
    this.#fetching = true;
    try {
      while (this.#stale) {
        this.#stale = false;
        // What came before the log was read is no conversation yet.
        const sinceSeq = this.view.isOpening ? undefined : settledSeq(this.turns, this.view.seq);
        this.take(await this.#backend.call("session_view", { sessionId: this.id, sinceSeq }));
      }
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
    } finally {
      this.#fetching = false;
    }
  }

  /** Puts a unit in hand. */
  select(path: string, unit: number): void {
    this.#decided = null;
    this.current = { path, unit };
  }

  /** Goes from a decided unit to the next one: at once, or when the agent brings it. */
  advance(from: Place): void {
    const next = this.nextOpen(from);
    this.#decided = next === null ? from : null;
    if (next !== null) this.current = next;
  }

  /** Finds the next draft after a place, else the first one; drafts that are `decided` are passed over. */
  nextDraft(after?: Place, decided: (draft: Place) => boolean = () => false): Place | null {
    const files = this.view.files.map((file) => file.path);
    const order = (place: Place): number => files.indexOf(place.path) * 1e7 + place.unit;
    const drafts = this.proposals.filter((place) => !decided(place)).toSorted((a, b) => order(a) - order(b));
    const draft =
      (after && drafts.find((place) => order(place) > order(after))) ??
      drafts.find((place) => after === undefined || order(place) !== order(after));
    return draft === undefined ? null : { path: draft.path, unit: draft.unit };
  }

  /** Finds the next draft after a place, else the first one, else the first open unit. */
  nextOpen(after?: Place): Place | null {
    const draft = this.nextDraft(after);
    if (draft !== null) return draft;
    const file = this.view.files.find((each) => each.nextOpen !== null);
    return file?.nextOpen ? { path: file.path, unit: file.nextOpen } : null;
  }

  /** Gives a decision, goes to the next draft, and lets the agent go on. Answers what went wrong. */
  async decide(callId: string, decision: DecisionRequest): Promise<ApiError | null> {
    const decided = this.proposals.find((proposal) => proposal.callId === callId);
    const error = await this.#store(() =>
      this.#backend.call("session_respond", { sessionId: this.id, callId, decision }),
    );
    if (error !== null) return error;
    if (decided !== undefined && decided.unit === this.current.unit && decided.path === this.current.path) {
      this.advance({ path: decided.path, unit: decided.unit });
    }
    this.goOn();
    return null;
  }

  /** Changes a confirmed unit, or confirms an open one by hand. */
  async revise(place: Place, target: string): Promise<ApiError | null> {
    const error = await this.#store(() =>
      this.#backend.call("unit_revise", { sessionId: this.id, ...place, target }),
    );
    if (error === null) this.goOn();
    return error;
  }

  /** Sets a unit aside and goes to the next. */
  async skip(place: Place): Promise<ApiError | null> {
    const error = await this.#store(() => this.#backend.call("unit_skip", { sessionId: this.id, ...place }));
    if (error !== null) return error;
    this.advance(place);
    this.goOn();
    return null;
  }

  /** Takes the last action on a unit back, or does it again, and puts its unit in hand; `undefined` when that failed. */
  async reverse(way: "undo" | "redo"): Promise<ActionView | null | undefined> {
    let action: ActionView | null = null;
    const error = await this.#store(async () => {
      const reversal = await this.#backend.call(`session_${way}`, { sessionId: this.id });
      ({ action } = reversal);
      return reversal.session;
    });
    if (error !== null) return undefined;
    const found = action as ActionView | null;
    if (found !== null) {
      this.select(found.path, found.unit);
      this.goOn();
    }
    return found;
  }

  /** Says something to the agent. */
  async say(text: string): Promise<ApiError | null> {
    this.stopped = false;
    const error = await this.#store(() => this.#backend.call("session_input", { sessionId: this.id, text }));
    if (error === null) this.goOn();
    return error;
  }

  /** Compares a draft with a changed text and checks it; `null` when that cannot be told now. */
  async diff(place: Place, target: string): Promise<DiffView | null> {
    try {
      return await this.#backend.call("proposal_diff", { sessionId: this.id, ...place, target });
    } catch {
      // The draft may be gone by now, or the folder; the next look at the session says so.
      return null;
    }
  }

  /** Sets a finding on a text aside, or takes it up again; tells whether that was done. */
  async dismiss(place: Place, target: string, fingerprint: string, dismissed: boolean): Promise<boolean> {
    try {
      await this.#backend.call("issue_dismiss", { sessionId: this.id, ...place, target, fingerprint, dismissed });
      await this.refresh();
      return true;
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
      return false;
    }
  }

  /** Tells what the last draft of a unit was made from; `null` when there was none, or it cannot be told now. */
  async receipt(place: Place, withRequest = false): Promise<ReceiptView | null> {
    try {
      return await this.#backend.call("draft_receipt", { sessionId: this.id, ...place, withRequest });
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
      return null;
    }
  }

  /** Checks all that was confirmed; `null` when that could not be done. */
  async check(): Promise<ChecksView | null> {
    try {
      return await this.#backend.call("session_check", { sessionId: this.id });
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
      return null;
    }
  }

  /** Chooses the encoding of a document, or detects it again, and reads it anew. */
  async configure(path: string, encoding?: string): Promise<ApiError | null> {
    try {
      await this.#backend.call("document_configure", { sessionId: this.id, path, encoding });
      const document = this.documents.get(path);
      document.forget();
      await this.refresh();
      await document.ensure(1, 1, this.view.seq);
      return null;
    } catch (thrown) {
      const error = asApiError(thrown);
      this.#notices.error(error);
      return error;
    }
  }

  /** Says what becomes of characters that the encoding of a document cannot hold. */
  async setWhenMissing(path: string, whenMissing: WhenMissingView): Promise<ApiError | null> {
    try {
      await this.#backend.call("document_set_when_missing", { sessionId: this.id, path, whenMissing });
      return null;
    } catch (thrown) {
      const error = asApiError(thrown);
      this.#notices.error(error);
      return error;
    }
  }

  async resolveTarget(path: string, choice: TargetChoice): Promise<ApiError | null> {
    return this.#store(() => this.#backend.call("target_resolve", { sessionId: this.id, path, choice }));
  }

  /** Lets the agent work, when it is its turn and nobody stopped it. */
  goOn(): void {
    if (this.view.actor !== "agent" || this.stopped) return;
    if (this.running) this.#again = true;
    else void this.run();
  }

  /** Lets the agent work until the person must act. */
  async run(): Promise<void> {
    this.stopped = false;
    this.running = true;
    this.#again = false;
    try {
      this.take(await this.#backend.call("session_run", { sessionId: this.id }));
      this.running = false;
      this.tryAgainAt = null;
      if (this.#again) this.goOn();
    } catch (thrown) {
      const error = asApiError(thrown);
      if (error.code !== "sessionBusy") this.#notices.error(error);
      this.running = error.code === "sessionBusy";
      if (!this.running) this.tryAgainAt = null;
      void this.refresh();
    }
  }

  /** Lets the agent go on. When it ended its turn by itself, it is its turn again once it is told so, in `words`. */
  async resume(words: string): Promise<void> {
    if (this.view.actor === "agent") await this.run();
    else await this.say(words);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    try {
      this.take(await this.#backend.call("session_stop", { sessionId: this.id }));
      this.running = false;
      this.tryAgainAt = null;
    } catch (thrown) {
      this.#notices.error(asApiError(thrown));
    }
  }

  async #store(call: () => Promise<SessionView>): Promise<ApiError | null> {
    this.nSaving += 1;
    try {
      this.take(await call());
      this.saveError = null;
      return null;
    } catch (thrown) {
      const error = asApiError(thrown);
      this.saveError = isAboutTheDraft(error) ? null : error;
      if (!isAboutTheDraft(error)) this.#notices.error(error);
      if (error.code === "sessionConflict" || error.code === "notPending") void this.refresh();
      return error;
    } finally {
      this.nSaving -= 1;
    }
  }
}

/** Tells whether the answer belongs beside the draft instead of over the window. */
function isAboutTheDraft(error: ApiError): boolean {
  return ["needsConfirmation", "decisionIncomplete", "targetUnencodable"].includes(error.code);
}

function isProposal(request: RequestView): request is Proposal {
  return request.kind === "translate";
}

function isQuestion(request: RequestView): request is Question {
  return request.kind === "ask";
}
