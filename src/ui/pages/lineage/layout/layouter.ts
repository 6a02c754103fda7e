/** The layout engine is large, so it is a file of its own, which runs in a worker: the page stays fluid meanwhile. */
import ELK from "elkjs/lib/elk-api.js";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";

import { type Layout, type LayoutInput, layOut } from "./layout.ts";

export interface Layouter {
  /** @throws Error if the engine cannot be loaded, or fails */
  layOut: (input: LayoutInput) => Promise<Layout>;
  close: () => void;
}

/** Starts the worker, which loads the engine. */
export function createLayouter(): Layouter {
  const worker = new Worker(workerUrl);
  const broken = new AbortController();
  worker.addEventListener("error", () => broken.abort(new Error("The layout engine does not run.")));
  const elk = new ELK({ workerFactory: () => worker });
  return {
    layOut: (input) => orAborted(layOut(elk, input), broken.signal),
    close: () => elk.terminateWorker(),
  };
}

/** The engine waits only for the worker's answers. Without this, it would wait forever for a worker that failed to load. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    signal.addEventListener("abort", giveUp);
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}
