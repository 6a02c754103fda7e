import { useEffect, useRef, useState } from "react";
import ELK from "elkjs/lib/elk-api.js";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";

import type { LineageGraph } from "../model/graph.ts";
import { listDashboards } from "../model/impact.ts";
import type { Picture } from "../model/picture.ts";
import type { Routes } from "../model/lines.ts";
import { type Box, FOLD_HEIGHT, NODE_WIDTH, type Size, sizeOfNode } from "../model/sizes.ts";
import { type Layout, layOut, type LayoutInput } from "./layout.ts";

/** A picture with the place of everything in it. */
export interface Drawn {
  picture: Picture;
  boxes: ReadonlyMap<string, Box>;
  routes: Routes;
  /** The nodes whose columns are shown. */
  columns: ReadonlySet<string>;
}

interface Wanted {
  picture: Picture;
  graph: LineageGraph;
  columns: ReadonlySet<string>;
  /** False while more is on its way: a picture that changes again at once is not worth a layout. */
  isSettled: boolean;
}

export function useLayout({ picture, graph, columns, isSettled }: Wanted) {
  /** The last picture that was laid out; null before the first one. */
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  /** True if the engine could not be loaded, or failed. */
  const [hasFailed, setFailed] = useState(false);
  const layouter = useRef<Layouter | null>(null);
  const last = useRef<Drawn | null>(null);
  useEffect(() => {
    layouter.current = createLayouter();
    return () => layouter.current?.close();
  }, []);
  useEffect(() => {
    if (!isSettled || !picture.nodes.has(picture.root)) return undefined;
    let isOutdated = false;
    const draw = async (): Promise<void> => {
      const shown = new Set([...columns].filter((id) => graph.columns.has(id)));
      const layout = await layouter.current?.layOut(toInput(picture, graph, shown, last.current));
      if (isOutdated || layout === undefined) return;
      last.current = { picture, ...layout, columns: shown };
      setDrawn(last.current);
      setFailed(false);
    };
    draw().catch((error: unknown) => {
      if (isOutdated) return;
      // The browser's console is where a page's fault is looked up.
      console.warn("The picture could not be drawn.", error);
      setFailed(true);
    });
    return () => {
      isOutdated = true;
    };
  }, [picture, graph, columns, isSettled]);
  return { drawn, hasFailed };
}

function toInput(
  picture: Picture,
  graph: LineageGraph,
  columns: ReadonlySet<string>,
  drawn: Drawn | null,
): LayoutInput {
  const sizes = new Map<string, Size>();
  for (const id of picture.nodes.keys()) sizes.set(id, sizeOfNode(columns.has(id) ? graph.columns.get(id) : undefined));
  const folds = picture.folds.map(({ id, of, side }) => (side === "up" ? { from: id, to: of } : { from: of, to: id }));
  // After the nodes, so that a fold comes below the neighbours that are shown.
  for (const { id } of picture.folds) sizes.set(id, { width: NODE_WIDTH, height: FOLD_HEIGHT });
  const isSame = drawn?.picture.root === picture.root;
  // A fold has no place of its own: it comes below the neighbours that are shown.
  const before = isSame ? new Map([...drawn.boxes].filter(([id]) => drawn.picture.nodes.has(id))) : null;
  const last = new Set(picture.impact === null ? [] : listDashboards(picture.impact));
  return { root: picture.root, sizes, lines: [...picture.links.values(), ...folds], last, before };
}

type Layouter = ReturnType<typeof createLayouter>;

/** Starts the worker. The layout engine is large, so it is a file of its own, and the page stays fluid meanwhile. */
function createLayouter() {
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
