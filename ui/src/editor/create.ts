/**
 * Owns the editor of the unit under review: one CodeMirror, made and destroyed with it. Knows no Svelte, no
 * session.
 */

import { EditorState } from "@codemirror/state";
import { EditorView, highlightSpecialChars } from "@codemirror/view";

import type { Direction } from "./direction";
import { editingKeys, enterKey, singleLine } from "./keys";
import { placeables, showPieces, type Piece } from "./placeables";
import { styleNonce } from "./nonce";
import { theme } from "./theme";

/** What an editor is made of. */
export interface EditorOptions {
  parent: HTMLElement;
  text: string;
  /** BCP 47 tag; chooses fonts and the dictionary of the spelling check. */
  language: string;
  direction: Direction;
  /** Name for screen readers. */
  label: string;
  /** Whether the unit may hold line breaks. */
  multiline: boolean;
  /** Called with the whole text after each change by a person. */
  onChange: (text: string) => void;
  /** Called with what is selected, when that changes. */
  onSelect?: (selection: Selected) => void;
}

/** A selected piece of the text. */
export interface Selected {
  text: string;
  /** Where it begins, in UTF-16 code units. */
  from: number;
}

/** An editor in the page. */
export interface TargetEditor {
  text(): string;
  /** Replaces the text as one change that can be undone. */
  replace(text: string): void;
  /** Puts text in place of the selection and the cursor behind it. */
  insert(text: string): void;
  /** Marks the placeables; ignored when the text has changed since. */
  show(pieces: readonly Piece[]): void;
  focus(): void;
  destroy(): void;
}

/** Makes an editor in `parent`. */
export function createEditor(options: EditorOptions): TargetEditor {
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.text,
      selection: { anchor: options.text.length },
      extensions: [
        enterKey(options.multiline),
        options.multiline ? [] : singleLine(),
        editingKeys(),
        placeables(),
        highlightSpecialChars(),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          "aria-label": options.label,
          "aria-multiline": String(options.multiline),
          "data-testid": "target-editor",
          dir: options.direction,
          lang: options.language,
          spellcheck: "true",
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onChange(update.state.doc.toString());
          if (update.selectionSet || update.docChanged) {
            const { from, to } = update.state.selection.main;
            options.onSelect?.({ text: update.state.sliceDoc(from, to), from });
          }
        }),
        EditorView.cspNonce.of(styleNonce()),
        theme,
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    replace(text) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: text.length },
        userEvent: "input",
      });
    },
    insert(text) {
      view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true, userEvent: "input" });
    },
    show(pieces) {
      // New marks would take the text away from under an input method.
      if (!view.composing) showPieces(view, pieces);
    },
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}
