/** What can be done anywhere in the window. */

import { tick } from "svelte";
import type { App } from "../state/app.svelte";
import type { UiCommand } from "../state/commands.svelte";
import type { LeftTab, RightTab } from "../state/panels.svelte";

const LEFT: readonly LeftTab[] = ["files", "history"];
const RIGHT: readonly RightTab[] = ["talk", "memory", "checks"];

export function windowCommands(app: App): UiCommand[] {
  const title = (id: keyof App["t"]["window"]["commands"]) => () => app.t.window.commands[id];
  const inReview = (): boolean => app.route === "review" && app.session !== null;
  const panel = (tab: LeftTab | RightTab, unfold: () => void): UiCommand => ({
    id: tab,
    group: "window",
    title: title(tab),
    enabled: inReview,
    run: () => {
      unfold();
      void tick().then(() => document.querySelector<HTMLElement>(`[role="tab"][data-tab="${tab}"]`)?.focus());
    },
  });
  return [
    { id: "palette", group: "window", title: title("palette"), chord: "Mod+k", run: () => (app.overlay = "palette") },
    { id: "keys", group: "window", title: title("keys"), chord: "F1", run: () => (app.overlay = "keys") },
    {
      id: "fold-left",
      group: "window",
      title: title("foldLeft"),
      chord: "Mod+b",
      enabled: inReview,
      run: () => app.panels.toggleLeft(),
    },
    {
      id: "fold-right",
      group: "window",
      title: title("foldRight"),
      chord: "Mod+j",
      enabled: inReview,
      run: () => app.panels.toggleRight(),
    },
    ...LEFT.map((tab) => panel(tab, () => app.panels.showLeft(tab))),
    ...RIGHT.map((tab) => panel(tab, () => app.panels.showRight(tab))),
    { id: "start", group: "window", title: title("start"), run: () => app.goToStart() },
    { id: "open-folder", group: "window", title: title("openFolder"), chord: "Mod+o", run: () => void app.pickFolder() },
    {
      id: "rules",
      group: "window",
      title: title("rules"),
      enabled: () => app.project !== null && app.route !== "settings",
      run: () => (app.overlay = "rules"),
    },
    {
      id: "guides",
      group: "window",
      title: title("guides"),
      enabled: () => app.projectId !== null && app.route !== "settings",
      run: () => (app.overlay = "guides"),
    },
    {
      id: "terms",
      group: "window",
      title: title("terms"),
      enabled: inReview,
      run: () => (app.overlay = "terms"),
    },
    {
      id: "back",
      group: "window",
      title: title("back"),
      chord: "Escape",
      enabled: () => app.route === "settings",
      run: () => app.closeSettings(),
    },
    { id: "settings", group: "window", title: title("settings"), chord: "Mod+,", run: () => app.openSettings() },
    {
      id: "stop",
      group: "session",
      title: title("stop"),
      chord: "Escape",
      enabled: () => inReview() && app.session?.busy === true,
      run: () => void app.session?.stop(),
    },
    {
      id: "answer",
      group: "session",
      title: title("answer"),
      enabled: () => inReview() && (app.session?.questions.length ?? 0) > 0,
      run: () => app.panels.answer(),
    },
    {
      id: "go-on",
      group: "session",
      title: title("goOn"),
      enabled: () => inReview() && app.session?.busy === false && app.session.view.requests.length === 0 && app.session.view.finish !== "complete",
      run: () => void app.session?.resume(app.t.review.resumeWords),
    },
  ];
}
