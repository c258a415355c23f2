/** The findings over all that was confirmed, and how one is set aside. */

import { fireEvent, screen, waitFor } from "@testing-library/svelte";
import { expect, test, vi } from "vitest";
import type { Args, Command, Result } from "../backend/backend";
import type { ChecksView } from "../backend/bindings/ChecksView";
import { FakeBackend } from "../backend/fake";
import { App } from "../state/app.svelte";
import type { SessionState } from "../state/session.svelte";
import { expectAccessible } from "../test/view";
import { renderWithin } from "../test/within";
import ProjectChecks from "./ProjectChecks.svelte";

const PLACE = { path: "guide/intro.md", unit: 2, target: "Às 9." };

/** A host that finds a wrong number and an inconsistency. */
class Host extends FakeBackend {
  #dismissed = false;

  override async call<K extends Command>(command: K, args: Args<K>): Promise<Result<K>> {
    if (command === "session_check") return this.#checks() as Result<K>;
    if (command === "issue_dismiss") this.#dismissed = (args as Args<"issue_dismiss">).dismissed;
    return super.call(command, args);
  }

  #checks(): ChecksView {
    const issue = { kind: "number", blocking: false, missing: ["8"], extra: ["9"], suggestion: null, fingerprint: "n", dismissed: this.#dismissed } as const;
    const targets = ["Fechar", "Feche"].map((target, at) => ({ target, nPlaces: 2 - at, places: [{ path: PLACE.path, unit: 3 + at }] }));
    return {
      nChecked: 4,
      nFindings: this.#dismissed ? 0 : 1,
      findings: [{ ...PLACE, issue: { ...issue, missing: [...issue.missing], extra: [...issue.extra] } }],
      nInconsistencies: 1,
      inconsistencies: [{ source: "Close", targets }],
    };
  }
}

async function check(host: FakeBackend): Promise<SessionState> {
  const app = new App(host);
  await app.start();
  await app.openSession(1);
  const { session } = app;
  if (session === null) throw new Error("no session");
  renderWithin(app, ProjectChecks, { session });
  await fireEvent.click(screen.getByTestId("check-project"));
  return session;
}

test("findings lead to their units, and so do the translations of one source", async () => {
  const session = await check(new Host({ thinkMs: 0 }));
  await screen.findByText("4 checked: 1 finding, 1 source with several translations.");
  await expectAccessible();
  await fireEvent.click(screen.getByRole("button", { name: /A number does not match/ }));
  expect(session.current).toEqual({ path: PLACE.path, unit: 2 });
  await fireEvent.click(screen.getByRole("button", { name: /Feche/ }));
  expect(session.current).toEqual({ path: PLACE.path, unit: 4 });
});

test("a finding is set aside and taken up again, and the focus stays in the list", async () => {
  const host = new Host({ thinkMs: 0 });
  const session = await check(host);
  const call = vi.spyOn(host, "call");
  const aside = await screen.findByTestId("set-aside");
  aside.focus();
  await fireEvent.click(aside);
  await waitFor(() => expect(screen.queryByTestId("finding")).toBeNull());
  expect(call).toHaveBeenCalledWith("issue_dismiss", { sessionId: session.id, ...PLACE, fingerprint: "n", dismissed: true });
  await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("check-project")));
  await fireEvent.click(screen.getByTestId("show-aside"));
  await fireEvent.click(screen.getByRole("button", { name: "Look again" }));
  await screen.findByRole("button", { name: "It is fine" });
});

test("says that nothing is confirmed yet instead of counting to nought", async () => {
  await check(new FakeBackend({ thinkMs: 0 }));
  await screen.findByText("Nothing is confirmed yet.");
});
