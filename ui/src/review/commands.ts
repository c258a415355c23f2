/** Commands of the review with their keys, for the window's key listener, the palette and the key sheet. */

import type { App } from "../state/app.svelte";
import type { UiCommand } from "../state/commands.svelte";
import { reversalText } from "../talk/activity";
import type { Review } from "./review.svelte";

/** Makes the commands that hold while a session is under review. */
export function reviewCommands(app: App, review: Review): UiCommand[] {
  const command = (
    id: keyof App["t"]["review"]["commands"],
    chord: string,
    run: () => void,
    enabled: () => boolean = () => true,
  ): UiCommand => ({ id: `review.${id}`, group: "review", title: () => app.t.review.commands[id], chord, run, enabled });
  return [
    command("confirm", CHORDS.confirm, () => void review.confirm(), () => review.canConfirm || review.mode === "read"),
    command("reject", CHORDS.reject, () => review.askReason(), () => review.hasDraft),
    command("nextUnit", CHORDS.nextUnit, () => review.step(1)),
    command("previousUnit", CHORDS.previousUnit, () => review.step(-1)),
    command("toggleDiff", CHORDS.toggleDiff, () => review.toggleDiff()),
    command("insertPlaceable", CHORDS.insertPlaceable, () => review.insertMissing(), () => review.missing !== null),
    command("addTerm", CHORDS.addTerm, () => app.addTerm(review.picked.source, review.picked.target)),
    command("nextIssue", CHORDS.nextIssue, () => review.nextIssue(), () => review.flagged.length > 0),
    command("receipt", CHORDS.receipt, () => (app.overlay = "receipt"), () => review.session.current.unit > 0),
    ...reversals(app, review),
    command("escape", CHORDS.escape, () => review.close(), () => review.closable),
  ];
}

/** Undo and redo. In a field of its own, for instance where a message is written, the keys belong to its text; in the
 * editor they come here once its text has nothing to undo. */
function reversals(app: App, review: Review): UiCommand[] {
  const reverse = async (way: "undo" | "redo"): Promise<void> => {
    const { t, format } = app;
    const action = await review.reverse(way);
    if (action !== undefined) app.notices.info(reversalText(t, format, way, action));
  };
  const command = (way: "undo" | "redo"): UiCommand => ({
    id: `review.${way}`,
    group: "review",
    title: () => app.t.review.commands[way],
    chord: CHORDS[way],
    once: true,
    enabled: () => !(document.activeElement?.closest("input, textarea, select, dialog") instanceof Element),
    run: () => void reverse(way),
  });
  return [command("undo"), command("redo")];
}

/** Keys of the review, for the buttons that show them. */
export const CHORDS = {
  confirm: "Mod+Enter",
  reject: "Mod+Shift+R",
  nextUnit: "Alt+ArrowDown",
  previousUnit: "Alt+ArrowUp",
  toggleDiff: "Mod+D",
  insertPlaceable: "Mod+I",
  addTerm: "Mod+Shift+G",
  nextIssue: "F8",
  receipt: "Mod+Shift+E",
  undo: "Mod+z",
  redo: "Mod+Shift+z",
  escape: "Escape",
} as const;
