/** Owns what the review says about the agent: one situation at a time, read off the session. */

import type { ApiError } from "../backend/bindings/ApiError";
import type { FinishView } from "../backend/bindings/FinishView";
import type { Place, SessionState } from "../state/session.svelte";

/** What is to be said. */
export type Situation =
  /** Nothing: drafts wait, or the agent works ahead of the person. */
  | { kind: "review" }
  | { kind: "drafting" }
  /** An attempt failed and is made again by itself. */
  | { kind: "retry"; error: ApiError }
  /** An attempt failed and is not made again by itself. */
  | { kind: "failed"; error: ApiError }
  | { kind: "question" }
  | { kind: "complete" }
  | { kind: "fileComplete"; next: Place }
  | { kind: "finished"; finish: FinishView }
  | { kind: "stopped" };

/** Reads the situation off a session. */
export function situationOf(session: SessionState): Situation {
  const { view } = session;
  if (session.running) {
    if (session.tryAgainAt !== null && view.attempt !== null) return { kind: "retry", error: view.attempt.error };
    return session.proposals.length > 0 || session.questions.length > 0 ? { kind: "review" } : { kind: "drafting" };
  }
  if (view.finish === "complete") return { kind: "complete" };
  if (view.attempt !== null) return { kind: "failed", error: view.attempt.error };
  const file = view.files.find((each) => each.path === session.current.path);
  const next = session.nextDraft();
  // Not by `nextOpen`: a unit whose draft waits is not open for the agent, and not done either.
  if (file !== undefined && file.nUnits === file.nConfirmed && file.nUnits > 0 && next !== null) {
    return { kind: "fileComplete", next };
  }
  if (next !== null) return { kind: "review" };
  if (session.questions.length > 0) return { kind: "question" };
  if (view.finish !== null) return { kind: "finished", finish: view.finish };
  return { kind: "stopped" };
}
