import { fireEvent, screen } from "@testing-library/svelte";
import { describe, expect, test, vi } from "vitest";

import type { SessionView } from "../backend/bindings/SessionView";
import { FakeBackend } from "../backend/fake";
import { App } from "../state/app.svelte";
import type { DocumentHead } from "../state/documents.svelte";
import type { SessionState } from "../state/session.svelte";
import { renderWithin } from "../test/within";
import ReviewNotices from "./ReviewNotices.svelte";

const head: DocumentHead = {
  path: "guide/intro.md",
  format: "Markdown",
  encoding: "windows-1252",
  encodingGuessed: false,
  whenMissing: "refuse",
  hasEscapes: false,
  problems: [],
  nUnits: 18,
  nConfirmed: 0,
  nextOpen: 1,
};

async function show(view: Partial<SessionView>, document: Partial<DocumentHead> = {}): Promise<SessionState> {
  const app = new App(new FakeBackend({ thinkMs: 0 }));
  await app.start();
  await app.openSession(1);
  const { session } = app;
  if (session === null) throw new Error("no session");
  session.take({ ...session.view, ...view });
  renderWithin(app, ReviewNotices, { session, head: { ...head, ...document } });
  return session;
}

describe("a notice", () => {
  test("says that a session can be read only in part", async () => {
    const app = new App(new FakeBackend({ thinkMs: 0 }));
    await app.start();
    await app.openSession(1);
    const whole = app.session?.view.session;
    if (whole === undefined) throw new Error("no session");
    await show({ session: { ...whole, isDamaged: true } });
    expect(screen.getByTestId("notice-session-damaged").textContent).toMatch(/cannot be read/);
  });

  test("lets the person decide about a target file of somebody else", async () => {
    const error = { code: "targetEditedOutside", detail: "" } as const;
    const session = await show({ targetProblems: [{ path: "guide/intro.md", target: "/x/guide/intro.md", error }] });
    const resolve = vi.spyOn(session, "resolveTarget").mockResolvedValue(null);
    for (const name of ["Keep theirs", "Replace it", "Write beside it"]) await fireEvent.click(screen.getByText(name));
    expect(resolve.mock.calls.map(([, choice]) => choice)).toEqual(["keep", "overwrite", "beside"]);
  });

  test("offers another encoding than the guessed one", async () => {
    const session = await show({}, { encodingGuessed: true });
    const configure = vi.spyOn(session, "configure").mockResolvedValue(null);
    const choice = screen.getByLabelText<HTMLSelectElement>("Encoding");
    expect(choice.value).toBe("windows-1252");
    await fireEvent.change(choice, { target: { value: "Shift_JIS" } });
    await fireEvent.click(screen.getByText("It looks right"));
    expect(configure.mock.calls).toEqual([
      ["guide/intro.md", "Shift_JIS"],
      ["guide/intro.md", "windows-1252"],
    ]);
  });

  test("says that the source changed, until it is closed", async () => {
    const seq = 9_000;
    await show({ seq, turns: [{ seq, turn: { kind: "sourceChanged", path: "guide/intro.md" } }] });
    expect(screen.getByTestId("notice-source")).toBeDefined();
    await fireEvent.click(screen.getByLabelText("Close this notice"));
    expect(screen.queryByTestId("notice-source")).toBeNull();
  });

  test("says that the folder is missing and what that means", async () => {
    await show({ folderPresent: false });
    expect(screen.getByTestId("notice-folder").textContent).toContain("The folder is not there");
  });
});
