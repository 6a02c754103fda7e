/**
 * Lays a picture out from left to right. The engine is large, so it is a file of its own, which runs in a worker: the
 * page stays fluid meanwhile.
 */
import ELK, { type ElkNode } from "elkjs/lib/elk-api.js";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";

import type { Box, Size } from "../model/sizes.ts";
import { placeMembers, planBlocks } from "./blocks.ts";
import { toOptions } from "./options.ts";

/** A size for each node and fold, and the lines between them. */
interface LayoutInput {
  sizes: ReadonlyMap<string, Size>;
  lines: readonly { from: string; to: string }[];
  /** What everything is about. It is in no block. */
  root: string;
}

export interface Layouter {
  /**
   * @returns where the upper left corner of each is; the whole begins at 0, 0
   * @throws Error if the engine cannot be loaded, or fails
   */
  layOut: (input: LayoutInput) => Promise<ReadonlyMap<string, Box>>;
  close: () => void;
}

/** Starts the worker, which loads the engine. */
export function createLayouter(): Layouter {
  const worker = new Worker(workerUrl);
  const broken = new AbortController();
  worker.addEventListener("error", () => broken.abort(new Error("The layout engine does not run.")));
  const elk = new ELK({ workerFactory: () => worker });
  return {
    async layOut({ root, ...input }) {
      const { sizes, lines, blocks } = planBlocks(input, root);
      const graph: ElkNode = {
        id: "root",
        layoutOptions: toOptions(lines.length),
        children: [...sizes].map(([id, { width, height }]) => ({ id, width, height })),
        edges: lines.map(({ from, to }, place) => ({ id: `line ${place}`, sources: [from], targets: [to] })),
      };
      const { children = [] } = await orAborted(elk.layout(graph), broken.signal);
      const boxes = new Map(
        children.map(({ id, x = 0, y = 0, width = 0, height = 0 }) => [id, { x, y, width, height }] as const),
      );
      return placeMembers(boxes, blocks);
    },
    close: () => elk.terminateWorker(),
  };
}

/** The engine waits for the worker's answers and for nothing else, so it would wait for ever for one that is not loaded. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason);
    signal.addEventListener("abort", giveUp);
    void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  });
}
