import { fireEvent, screen } from "@testing-library/svelte";
import { describe, expect, test, vi } from "vitest";

import type { SessionView } from "../backend/bindings/SessionView";
import { FakeBackend } from "../backend/fake";
import { App } from "../state/app.svelte";
import type { SessionState } from "../state/session.svelte";
import { renderWithin } from "../test/within";
import AgentLine from "./AgentLine.svelte";
import { Review } from "./review.svelte";

async function show(change: Partial<SessionView>, running = false, tryAgainAt: number | null = null): Promise<SessionState> {
  const app = new App(new FakeBackend({ thinkMs: 0 }));
  await app.start();
  await app.openSession(1);
  const { session } = app;
  if (session === null) throw new Error("no session");
  session.view = { ...session.view, requests: [], actor: "user", finish: null, attempt: null, ...change };
  session.running = running;
  session.tryAgainAt = tryAgainAt;
  renderWithin(app, AgentLine, { review: new Review(session) });
  return session;
}

const note = (): HTMLElement | null => screen.queryByTestId("finish-note");
const words = (): string => (note()?.textContent ?? "").replace(/\s+/g, " ").trim();
const error = { code: "modelUnreachable", detail: "" } as const;

describe("the line about the agent", () => {
  test("says that it drafts while nothing waits for the person", async () => {
    await show({}, true);
    expect(words()).toBe("Drafting…");
  });

  test("says nothing while drafts wait", async () => {
    const app = new App(new FakeBackend({ thinkMs: 0 }));
    await app.start();
    await app.openSession(1);
    if (app.session === null) throw new Error("no session");
    renderWithin(app, AgentLine, { review: new Review(app.session) });
    expect(note()).toBeNull();
  });

  test.each(["turnEnded", "stepLimit", "repeatedCall", "refusedCalls", "tokenCap"] as const)(
    "says why it stopped and lets it continue: %s",
    async (finish) => {
      const session = await show({ finish });
      const say = vi.spyOn(session, "say").mockResolvedValue(null);
      expect(note()?.dataset["kind"]).toBe("finished");
      await fireEvent.click(screen.getByTestId("continue"));
      // The turn is the person's: to run would do nothing.
      expect(say).toHaveBeenCalledExactlyOnceWith("Go on with the open units.");
    },
  );

  test("goes on without a word where the agent was stopped", async () => {
    const session = await show({ actor: "agent" });
    const run = vi.spyOn(session, "run").mockResolvedValue();
    await fireEvent.click(screen.getByTestId("continue"));
    expect(run).toHaveBeenCalledTimes(1);
  });

  test("leads to the settings when only they help", async () => {
    await show({ attempt: { error: { code: "modelUnauthorized", detail: "" }, tryAgainAt: null, nTries: 1 } });
    expect(screen.getByTestId("to-settings").textContent).toContain("Settings");
  });

  test("says where the folder is when everything is done, and offers nothing more to do", async () => {
    await show({ finish: "complete" });
    expect(words()).toMatch(/^Everything is translated\. The translated folder: \/.+/);
    expect(screen.queryByTestId("continue")).toBeNull();
  });

  test("counts down to the next try, and tries now when asked", async () => {
    const at = Date.now() + 41_500;
    const session = await show({ attempt: { error, tryAgainAt: at, nTries: 2 } }, true, at);
    expect(words()).toContain("Trying again in 42 seconds.");
    const [stop, run] = [vi.spyOn(session, "stop").mockResolvedValue(), vi.spyOn(session, "run").mockResolvedValue()];
    await fireEvent.click(screen.getByTestId("try-now"));
    await vi.waitFor(() => expect([stop.mock.calls.length, run.mock.calls.length]).toEqual([1, 1]));
  });

  test("says what went wrong when it is not tried again", async () => {
    await show({ attempt: { error, tryAgainAt: null, nTries: 5 } });
    expect([note()?.dataset["kind"], screen.queryByTestId("continue")?.textContent?.trim()]).toEqual(["failed", "Continue"]);
  });

  test("names the time when the service asks for a long wait, until it has come", async () => {
    const at = Date.now() + 3_600_000;
    await show({ attempt: { error: { code: "modelRateLimited", detail: "" }, tryAgainAt: at, nTries: 1 } });
    expect(words()).toMatch(/The service takes requests again from .*\d\d/);
    document.body.replaceChildren();
    await show({ attempt: { error, tryAgainAt: Date.now() - 1, nTries: 1 } });
    expect(words()).not.toContain("again from");
  });

  test("cannot continue without the folder", async () => {
    await show({ actor: "agent", folderPresent: false });
    expect([note()?.dataset["kind"], screen.queryByTestId("continue")]).toEqual(["stopped", null]);
  });
});
