/** Owns which one mark a unit carries in the gutter. Pure. */

import type { UnitView } from "../backend/bindings/UnitView";

/** Names a mark. */
export type Mark =
  | "open"
  | "proposed"
  | "approved"
  | "bulk"
  | "refined"
  | "revised"
  | "rejected"
  | "skipped"
  | "saving";

/** Chooses the mark of a unit: how it was confirmed, else what it waits for. */
export function markOf(unit: UnitView): Mark {
  switch (unit.state) {
    case "approved":
    case "refined":
      if (unit.revised) return "revised";
      return unit.bulk ? "bulk" : unit.state;
    case "proposed":
      return unit.skipped ? "skipped" : "proposed";
    case "rejected":
      return "rejected";
    case "open":
      return unit.skipped ? "skipped" : "open";
  }
}

/** Tells whether a person has confirmed the unit. */
export function isConfirmed(unit: UnitView): boolean {
  return unit.state === "approved" || unit.state === "refined";
}

/** Outlines of the marks on a grid of 16; each has a shape of its own, so that none is told by colour alone. */
export const SHAPES: Record<Mark, string> = {
  open: "M5.5 8h5",
  proposed: "M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z",
  approved: "M3.5 8.5 6.6 11.6 12.5 5",
  bulk: "M1.5 8.5 4.4 11.4 10 5.2M7.6 10.6l.8.8L14.2 5.2",
  refined: "M3.5 12.5l.5-2.4 6.6-6.6 1.9 1.9-6.6 6.6z",
  revised: "M12.8 8A4.8 4.8 0 1 1 8 3.2h3M9.2 1.2l2 2-2 2",
  rejected: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  skipped: "M4.5 4v8l5-4zM11.5 4v8",
  saving: "M8 3.2v1M8 11.8v1M3.2 8h1M11.8 8h1",
};
