/** Owns what is shown of each file of a session: the folder's file where it is there, and how far it is. Pure. */

import type { FileView } from "../backend/bindings/FileView";
import type { ProgressView } from "../backend/bindings/ProgressView";

/** A file of the session. */
export type Leaf = { path: string; file: FileView | undefined; progress: ProgressView | undefined };

/** Puts the files of the folder and what the session knows of them together; files that are gone come last. */
export function leavesOf(files: readonly FileView[], progress: readonly ProgressView[]): Leaf[] {
  const known = new Map(progress.map((each) => [each.path, each]));
  const there = files.map((file): Leaf => ({ path: file.path, file, progress: known.get(file.path) }));
  const paths = new Set(files.map((file) => file.path));
  const gone = progress.filter((each) => !paths.has(each.path));
  return [...there, ...gone.map((each): Leaf => ({ path: each.path, file: undefined, progress: each }))];
}

/** Counts the units of a file; `null` while nobody has counted them. */
export function unitsOf({ file, progress }: Leaf): number | null {
  return progress?.nUnits ?? file?.nUnits ?? null;
}

/** Counts the open units of a file; `null` while nobody has counted them. */
export function openUnits(leaf: Leaf): number | null {
  const nUnits = unitsOf(leaf);
  return nUnits === null ? null : nUnits - (leaf.progress?.nConfirmed ?? 0);
}

/** Adds the files up: also those that the agent has not come to yet. */
export function totalsOf(leaves: readonly Leaf[]): { nUnits: number; nConfirmed: number } {
  const sum = (count: (leaf: Leaf) => number): number => leaves.reduce((all, leaf) => all + count(leaf), 0);
  return { nUnits: sum((leaf) => unitsOf(leaf) ?? 0), nConfirmed: sum((leaf) => leaf.progress?.nConfirmed ?? 0) };
}
