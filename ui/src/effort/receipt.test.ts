/** The receipt of a draft: what it was made from, and the request on its fold. */

import { fireEvent, screen, waitFor, within } from "@testing-library/svelte";
import { expect, test, vi } from "vitest";
import type { Result } from "../backend/backend";
import { FakeBackend } from "../backend/fake";
import ReviewView from "../review/ReviewView.svelte";
import { App } from "../state/app.svelte";
import { expectAccessible } from "../test/view";
import { renderWithin } from "../test/within";
import { readMessages } from "./request";

async function open(change: Partial<NonNullable<Result<"draft_receipt">>> | null = {}): Promise<HTMLElement> {
  const host = new FakeBackend({ thinkMs: 0 });
  const call = host.call.bind(host);
  vi.spyOn(host, "call").mockImplementation(async (command, args) => {
    const result = await call(command, args);
    if (command !== "draft_receipt" || result === null) return result;
    return (change === null ? null : { ...result, ...change }) as typeof result;
  });
  const app = new App(host);
  await app.start();
  await app.openSession(1);
  const { session } = app;
  if (session === null) throw new Error("no session");
  renderWithin(app, ReviewView, { session });
  await fireEvent.click(await screen.findByTestId("origin"));
  return change === null ? screen.findByTestId("no-receipt") : screen.findByTestId("receipt");
}

test("a receipt tells model, tokens, memory and what concerns the unit", async () => {
  const receipt = await open();
  expect(within(receipt).getByText("deepseek-chat at api.deepseek.com")).toBeDefined();
  expect(receipt.textContent).toContain("2,932 sent, 2,048 of them cached; 184 received");
  expect(receipt.textContent).toContain("for 4 drafts together");
  const shares = within(receipt).getByTestId("shares");
  expect(within(shares).getAllByRole("row").length).toBe(10);
  const terms = within(receipt).getByText("2 terms given").parentElement;
  expect(terms?.querySelector("li")?.textContent).toContain("in this source");
  expect(within(receipt).getByText("Use the informal form.")).toBeDefined();
  await expectAccessible(receipt);
});

test("the fold shows the very text that was sent, and its messages to read", async () => {
  const receipt = await open({ request: '{"messages":[{"role":"user","content":"<b>Hi</b>"}]}' });
  const fold = within(receipt).getByTestId<HTMLDetailsElement>("sent-request");
  fold.open = true;
  await fireEvent(fold, new Event("toggle"));
  const text = await within(receipt).findByTestId("request-text");
  expect(text.textContent).toBe('{"messages":[{"role":"user","content":"<b>Hi</b>"}]}');
  await waitFor(() => expect(within(fold).getByText("<b>Hi</b>")).toBeDefined());
});

test("what was drafted here sent nothing, and what has no draft says so", async () => {
  const receipt = await open({ wasSent: false, host: null, shares: [], request: null });
  expect(within(receipt).getByText("Diglot, on this computer")).toBeDefined();
  expect(within(receipt).queryByTestId("sent-request")).toBeNull();
});

test("a unit without a draft says so", async () => {
  expect((await open(null)).textContent).toContain("no draft");
});

test("messages are read from both protocols, and nonsense gives none", () => {
  const body = {
    messages: [
      { role: "system", content: "S" },
      { role: "assistant", content: "", tool_calls: [{ function: { name: "Read", arguments: "{}" } }] },
      { role: "odd", content: "x" },
      "y",
    ],
  };
  expect(readMessages(JSON.stringify(body))).toEqual([
    { role: "system", text: "S" },
    { role: "assistant", text: "Read {}" },
  ]);
  expect(readMessages("{")).toEqual([]);
});
