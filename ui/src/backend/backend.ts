/** The one door to the host: commands by name, events, the few things only a window can do. */

import type { ApiError } from "./bindings/ApiError";
import type { ApiEvent } from "./bindings/ApiEvent";
import type { CommandMap } from "./bindings/CommandMap";

export type Command = keyof CommandMap;
export type Args<K extends Command> = CommandMap[K]["args"];
export type Result<K extends Command> = CommandMap[K]["result"];

/** Takes back what `listen` or `onFolderDrop` set up. */
export type Unlisten = () => void;

/** Tells where a dragged folder is. */
export type FolderDrop = { kind: "over" } | { kind: "leave" } | { kind: "drop"; paths: string[] };

export interface Backend {
  /** Calls a command. Throws an `ApiError` when the command fails. */
  call<K extends Command>(command: K, args: Args<K>): Promise<Result<K>>;
  /** Hears what the application tells without being asked. */
  listen(handler: (event: ApiEvent) => void): Promise<Unlisten>;
  /** Hears folders that are dragged over the window and dropped. */
  onFolderDrop(handler: (drop: FolderDrop) => void): Promise<Unlisten>;
}

/** Makes an `ApiError` of whatever was thrown. */
export function asApiError(thrown: unknown): ApiError {
  if (typeof thrown === "object" && thrown !== null && "code" in thrown && "detail" in thrown) {
    return thrown as ApiError;
  }
  return { code: "internal", detail: thrown instanceof Error ? thrown.message : String(thrown) };
}
