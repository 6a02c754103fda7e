/**
 * Lays a picture out from left to right. The engine is large, so it is a file of its own, which runs in a worker: the
 * page stays fluid meanwhile.
 */
import ELK, { type ElkExtendedEdge, type ElkNode } from "elkjs/lib/elk-api.js";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";

import { linkKey } from "../model/graph.ts";
import type { Routes } from "../model/lines.ts";
import type { Box, Size } from "../model/sizes.ts";
import { placeMembers, planBlocks } from "./blocks.ts";
import { isCareful, toOptions } from "./options.ts";

/** A size for each node and fold, and the lines between them. */
interface LayoutInput {
  sizes: ReadonlyMap<string, Size>;
  lines: readonly { from: string; to: string }[];
  /** What everything is about. It is in no block. */
  root: string;
}

interface Layout {
  /** Where each is; the whole begins at 0, 0. */
  boxes: ReadonlyMap<string, Box>;
  /** Of the lines that would cross other nodes. In a large picture, none: their many bends would be harder to follow. */
  routes: Routes;
}

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
    async layOut({ root, ...input }) {
      const { sizes, lines, blocks } = planBlocks(input, root);
      const graph: ElkNode = {
        id: "root",
        layoutOptions: toOptions(lines.length),
        children: [...sizes].map(([id, { width, height }]) => ({ id, width, height })),
        edges: lines.map(({ from, to }, index) => ({ id: `line ${index}`, sources: [from], targets: [to] })),
      };
      const { children = [], edges = [] } = await orAborted(elk.layout(graph), broken.signal);
      const boxes = new Map(
        children.map(({ id, x = 0, y = 0, width = 0, height = 0 }) => [id, { x, y, width, height }] as const),
      );
      return {
        boxes: placeMembers(boxes, blocks),
        routes: isCareful(lines.length) ? listRoutes(edges) : new Map(),
      };
    },
    close: () => elk.terminateWorker(),
  };
}

function listRoutes(edges: readonly ElkExtendedEdge[]): Routes {
  const bent = edges.map(({ sources: [from = ""], targets: [to = ""], sections }) => {
    return [linkKey({ from, to }), sections?.[0]?.bendPoints ?? []] as const;
  });
  return new Map(bent.filter(([, bends]) => bends.length > 0));
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
