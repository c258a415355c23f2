/** The review at hand: texts that were typed and not yet decided, what is open on the card, and the decisions. */

import { tick, untrack } from "svelte";
import { SvelteMap, SvelteSet } from "svelte/reactivity";
import type { ActionView } from "../backend/bindings/ActionView";
import type { ApiError } from "../backend/bindings/ApiError";
import type { DecisionRequest } from "../backend/bindings/DecisionRequest";
import type { DiffView } from "../backend/bindings/DiffView";
import type { FaultView } from "../backend/bindings/FaultView";
import type { IssueView } from "../backend/bindings/IssueView";
import type { MarkedRequest } from "../backend/bindings/MarkedRequest";
import type { PartView } from "../backend/bindings/PartView";
import type { ProposalView } from "../backend/bindings/ProposalView";
import type { RedraftView } from "../backend/bindings/RedraftView";
import type { WhenMissingView } from "../backend/bindings/WhenMissingView";
import type { UnitView } from "../backend/bindings/UnitView";
import type { Selected } from "../editor/create";
import type { Place, SessionState } from "../state/session.svelte";
import { inReview } from "./focus";
import { isFlagged } from "./findings";
import { markedIn } from "./marked";
import { isConfirmed } from "./marks";

/** How long typing must rest before a draft is compared with its changed text. */
const DIFF_REST_MS = 80;

/** What can be done with the unit in hand. */
export type Mode =
  /** Decide about a draft. */
  | "decide"
  /** Write a translation that nobody drafted. */
  | "write"
  /** Change a confirmed translation. */
  | "change"
  /** Look at a confirmed translation. */
  | "read";

/** Why a draft is rejected. */
export type Why = { fault: FaultView | null; reason: string };

const NOTHING: Selected = { text: "", from: 0 };

type Compared = { key: string; text: string; view: DiffView };

export class Review {
  readonly session: SessionState;
  /** Whether the reason of a rejection is being written. */
  rejecting = $state(false);
  /** The card whose text is confirmed in spite of its faults when it is confirmed once more. */
  despite = $state<string | null>(null);
  /** The card whose text its file cannot hold, with the characters. */
  unencodable = $state.raw<{ card: string; characters: string } | null>(null);
  /** Whether the changes are shown below the editor. */
  showDiff = $state(true);
  /** Counts up when the focus is to go to the editor. */
  focusWish = $state(0);
  /** Counts up, with the text to insert at the cursor. */
  insertWish = $state.raw<{ n: number; text: string; whole: boolean }>({ n: 0, text: "", whole: false });
  /** The piece of the draft that is marked as wrong. */
  marked = $state.raw<MarkedRequest | null>(null);
  #selected: Selected = NOTHING;
  readonly #edits = new SvelteMap<string, string>();
  readonly #saving = new SvelteSet<string>();
  #opened = $state<string | null>(null);
  #compared = $state.raw<Compared | null>(null);
  #picked: { key: string; source: string; target: string } | null = null;
  #comparing = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: SessionState) {
    this.session = session;
  }

  readonly key = $derived.by(() => keyOf(this.session.current));
  readonly unit = $derived.by((): UnitView | undefined => this.session.document.unit(this.session.current.unit));
  readonly proposal = $derived.by((): ProposalView | null => {
    const at = this.key;
    return this.session.proposals.find((proposal) => keyOf(proposal) === at) ?? null;
  });
  readonly mode = $derived.by((): Mode => {
    if (this.proposal !== null) return "decide";
    if (this.unit === undefined || !isConfirmed(this.unit)) return "write";
    return this.#opened === this.key ? "change" : "read";
  });
  /** The text before the person changed it. */
  readonly base = $derived.by(() => this.proposal?.target ?? (this.mode === "write" ? "" : (this.unit?.target ?? "")));
  /** What the editor begins with: the text at hand, or the refused draft where there is no other. */
  readonly start = $derived.by(() => (this.base === "" ? (this.proposal?.rejected ?? "") : this.base));
  readonly text = $derived.by(() => this.#edits.get(this.#editKey(this.session.current)) ?? this.start);
  readonly changed = $derived.by(() => this.text !== this.start);
  readonly saving = $derived.by(() => this.#saving.has(this.key));
  readonly compared = $derived.by((): DiffView | null => {
    const compared = this.#compared;
    return compared !== null && compared.key === this.key && compared.text === this.text ? compared.view : null;
  });
  /** What is known of the unit's terms: the newest there is, so that they do not blink between two keys. */
  readonly known = $derived.by((): DiffView | null => {
    const view = this.mode !== "read" && this.#compared?.key === this.key ? this.#compared.view : null;
    // The text of a unit can change on disk; its pieces join to it.
    const source = this.proposal?.source ?? this.unit?.source;
    return view?.sourceParts.map((part) => part.text).join("") === source ? view : null;
  });
  /** Pieces of the diff to show: the newest there is, so that the line does not blink between two keys. */
  readonly diff = $derived.by((): DiffView | null => {
    if (!this.showDiff || !this.changed || this.base === "") return null;
    const view = this.#compared?.key === this.key ? this.#compared.view : null;
    return view !== null && view.pieces.some((piece) => piece.kind !== "equal") ? view : null;
  });
  /** What became of a refused draft, until the person changes the new one. */
  readonly redraft = $derived.by((): RedraftView | null => {
    return this.showDiff && !this.changed ? (this.proposal?.redraft ?? null) : null;
  });
  readonly parts = $derived.by((): PartView[] => this.compared?.parts ?? []);
  readonly issues = $derived.by((): IssueView[] => {
    if (this.mode === "read") return [];
    if (this.changed && this.#compared?.key === this.key) return this.#compared.view.issues;
    return this.proposal?.issues ?? this.unit?.issues ?? [];
  });
  /** The first text that the target lacks. */
  readonly missing = $derived.by(() => this.issues.filter((issue) => !issue.dismissed).flatMap((issue) => issue.missing)[0] ?? null);
  /** Drafts that carry a warning, in document order. */
  readonly flagged = $derived.by(() => this.session.proposals.filter(isFlagged));
  readonly canConfirm = $derived.by(
    () =>
      this.session.current.unit > 0 &&
      this.mode !== "read" &&
      !this.saving &&
      this.text.trim() !== "" &&
      (this.base !== "" || this.changed),
  );
  /** Changes when the editor must begin anew: another unit, another draft, another purpose. */
  readonly editorKey = $derived.by(() => `${this.key} ${this.proposal?.callId ?? this.mode}`);
  /** Whether one more confirmation takes the text in spite of its faults. */
  readonly insisting = $derived.by(() => this.despite === this.editorKey);
  /** Whether there is a draft to say yes or no to; the offline engine leaves some units to the person. */
  readonly hasDraft = $derived.by(() => this.proposal !== null && this.proposal.target !== "");
  readonly closable = $derived.by(() => this.rejecting || this.lost !== null || this.despite !== null || this.mode === "change");

  isSaving(place: Place): boolean {
    return this.#saving.has(keyOf(place));
  }

  /** Asks anew what is known of the unit in hand, for instance after terms were changed. */
  refresh(): void {
    this.#compared = null;
  }

  /** What the person selected last in the source and in the target of the unit in hand. */
  get picked(): { source: string; target: string } {
    return this.#picked?.key === this.key ? this.#picked : { source: "", target: "" };
  }

  pick(side: "source" | "target", text: string): void {
    this.#picked = { key: this.key, ...this.picked, [side]: text.replace(/\s+/gu, " ").trim() };
  }

  /** Takes what was typed into the editor. */
  type(text: string): void {
    const key = this.#editKey(this.session.current);
    if (text === this.start) this.#edits.delete(key);
    else this.#edits.set(key, text);
    this.despite = null;
    this.unencodable = null;
  }

  /** The characters of the text at hand that its file cannot hold. */
  readonly lost = $derived.by(() => (this.unencodable?.card === this.editorKey ? this.unencodable.characters : null));

  /** Says how the file takes characters that its encoding cannot hold, and confirms the text again. */
  async allow(choice: WhenMissingView): Promise<void> {
    const { path } = this.session.current;
    if ((await this.session.setWhenMissing(path, choice)) !== null) return;
    this.unencodable = null;
    await this.confirm();
  }

  /** Returns the text of a unit that was typed and is not decided yet. */
  typed(place: Place): string | null {
    return this.#edits.get(this.#editKey(place)) ?? null;
  }

  /** Compares the draft with the text at hand; soon, or at once when nothing is known of the unit. */
  compare(): void {
    const [key, text] = [this.key, this.text];
    if (this.compared !== null || this.mode === "read") return;
    const known = untrack(() => this.#compared?.key === key);
    const place = this.session.current;
    const ticket = ++this.#comparing;
    clearTimeout(this.#timer);
    const ask = async (): Promise<void> => {
      const view = await this.session.diff(place, text);
      // The newest question wins, whichever answer comes first.
      if (view !== null && ticket === this.#comparing) this.#compared = { key, text, view };
    };
    if (known) this.#timer = setTimeout(() => void ask(), DIFF_REST_MS);
    else void ask();
  }

  /** Confirms what is in the editor: the draft, the changed draft, or a text by hand. Where that is done, goes on. */
  async confirm(): Promise<void> {
    if (this.mode === "read") return this.#goOn(this.session.current);
    if (!this.canConfirm || (await this.#asksAgain())) return;
    this.rejecting = false;
    const { proposal, text } = this;
    if (proposal === null) return this.#revise(text);
    if (this.changed) return this.#decide(proposal, { kind: "refine", target: text });
    const despiteIssues = this.insisting;
    await this.#decide(proposal, despiteIssues ? { kind: "approve", despiteIssues } : { kind: "approve" });
  }

  /** Tells whether what was typed has a fault that the person did not insist on yet; or else what to confirm is not there now. */
  async #asksAgain(): Promise<boolean> {
    if (!this.changed || this.insisting) return false;
    const { editorKey, text, session, compared } = this;
    const view = compared ?? (await session.diff(session.current, text));
    if (editorKey !== this.editorKey || text !== this.text || !this.canConfirm) return true;
    if (!view?.issues.some((issue) => issue.blocking)) return false;
    this.despite = editorKey;
    return true;
  }

  /** Rejects the draft for a fault, in words, or both; with the piece that is marked. */
  async reject({ fault, reason }: Why): Promise<void> {
    const { proposal, marked } = this;
    if (proposal === null || (fault === null && reason.trim() === "")) return;
    this.rejecting = false;
    await this.#decide(proposal, {
      kind: "reject",
      reason: reason.trim(),
      ...(fault === null ? {} : { fault }),
      ...(marked === null ? {} : { marked }),
    });
  }

  /** Takes what is selected in the editor: while a reason is asked for, it marks what is wrong. */
  choose(selected: Selected): void {
    this.#selected = selected;
    if (this.rejecting && selected.text.trim() !== "") this.#mark();
  }

  unmark(): void {
    this.marked = null;
  }

  #mark(): void {
    const { text, from } = this.#selected;
    this.marked = markedIn(this.proposal?.target ?? "", this.text, text, from);
  }

  async skip(): Promise<void> {
    const place = this.session.current;
    if (place.unit === 0 || this.mode === "read") return;
    this.rejecting = false;
    await this.session.skip(place);
    this.wishFocus();
  }

  /** Takes the last action back, or does it again, and goes to its unit. What was typed there comes back with it. */
  async reverse(way: "undo" | "redo"): Promise<ActionView | null | undefined> {
    this.rejecting = false;
    const action = await this.session.reverse(way);
    if (!action) return action;
    this.despite = null;
    this.#opened = null;
    await this.session.document.ensure(action.unit, action.unit, this.session.view.seq);
    this.wishFocus();
    const isOpenAgain = way === "undo" && this.mode !== "read" && keyOf(action) === this.key;
    if (!isOpenAgain || action.text === null || action.text === this.text) return action;
    // One change of the draft in the new editor, so that its own undo gives the draft.
    await tick();
    this.#insert(action.text, true);
    return action;
  }

  askReason(): void {
    if (!this.hasDraft || this.rejecting) return;
    this.#mark();
    this.rejecting = true;
  }

  /** Opens a confirmed unit for a change. */
  open(): void {
    if (this.mode !== "read" || this.unit === undefined) return;
    this.#opened = this.key;
    this.wishFocus();
  }

  /** Closes what is open on the card, one thing at a time. */
  close(): void {
    if (this.lost !== null) this.unencodable = null;
    else if (this.rejecting) this.rejecting = false;
    else if (this.despite !== null) this.despite = null;
    else if (this.mode === "change") {
      this.#edits.delete(this.#editKey(this.session.current));
      this.#opened = null;
    }
    this.wishFocus();
  }

  /** Puts a unit in hand. */
  select(place: Place, focus = true): void {
    if (keyOf(place) !== this.key) {
      this.rejecting = false;
      this.#selected = NOTHING;
      this.despite = null;
      this.#opened = null;
      this.session.select(place.path, place.unit);
    }
    if (focus) this.wishFocus();
  }

  /** Goes some units on or back in the document. */
  step(by: number): void {
    const { path, unit } = this.session.current;
    const last = this.session.document.head?.nUnits ?? 0;
    const next = Math.max(1, Math.min(last, unit + by));
    if (last > 0) this.select({ path, unit: next });
  }

  /** Goes to the next draft with a warning, from the first one again after the last. */
  nextIssue(): void {
    const at = this.session.proposals.findIndex((proposal) => keyOf(proposal) === this.key);
    const next =
      this.flagged.find((proposal) => this.session.proposals.indexOf(proposal) > at) ?? this.flagged[0];
    if (next !== undefined) this.select(next);
  }

  toggleDiff(): void {
    this.showDiff = !this.showDiff;
  }

  insertMissing(): void {
    if (this.missing !== null) this.#insert(this.missing, false);
  }

  /** Sets a finding aside for the text at hand. */
  async dismiss(issue: IssueView): Promise<void> {
    const { text } = this;
    const place = this.session.current;
    if (!(await this.session.dismiss(place, text, issue.fingerprint, true))) return;
    this.#compared = null;
    await this.session.documents.get(place.path).ensure(place.unit, place.unit, this.session.view.seq);
    this.compare();
    this.wishFocus();
  }

  /** Puts a suggested text in the place of the whole target. */
  apply(suggestion: string): void {
    this.#insert(suggestion, true);
  }

  wishFocus(): void {
    this.focusWish += 1;
  }

  /** Names what a typed text translates. It follows the source's text, whose number changes when the file does. */
  #editKey(place: Place): string {
    const unit = this.session.documents.get(place.path).unit(place.unit);
    if (unit === undefined) return keyOf(place);
    return `${(unit.occurrence?.[0] ?? 1).toString()} ${place.path}\n${unit.source}`;
  }

  #insert(text: string, whole: boolean): void {
    this.insertWish = { n: this.insertWish.n + 1, text, whole };
    this.wishFocus();
  }

  async #revise(text: string): Promise<void> {
    const place = this.session.current;
    const reading = this.mode === "change" && !this.changed;
    const writing = this.mode === "write";
    if (!reading) {
      const error = await this.#store(place, () => this.session.revise(place, text));
      this.#noteLost(place, error);
      if (error !== null) return;
    }
    this.#opened = null;
    if (writing && keyOf(place) === this.key) this.session.advance(place);
    this.wishFocus();
  }

  async #decide(proposal: ProposalView, decision: DecisionRequest): Promise<void> {
    const place = { path: proposal.path, unit: proposal.unit };
    // The host may want an approval of a fault confirmed: then the card stays until it has answered.
    const asksBack = decision.kind === "approve" && proposal.issues.some((issue) => issue.blocking);
    if (!asksBack || this.despite !== null) this.#goOn(place);
    const moved = this.key;
    this.wishFocus();
    const error = await this.#store(place, () => this.session.decide(proposal.callId, decision));
    if (error !== null && moved === this.key && moved !== keyOf(place)) this.select(place);
    this.#noteLost(place, error);
    if (error?.code === "needsConfirmation" && this.proposal?.callId === proposal.callId) this.despite = this.editorKey;
    else if (error === null && (moved !== this.key || inReview())) this.wishFocus();
  }

  #noteLost(place: Place, error: ApiError | null): void {
    if (error?.code === "targetUnencodable" && this.key === keyOf(place)) this.unencodable = { card: this.editorKey, characters: error.detail };
  }

  /** Goes to the next draft that is not decided; stays when there is none yet. */
  #goOn(place: Place): void {
    const next = this.session.nextDraft(place, (draft) => this.isSaving(draft));
    if (next !== null) this.select(next);
  }

  async #store(place: Place, call: () => Promise<ApiError | null>): Promise<ApiError | null> {
    const key = keyOf(place);
    const edit = this.#editKey(place);
    this.#saving.add(key);
    const error = await call();
    if (error === null) {
      this.#edits.delete(edit);
      // The mark in the gutter changes with the document's answer, not before.
      await this.session.documents.get(place.path).ensure(place.unit, place.unit, this.session.view.seq);
    }
    this.#saving.delete(key);
    return error;
  }
}

function keyOf(place: Place): string {
  return `${place.unit.toString()} ${place.path}`;
}
