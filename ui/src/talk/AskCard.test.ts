import { fireEvent, screen } from "@testing-library/svelte";
import type { ComponentProps } from "svelte";
import { describe, expect, test, vi } from "vitest";

import { FakeBackend } from "../backend/fake";
import { App } from "../state/app.svelte";
import { renderWithin } from "../test/within";
import AskCard from "./AskCard.svelte";

function show(props: Partial<ComponentProps<typeof AskCard>> = {}): { onanswer: ReturnType<typeof vi.fn>; oncancel: ReturnType<typeof vi.fn> } {
  const [onanswer, oncancel] = [vi.fn(), vi.fn()];
  const app = new App(new FakeBackend());
  const card = { status: "waiting" as const, question: "Which form?", options: ["tu", "você"], answer: null, onanswer, oncancel, ...props };
  renderWithin(app, AskCard, card);
  return { onanswer, oncancel };
}

describe("a question that waits", () => {
  test("is answered by a choice", async () => {
    const { onanswer } = show();
    expect(screen.getByTestId<HTMLButtonElement>("ask-send").disabled).toBe(true);
    await fireEvent.click(screen.getByLabelText("você"));
    await fireEvent.click(screen.getByTestId("ask-send"));
    expect(onanswer).toHaveBeenCalledExactlyOnceWith({ choice: "você" });
  });

  test("is answered in one's own words by Enter, but not by the Enter of an input method", async () => {
    const { onanswer } = show();
    const words = screen.getByTestId("ask-text");
    await fireEvent.input(words, { target: { value: " vós " } });
    await fireEvent.keyDown(words, { key: "Enter", isComposing: true });
    await fireEvent.keyDown(words, { key: "Enter", keyCode: 229 });
    expect(onanswer).not.toHaveBeenCalled();
    await fireEvent.keyDown(words, { key: "Enter" });
    expect(onanswer).toHaveBeenCalledExactlyOnceWith({ text: "vós" });
  });

  test("takes a choice with words to it, and none of the choices", async () => {
    const { onanswer } = show();
    await fireEvent.click(screen.getByTestId("ask-none"));
    await fireEvent.click(screen.getByTestId("ask-send"));
    expect(onanswer).toHaveBeenLastCalledWith({ text: "None of these" });
    await fireEvent.click(screen.getByLabelText("tu"));
    await fireEvent.input(screen.getByTestId("ask-text"), { target: { value: "only in dialogs" } });
    await fireEvent.click(screen.getByTestId("ask-send"));
    expect(onanswer).toHaveBeenLastCalledWith({ choice: "tu", text: "only in dialogs" });
  });

  test("can be set aside", async () => {
    const { oncancel } = show();
    await fireEvent.click(screen.getByTestId("ask-cancel"));
    expect(oncancel).toHaveBeenCalledTimes(1);
  });

  test("without choices takes words alone", () => {
    show({ options: [] });
    expect(screen.queryByTestId("ask-none")).toBeNull();
    expect(screen.getByLabelText("Your answer")).toBeDefined();
  });
});

describe("a question that does not wait", () => {
  test("has no living buttons while it is prepared", () => {
    show({ status: "preparing" });
    expect(screen.getByRole<HTMLFieldSetElement>("group").disabled).toBe(true);
  });

  test("shows its answer, or that it was set aside", () => {
    show({ status: "answered", answer: "você, always" });
    expect(screen.getByText("você, always")).toBeDefined();
    show({ status: "cancelled" });
    expect(screen.getByText("Set aside without an answer")).toBeDefined();
    expect(screen.queryByTestId("ask-send")).toBeNull();
  });
});
