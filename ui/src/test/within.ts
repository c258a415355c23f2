/** Renders a part of the window as the window would, for tests. */

import { render } from "@testing-library/svelte";
import type { Component, ComponentProps } from "svelte";
import type { App } from "../state/app.svelte";
import Within from "./Within.svelte";

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any part with any props fits.
export function renderWithin<C extends Component<any>>(app: App, part: C, given: ComponentProps<C>): HTMLElement {
  return render(Within, { props: { app, part, given } }).container;
}
