/** Owns where the nonce comes from by which the content security policy lets the editor's styles in. */

/** Returns the nonce for styles that the host put into the page; empty where there is none, as in tests. */
export function styleNonce(): string {
  const holder = document.querySelector<HTMLElement>("meta[property='csp-nonce'], style[nonce]");
  return holder?.nonce ?? "";
}
