/** What the review says of the agent. */

import { expect, test } from "vitest";
import { FakeBackend } from "../backend/fake";
import { Notices } from "../state/notices.svelte";
import { SessionState } from "../state/session.svelte";
import { situationOf } from "./situation";

test("a file whose last drafts wait is not complete, although the agent has nothing left to draft in it", async () => {
  const backend = new FakeBackend({ thinkMs: 0 });
  const view = await backend.call("session_view", { sessionId: 1 });
  const files = view.files.map((file) => ({ ...file, nextOpen: null }));
  const session = new SessionState(backend, new Notices(), { ...view, files });
  expect(situationOf(session).kind).toBe("review");
  session.take({ ...session.view, seq: session.view.seq + 1, files: files.map((file) => ({ ...file, nConfirmed: file.nUnits ?? 0 })) });
  expect(situationOf(session).kind).toBe("fileComplete");
});
