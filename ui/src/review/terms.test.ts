/** The terms of the unit under review, lit in its source and judged while somebody types. */

import { screen, waitFor, within } from "@testing-library/svelte";
import { expect, test } from "vitest";
import { FakeBackend } from "../backend/fake";
import { App } from "../state/app.svelte";
import { expectAccessible } from "../test/view";
import { renderWithin } from "../test/within";
import ReviewView from "./ReviewView.svelte";

test("terms are lit in the source, and met or not by the text at hand", async () => {
  const app = new App(new FakeBackend({ thinkMs: 0 }));
  await app.start();
  await app.openSession(1);
  const { session } = app;
  if (session === null) throw new Error("no session");
  const container = renderWithin(app, ReviewView, { session });
  session.select("guide/intro.md", 5);
  const list = await screen.findByTestId("terms");
  expect(screen.getAllByTestId("lit").map((mark) => [mark.textContent, mark.dataset["state"]])).toEqual([["Save", "unmet"]]);
  const line = within(list).getByTestId("term");
  expect(line.dataset["state"]).toBe("unmet");
  expect(line.textContent).toContain("not met");
  expect(within(line).getAllByTestId("target").map((each) => each.textContent)).toEqual(["salvar", "never:gravar"]);
  const card = screen.getByTestId("unit-card").parentElement;
  expect(card?.textContent).toContain("Press **Save** to keep your changes");
  await expectAccessible(container);
  session.select("guide/intro.md", 16);
  await waitFor(() => expect(screen.getByTestId("term").textContent).toContain("arquivo"));
});
