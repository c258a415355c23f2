/**
 * Which panels are unfolded and which tab each shows; remembered by the window. A narrow window, as at 200 % zoom, has
 * no room for three columns: there one panel at most lies over the document, and none to begin with.
 */

export type LeftTab = "files" | "history";
export type RightTab = "talk" | "memory" | "checks";

type Side = "left" | "right";
type Kept = { left: boolean; right: boolean; leftTab: LeftTab; rightTab: RightTab };

const KEY = "diglot.panels";
const NARROW = "(width < 800px)";

export class Panels {
  /** Whether the focus is to go to the question that waits. */
  answering = $state(false);
  #kept = $state.raw<Kept>(read());
  #narrow = $state(false);
  /** The panel that lies over the document of a narrow window. */
  #over = $state<Side | null>(null);

  constructor() {
    const narrow = window.matchMedia(NARROW);
    this.#narrow = narrow.matches;
    narrow.addEventListener("change", ({ matches }) => {
      this.#narrow = matches;
      this.#over = null;
    });
  }

  get left(): boolean {
    return this.#narrow ? this.#over === "left" : this.#kept.left;
  }

  get right(): boolean {
    return this.#narrow ? this.#over === "right" : this.#kept.right;
  }

  get leftTab(): LeftTab {
    return this.#kept.leftTab;
  }

  get rightTab(): RightTab {
    return this.#kept.rightTab;
  }

  toggleLeft(): void {
    this.#unfold("left", !this.left);
  }

  toggleRight(): void {
    this.#unfold("right", !this.right);
  }

  /** Shows a tab, and unfolds its panel. */
  showLeft(leftTab: LeftTab): void {
    this.#keep({ leftTab });
    this.#unfold("left", true);
  }

  showRight(rightTab: RightTab): void {
    this.#keep({ rightTab });
    this.#unfold("right", true);
  }

  /** Shows the question that waits, and puts the focus there. */
  answer(): void {
    this.showRight("talk");
    this.answering = true;
  }

  /** Lets the document be seen: in a narrow window the panel over it goes. */
  uncover(): void {
    this.#over = null;
  }

  #unfold(side: Side, open: boolean): void {
    if (this.#narrow) this.#over = open ? side : null;
    else this.#keep({ [side]: open });
  }

  #keep(change: Partial<Kept>): void {
    this.#kept = { ...this.#kept, ...change };
    localStorage.setItem(KEY, JSON.stringify(this.#kept));
  }
}

function read(): Kept {
  const first: Kept = { left: true, right: true, leftTab: "files", rightTab: "talk" };
  try {
    return { ...first, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>) };
  } catch {
    return first;
  }
}
