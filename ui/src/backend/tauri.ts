/** The real host. The only file that knows Tauri. */

import { invoke } from "@tauri-apps/api/core";
import { listen } from "@tauri-apps/api/event";
import { getCurrentWebview } from "@tauri-apps/api/webview";
import type { Args, Backend, Command, FolderDrop, Result, Unlisten } from "./backend";
import type { ApiEvent } from "./bindings/ApiEvent";

const EVENT = "api-event";

/** Tells whether the page runs in the window of the program. */
export function inTauri(): boolean {
  return "__TAURI_INTERNALS__" in window;
}

export class TauriBackend implements Backend {
  call<K extends Command>(command: K, args: Args<K>): Promise<Result<K>> {
    return invoke<Result<K>>(command, { request: args });
  }

  listen(handler: (event: ApiEvent) => void): Promise<Unlisten> {
    return listen<ApiEvent>(EVENT, (event) => handler(event.payload));
  }

  onFolderDrop(handler: (drop: FolderDrop) => void): Promise<Unlisten> {
    return getCurrentWebview().onDragDropEvent(({ payload }) => {
      if (payload.type === "drop") handler({ kind: "drop", paths: payload.paths });
      else if (payload.type === "leave") handler({ kind: "leave" });
      else handler({ kind: "over" });
    });
  }
}
