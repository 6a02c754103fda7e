/** The layout engine is large, so it is a file of its own, which runs in a worker: the page stays fluid meanwhile. */
import ELK from "elkjs/lib/elk-api.js";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";

import { type Layout, type LayoutInput, layOut } from "./layout.ts";

export type Layouter = ReturnType<typeof createLayouter>;

/** Starts the worker, which loads the engine. */
export function createLayouter() {
  const worker = new Worker(workerUrl);
  // The engine waits only for the worker's answers. Without this, it would wait forever for one that failed to load.
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => {});
  worker.addEventListener("error", () => broken.reject(new Error("The layout engine does not run.")));
  const elk = new ELK({ workerFactory: () => worker });
  return {
    /** @throws Error if the engine cannot be loaded, or fails */
    layOut: (input: LayoutInput): Promise<Layout> => Promise.race([layOut(elk, input), broken.promise]),
    close: (): void => elk.terminateWorker(),
  };
}
