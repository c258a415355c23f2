/** Owns the look of the editor, in tokens of the page's design. */

import { EditorView } from "@codemirror/view";

/** The unit's text as it stands in the grid, with a caret. */
export const theme = EditorView.theme({
  "&": { color: "inherit", backgroundColor: "transparent", font: "inherit" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", fontSize: "inherit", lineHeight: "inherit", overflow: "visible" },
  ".cm-content": { padding: "0", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0" },
  ".cm-specialChar": { color: "var(--warn)" },
});
