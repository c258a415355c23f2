/** The session's state: decisions, what comes next, what is merged, what is loaded. */

import { describe, expect, test, vi } from "vitest";
import { FakeBackend } from "../backend/fake";
import { App } from "./app.svelte";
import type { DocumentView } from "../backend/bindings/DocumentView";
import type { TurnView } from "../backend/bindings/TurnView";
import { DocumentState, PAGE } from "./documents.svelte";
import { Notices } from "./notices.svelte";
import { SessionState } from "./session.svelte";
import { mergeTurns, settledSeq } from "./turns";

async function open(id = 1): Promise<{ backend: FakeBackend; session: SessionState; notices: Notices }> {
  const backend = new FakeBackend({ thinkMs: 0 });
  const notices = new Notices();
  const session = new SessionState(backend, notices, await backend.call("session_view", { sessionId: id }));
  await backend.listen((event) => session.hear(event));
  return { backend, session, notices };
}

function callOf(session: SessionState, unit: number): string {
  return session.proposals.find((proposal) => proposal.unit === unit)?.callId ?? "";
}

describe("decisions", () => {
  test("go to the next draft, and the agent goes on when none waits", async () => {
    const { session } = await open();
    expect(session.current.unit).toBe(5);
    expect(await session.decide(callOf(session, 5), { kind: "refine", target: "Prima `Esc`." })).toBeNull();
    expect(session.current.unit).toBe(6);
    for (const unit of [6, 7, 8]) await session.decide(callOf(session, unit), { kind: "approve" });
    await vi.waitFor(() => expect(session.proposals.map(({ unit }) => unit)).toEqual([9, 10, 11, 12]));
    expect(session.questions).toHaveLength(1);
    expect(session.current.unit).toBe(9);
  });

  test("a fault stays beside the draft and moves nothing", async () => {
    const { session, notices } = await open();
    const error = await session.decide(callOf(session, 5), { kind: "approve" });
    expect(error?.code).toBe("needsConfirmation");
    expect([session.current.unit, notices.current, session.saveError]).toEqual([5, null, null]);
  });

  test("a decision that was not stored is told, and the foot says so", async () => {
    const { backend, session, notices } = await open();
    vi.spyOn(backend, "call").mockRejectedValueOnce({ code: "databaseLocked", detail: "" });
    await session.decide(callOf(session, 6), { kind: "approve" });
    expect(session.saveError?.code).toBe("databaseLocked");
    expect(notices.current).toMatchObject({ kind: "error", error: { code: "databaseLocked" } });
    expect(session.nSaving).toBe(0);
  });

  test("nothing runs after the person stopped, until they say so", async () => {
    const { session } = await open();
    await session.stop();
    for (const unit of [5, 6, 7, 8]) {
      await session.decide(callOf(session, unit), { kind: "approve", despiteIssues: true });
    }
    expect([session.view.actor, session.running, session.proposals.length]).toEqual(["agent", false, 0]);
    await session.run();
    expect(session.proposals).toHaveLength(4);
  });

  test("a rejected draft is drafted anew", async () => {
    const { session } = await open();
    await session.decide(callOf(session, 6), { kind: "reject", reason: "Too formal" });
    for (const unit of [5, 7, 8]) {
      await session.decide(callOf(session, unit), { kind: "approve", despiteIssues: true });
    }
    await vi.waitFor(() => expect(session.proposals[0]).toMatchObject({ unit: 6, target: "A janela abre. (2)" }));
  });
});

test("a decision that meets the end of a run lets the agent go on all the same", async () => {
  const { backend, session } = await open();
  const before = session.view;
  const real = backend.call.bind(backend);
  let nRuns = 0;
  let end = (): void => undefined;
  vi.spyOn(backend, "call").mockImplementation(async (command, args) => {
    // The first run has ended with what was there before; its answer is still on its way.
    if (command === "session_run" && nRuns++ === 0) {
      return new Promise((resolve) => (end = () => resolve(before as never)));
    }
    const result = await real(command, args);
    return (command === "session_run" ? result : { ...result, running: nRuns === 1 }) as never;
  });
  const run = session.run();
  for (const { callId } of before.requests) await session.decide(callId, { kind: "approve", despiteIssues: true });
  expect([session.view.actor, nRuns]).toEqual(["agent", 1]);
  end();
  await run;
  await vi.waitFor(() => expect(session.proposals).toHaveLength(4));
  expect(nRuns).toBe(2);
});

test("the draft that comes after the last one was decided is gone to, unless the person went elsewhere", async () => {
  for (const elsewhere of [false, true]) {
    const { session } = await open();
    const last = session.proposals[0];
    if (last === undefined) throw new Error("no draft");
    const done = session.view.files.map((file) => ({ ...file, nextOpen: null }));
    session.take({ ...session.view, seq: session.view.seq + 1, requests: [], files: done });
    session.select(last.path, last.unit);
    session.advance(last);
    expect(session.current).toEqual({ path: last.path, unit: last.unit });
    if (elsewhere) session.select(last.path, 1);
    const next = { ...last, path: "guide/usage.md", unit: 2, callId: "next" };
    session.take({ ...session.view, seq: session.view.seq + 1, requests: [next] });
    expect(session.current).toEqual(elsewhere ? { path: last.path, unit: 1 } : { path: "guide/usage.md", unit: 2 });
  }
});

test("a view made before a run began does not end it", async () => {
  const { session } = await open();
  const before = session.view;
  session.hear({ event: "runChanged", data: { sessionId: 1, running: true, tryAgainAt: null } });
  session.take({ ...before, running: false });
  expect(session.busy).toBe(true);
  session.hear({ event: "runChanged", data: { sessionId: 1, running: false, tryAgainAt: null } });
  session.take({ ...before, running: true });
  expect(session.busy).toBe(false);
});

test("many events at once are one or two requests", async () => {
  const { backend, session } = await open();
  const call = vi.spyOn(backend, "call");
  for (let seq = 100; seq < 110; seq += 1) {
    session.hear({ event: "sessionChanged", data: { sessionId: 1, seq } });
  }
  await session.refresh();
  await vi.waitFor(() => expect(call.mock.calls.length).toBe(2));
  session.hear({ event: "sessionChanged", data: { sessionId: 2, seq: 999 } });
  expect(call.mock.calls.length).toBe(2);
});

test("a change that is told before the first view is here is not missed", async () => {
  const backend = new FakeBackend({ thinkMs: 0 });
  const app = new App(backend);
  await app.start();
  const call = backend.call.bind(backend);
  const { requests } = await call("session_view", { sessionId: 1 });
  const callId = requests.find(({ kind }) => kind === "translate")?.callId ?? "";
  const spy = vi.spyOn(backend, "call").mockImplementation(async (command, args) => {
    const result = await call(command, args);
    spy.mockRestore();
    await call("session_respond", { sessionId: 1, callId, decision: { kind: "cancel" } });
    return result;
  });
  await app.openSession(1);
  await vi.waitFor(() => expect(app.session?.view.requests.map((each) => each.callId)).not.toContain(callId));
});

test("an older view does not take the place of a newer one", async () => {
  const { session } = await open();
  const old = session.view;
  await session.decide(callOf(session, 6), { kind: "approve" });
  session.take(old);
  expect(session.view.session.nConfirmed).toBe(5);
});

describe("turns", () => {
  const said = (seq: number, text: string): TurnView => ({ seq, turn: { kind: "user", text } });
  const drafted = (seq: number, outcome: "waiting" | "approved"): TurnView => ({
    seq,
    turn: { kind: "drafted", path: "a", unit: 1, callId: "c", outcome },
  });

  test("what is new takes the place of what it overlaps", () => {
    const merged = mergeTurns([said(1, "a"), drafted(2, "waiting")], [drafted(2, "approved"), said(3, "b")]);
    expect(merged).toEqual([said(1, "a"), drafted(2, "approved"), said(3, "b")]);
    expect(mergeTurns([said(1, "a")], [])).toEqual([said(1, "a")]);
  });

  test("what was decided stands once, in its old place", () => {
    const [made, decided] = [drafted(2, "waiting"), drafted(2, "approved")];
    const whole = [said(1, "a"), made, said(3, "b"), decided];
    expect(mergeTurns([], whole)).toEqual([said(1, "a"), decided, said(3, "b")]);
    expect(mergeTurns([said(1, "a"), made, said(3, "b")], [decided])).toEqual([said(1, "a"), decided, said(3, "b")]);
  });

  test("turns that wait are asked for again", () => {
    expect(settledSeq([said(1, "a"), drafted(2, "waiting"), said(3, "b")], 3)).toBe(1);
    expect(settledSeq([drafted(2, "approved")], 3)).toBe(3);
  });
});

describe("documents", () => {
  const page = (fromUnit: number): DocumentView =>
    ({ nUnits: 10_000, fromUnit, units: Array.from({ length: PAGE }, (_, i) => ({ unit: fromUnit + i })) }) as DocumentView;

  test("bring only the pages that are looked at, once for each state of the log", async () => {
    const load = vi.fn((fromUnit: number) => Promise.resolve(page(fromUnit)));
    const document = new DocumentState("a.md", load);
    await Promise.all([document.ensure(4990, 5010, 1), document.ensure(4995, 5000, 1)]);
    expect(load.mock.calls).toEqual([[4901], [5001]]);
    expect([document.unit(5000)?.unit, document.unit(5001)?.unit, document.unit(1)]).toEqual([5000, 5001, undefined]);
    await document.ensure(5001, 5001, 2);
    expect(load.mock.calls).toHaveLength(3);
  });

  test("an answer that was overtaken is dropped", async () => {
    const answers: ((view: DocumentView) => void)[] = [];
    const document = new DocumentState("a.md", () => new Promise((resolve) => answers.push(resolve)));
    const first = document.ensure(1, 1, 1);
    const second = document.ensure(1, 1, 2);
    answers[1]?.({ ...page(1), nConfirmed: 2 });
    answers[0]?.({ ...page(1), nConfirmed: 1 });
    await Promise.all([first, second]);
    expect(document.head?.nConfirmed).toBe(2);
  });

  test("a document that cannot be read says why", async () => {
    const document = new DocumentState("a.md", () => Promise.reject({ code: "sourceUnreadable", detail: "" }));
    await document.ensure(1, 1, 1);
    expect(document.error?.code).toBe("sourceUnreadable");
  });
});
