/** The guides of the host in memory. */

import type { ExportView } from "../bindings/ExportView";
import type { GuideFileView } from "../bindings/GuideFileView";
import type { GuidesView } from "../bindings/GuidesView";
import type { GuideView } from "../bindings/GuideView";
import type { NoArgs } from "../bindings/NoArgs";
import { fail } from "./session";

/** What stands in the file that the person always chooses. */
export const FILE = "# House style\n\nShort sentences. No exclamation marks.\n";

export class FakeGuides {
  #guides: GuideView[] = [];

  view(): GuidesView {
    const guides = this.#guides.toSorted((a, b) => a.title.localeCompare(b.title));
    return { guides, mostAttached: 20 };
  }

  save(text: string, id?: number): GuidesView {
    const { title, opening } = headOf(text);
    if (title === "") throw fail("guideRefused");
    const owner = this.#guides.find((guide) => guide.title.toLowerCase() === title.toLowerCase());
    if (owner !== undefined && owner.id !== id) throw fail("guideTaken");
    const old = this.#guides.find((guide) => guide.id === id);
    const guide: GuideView = {
      id: old?.id ?? Math.max(0, ...this.#guides.map((each) => each.id)) + 1,
      title,
      opening,
      text,
      isAttached: old?.isAttached ?? true,
      nTokens: Math.ceil(text.length / 4),
      updatedAt: Date.now(),
    };
    this.#guides = [...this.#guides.filter((each) => each.id !== guide.id), guide];
    return this.view();
  }

  remove(id: number): NoArgs {
    this.#guides = this.#guides.filter((guide) => guide.id !== id);
    return {};
  }

  attach(id: number, isAttached: boolean): GuidesView {
    this.#guides = this.#guides.map((guide) => (guide.id === id ? { ...guide, isAttached } : guide));
    return this.view();
  }

  file(): GuideFileView {
    const { title } = headOf(FILE);
    return { id: this.#guides.find((guide) => guide.title === title)?.id ?? null, title, text: FILE };
  }

  write(id: number): ExportView {
    const guide = this.#guides.find((each) => each.id === id);
    if (guide === undefined) throw fail("badRequest");
    return { path: `/home/ana/${guide.title}.md` };
  }
}

function headOf(text: string): { title: string; opening: string } {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return { title: (lines[0] ?? "").replace(/^#+\s*/, "").trim(), opening: (lines[1] ?? "").trim() };
}
