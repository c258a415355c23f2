/** Which panels are unfolded and which tab each shows; remembered by the window. */

export type LeftTab = "files" | "history";
export type RightTab = "talk" | "memory" | "checks";

type Kept = { left: boolean; right: boolean; leftTab: LeftTab; rightTab: RightTab };

const KEY = "diglot.panels";
/** Below this width the panels lie over the document, so they begin folded. */
const NARROW = 800;

export class Panels {
  /** Whether the focus is to go to the question that waits. */
  answering = $state(false);
  #kept = $state.raw<Kept>(read());

  get left(): boolean {
    return this.#kept.left;
  }

  get right(): boolean {
    return this.#kept.right;
  }

  get leftTab(): LeftTab {
    return this.#kept.leftTab;
  }

  get rightTab(): RightTab {
    return this.#kept.rightTab;
  }

  toggleLeft(): void {
    this.#keep({ left: !this.left });
  }

  toggleRight(): void {
    this.#keep({ right: !this.right });
  }

  /** Shows a tab, and unfolds its panel. */
  showLeft(leftTab: LeftTab): void {
    this.#keep({ left: true, leftTab });
  }

  showRight(rightTab: RightTab): void {
    this.#keep({ right: true, rightTab });
  }

  /** Shows the question that waits, and puts the focus there. */
  answer(): void {
    this.showRight("talk");
    this.answering = true;
  }

  #keep(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    localStorage.setItem(KEY, JSON.stringify(this.#kept));
  }
}

function read(): Kept {
  const roomy = window.innerWidth >= NARROW;
  const first: Kept = { left: roomy, right: roomy, leftTab: "files", rightTab: "talk" };
  try {
    return { ...first, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>) };
  } catch {
    return first;
  }
}
