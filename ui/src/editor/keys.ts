/**
 * Owns what Enter does in the editor of a unit, and how a key that belongs to an input method is told apart. Knows
 * no command of the application: chords bubble to the window.
 */

import { deleteGroupBackward, deleteGroupForward, history, historyKeymap, redo, standardKeymap } from "@codemirror/commands";
import { EditorState, Prec, type Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";

export { composing } from "./composing";
import { composing } from "./composing";

/**
 * Keys of the editor: motions, deletion, undo. Enter is left out; see `enterKey`. Undo and redo with nothing to undo go
 * to the window, on every system by the same keys.
 */
export function editingKeys(): Extension {
  return [
    history(),
    keymap.of([
      ...historyKeymap.map(({ preventDefault: _, ...binding }) => binding),
      { key: "Mod-Shift-z", run: redo },
      ...standardKeymap.filter((binding) => binding.key !== "Enter"),
      { key: "Mod-Backspace", run: deleteGroupBackward },
      { key: "Mod-Delete", run: deleteGroupForward },
    ]),
  ];
}

/**
 * Handles Enter. A unit of several lines takes a line break; a unit of one line has nothing to break and stays as it
 * is. The Enter that confirms a candidate of an input method is neither.
 */
export function enterKey(multiline: boolean): Extension {
  return Prec.highest(
    EditorView.domEventHandlers({
      keydown(event, view) {
        if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey) return false;
        if (composing(event) || view.composing) return false;
        if (multiline) view.dispatch(view.state.replaceSelection("\n"), { scrollIntoView: true, userEvent: "input" });
        return true;
      },
    }),
  );
}

/** Turns line breaks that reach a unit of one line, by paste or drop, into blanks. */
export function singleLine(): Extension {
  return EditorState.transactionFilter.of((transaction) => {
    if (!transaction.docChanged || transaction.newDoc.lines === 1) return transaction;
    const joined = transaction.newDoc.toString().replace(/\s*\n\s*/g, " ");
    const head = Math.min(transaction.newSelection.main.head, joined.length);
    return {
      changes: { from: 0, to: transaction.startState.doc.length, insert: joined },
      selection: { anchor: head },
      scrollIntoView: true,
    };
  });
}
