import { afterEach, expect, test, vi } from "vitest";

import { Panels } from "./panels.svelte";

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test("a narrow window begins with its document and shows one panel over it", () => {
  let tell: (event: { matches: boolean }) => void = () => undefined;
  const query = { matches: true, addEventListener: (_: string, hear: typeof tell) => (tell = hear) };
  vi.spyOn(window, "matchMedia").mockReturnValue(query as unknown as MediaQueryList);
  const panels = new Panels();
  const shown = (): [boolean, boolean] => [panels.left, panels.right];
  expect(shown()).toEqual([false, false]);
  panels.toggleLeft();
  panels.showRight("checks");
  expect(shown()).toEqual([false, true]);
  panels.uncover();
  expect(shown()).toEqual([false, false]);
  // What was looked at there changes nothing of the wide window.
  tell({ matches: false });
  expect(shown()).toEqual([true, true]);
});
