import { screen } from "@testing-library/svelte";
import { expect, test } from "vitest";

import type { DiffPieceView } from "../backend/bindings/DiffPieceView";
import { FakeBackend } from "../backend/fake";
import { App } from "../state/app.svelte";
import { renderWithin } from "../test/within";
import DiffView from "./DiffView.svelte";

const pieces: DiffPieceView[] = [
  { kind: "equal", text: "请" },
  { kind: "removed", text: "重新启动" },
  { kind: "added", text: "重启<b>" },
  { kind: "equal", text: "服务。" },
];

test("shows what was added and removed as text, and says so", () => {
  const app = new App(new FakeBackend());
  renderWithin(app, DiffView, { pieces, language: "zh-Hans" });
  const diff = screen.getByTestId("diff");
  const read = (selector: string): string[] =>
    [...diff.querySelectorAll(selector)].map((each) => (each.textContent ?? "").replace(/\s+/g, " ").trim());
  expect(read("del")).toEqual(["removed: 重新启动 end"]);
  expect(read("ins")).toEqual(["added: 重启<b> end"]);
  for (const hidden of diff.querySelectorAll(".visually-hidden")) hidden.remove();
  expect(diff.textContent).toBe("请重新启动重启<b>服务。");
  expect([diff.lang, diff.dir, diff.querySelector("b")]).toEqual(["zh-Hans", "ltr", null]);
});
