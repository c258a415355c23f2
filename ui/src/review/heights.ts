/** Owns where rows of unequal height stand in a long list. Pure: knows no element and no unit. */

/** Heights of rows in pixels: measured ones, and an estimate for the others. Every question costs O(log n). */
export class Heights {
  /** Differences to the estimate, as a Fenwick tree; position 0 is unused. */
  readonly #tree: Float64Array;
  readonly #differences: Float64Array;

  constructor(
    readonly count: number,
    readonly estimate: number,
  ) {
    this.#tree = new Float64Array(count + 1);
    this.#differences = new Float64Array(count);
  }

  /** Height of all rows. */
  get total(): number {
    return this.top(this.count);
  }

  /** Stores a measured height and returns by how much the row grew. */
  measure(index: number, height: number): number {
    const before = this.#differences[index];
    if (before === undefined) return 0;
    const growth = height - this.estimate - before;
    if (growth === 0) return 0;
    this.#differences[index] = before + growth;
    for (let at = index + 1; at <= this.count; at += at & -at) {
      this.#tree[at] = (this.#tree[at] ?? 0) + growth;
    }
    return growth;
  }

  /** Distance from the first row's top to the top of row `index`. */
  top(index: number): number {
    let sum = index * this.estimate;
    for (let at = index; at > 0; at -= at & -at) sum += this.#tree[at] ?? 0;
    return sum;
  }

  /** Index of the row at a distance from the top; the nearest row outside of the list. */
  at(distance: number): number {
    let index = 0;
    let left = distance;
    for (let step = highestPower(this.count); step > 0; step >>= 1) {
      const next = index + step;
      if (next > this.count) continue;
      const height = step * this.estimate + (this.#tree[next] ?? 0);
      if (height > left) continue;
      index = next;
      left -= height;
    }
    return Math.max(0, Math.min(index, this.count - 1));
  }
}

function highestPower(count: number): number {
  let power = 1;
  while (power * 2 <= count) power *= 2;
  return power;
}
