/** Says what was done in a turn, or in a run of turns, in one line. */

import type { ActionView } from "../backend/bindings/ActionView";
import type { TurnKind } from "../backend/bindings/TurnKind";
import type { Format } from "../lib/format";
import type { Strings } from "../lib/i18n";
import { runsOf } from "./groups";

/** Says one thing done. */
export function activityText(t: Strings, format: Format, turn: TurnKind): string {
  const { review } = t;
  switch (turn.kind) {
    case "listed":
      return review.listed(turn.path === "" ? review.project : turn.path, turn.nEntries);
    case "read":
      return review.readUnits(turn.path, format.number(turn.fromUnit), format.number(turn.toUnit));
    case "guided":
      return review.guided(turn.title);
    case "drafted":
      return review.draftedUnit(turn.path, format.number(turn.unit), review.outcomes[turn.outcome]);
    case "refused":
      return review.refused(turn.tool);
    case "revised":
      return review.revised(turn.path, format.number(turn.unit));
    case "skipped":
      return review.skipped(turn.path, format.number(turn.unit));
    case "undone":
      return reversalText(t, format, "undo", turn.action);
    case "redone":
      return reversalText(t, format, "redo", turn.action);
    case "learnt":
      if (turn.failure !== null) return review.learntFailed;
      return turn.items.length === 0 ? review.learntNothing : `${review.learnt}: ${turn.items.join(" ")}`;
    case "sourceChanged":
      return review.turnSourceChanged(turn.path);
    case "user":
    case "agent":
      return turn.text;
    case "asked":
      return turn.question;
  }
}

/** Says what was taken back or done again; `null` stands for nothing. */
export function reversalText(t: Strings, format: Format, way: "undo" | "redo", action: ActionView | null): string {
  const { reversals } = t.review;
  if (action === null) return way === "undo" ? reversals.nothingToUndo : reversals.nothingToRedo;
  const what = reversals.actions[action.kind];
  const place =
    action.nUnits > 1 ? reversals.units(action.nUnits, action.path) : reversals.unit(format.number(action.unit), action.path);
  return way === "undo" ? reversals.undone(what, place) : reversals.redone(what, place);
}

/** Says a run of things done: the drafts in it by file and numbers, else its last line. */
export function runText(t: Strings, format: Format, turns: readonly TurnKind[]): string {
  const drafted = turns.filter((turn) => turn.kind === "drafted");
  const path = drafted.at(-1)?.path;
  const last = turns.at(-1);
  if (path === undefined) return last === undefined ? "" : activityText(t, format, last);
  const units = drafted.filter((turn) => turn.path === path).map((turn) => turn.unit);
  return t.review.drafted(path, runsOf(units, format.number));
}
