/** Owns when the editor may take the focus by itself, so that it never takes it from where the person writes. */

/** Tells whether the editor of a unit that the person went to may take the focus: nothing is written elsewhere. */
export function freeToFocus(): boolean {
  return inReview() || document.activeElement?.closest("input, textarea, select, [contenteditable='true'], dialog") === null;
}

/** Tells whether the editor of a draft that just came may take the focus: the person is in the review, or nowhere. */
export function inReview(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || active.closest("[data-review]") !== null;
}
