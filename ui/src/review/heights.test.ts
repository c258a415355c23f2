import { describe, expect, test } from "vitest";

import { Heights } from "./heights";

/** The same answers, by adding up. */
function slow(heights: number[], distance: number): number {
  let bottom = 0;
  for (const [index, height] of heights.entries()) {
    bottom += height;
    if (distance < bottom) return index;
  }
  return heights.length - 1;
}

describe("Heights", () => {
  test("answers as adding up does, for any measured rows", () => {
    const plain = Array.from({ length: 137 }, () => 40);
    const heights = new Heights(plain.length, 40);
    for (let round = 0; round < 200; round += 1) {
      const index = (round * 53) % plain.length;
      const height = 20 + ((round * 31) % 200);
      expect(heights.measure(index, height)).toBe(height - (plain[index] ?? 0));
      plain[index] = height;
    }
    const tops = plain.map((_, index) => plain.slice(0, index).reduce((sum, height) => sum + height, 0));
    expect(plain.map((_, index) => heights.top(index))).toEqual(tops);
    for (let distance = 0; distance < heights.total + 100; distance += 17) {
      expect(heights.at(distance)).toBe(slow(plain, distance));
    }
  });

  test("keeps inside of the list", () => {
    const heights = new Heights(3, 10);
    expect([heights.at(-5), heights.at(0), heights.at(29), heights.at(1e9)]).toEqual([0, 0, 2, 2]);
    expect(new Heights(0, 10).total).toBe(0);
    expect(heights.measure(9, 50)).toBe(0);
  });

  test("finds its way in 50,000 rows", () => {
    const heights = new Heights(50_000, 50);
    heights.measure(0, 150);
    expect(heights.total).toBe(50_000 * 50 + 100);
    expect(heights.at(heights.top(49_999))).toBe(49_999);
  });
});
