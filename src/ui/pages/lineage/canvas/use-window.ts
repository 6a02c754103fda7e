/** The part of the picture that is in the window: fits it at first, and keeps the node in use where it is. */
import { useReactFlow, useStoreApi } from "@xyflow/react";
import { type RefObject, useEffect, useRef } from "react";

import type { Drawn } from "../layout/use-layout.ts";
import { fitAll, fitFirst, isBehind, keepPlace, moveInto, type Viewport } from "../model/fit.ts";
import type { Size } from "../model/sizes.ts";

const SLOW_MS = 250;

export interface CanvasWindow {
  fit: () => void;
  /** Moves a node or fold into the window if it is outside. */
  show: (id: string) => void;
  zoomBy: (factor: number) => void;
}

/**
 * @param anchor the node that stays in its place when the picture changes; the root if it is not in both
 * @param legend closed if it would lie over the picture when that is first shown
 */
export function useCanvasWindow(
  drawn: Drawn | null,
  anchor: string | null,
  legend: RefObject<HTMLDetailsElement | null>,
): CanvasWindow {
  const flow = useReactFlow();
  const store = useStoreApi();
  const before = useRef<Drawn | null>(null);
  const sizeOf = (): Size => {
    const { domNode } = store.getState();
    return { width: domNode?.clientWidth ?? 0, height: domNode?.clientHeight ?? 0 };
  };
  const begin = (viewport: Viewport, { boxes }: Drawn): void => {
    void flow.setViewport(viewport);
    if (legend.current === null) return;
    const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = legend.current;
    const area = { x: offsetLeft, y: offsetTop, width: offsetWidth, height: offsetHeight };
    if (isBehind(viewport, boxes.values(), area)) legend.current.open = false;
  };
  useEffect(() => {
    const last = before.current;
    before.current = drawn;
    if (drawn === null) return;
    const { root, links, folds, impact } = drawn.picture;
    if (impact !== null && impact.known !== last?.picture.impact?.known) {
      begin(fitFirst(drawn.boxes, impact.origin, impact.nodes, sizeOf(), "left"), drawn);
      return;
    }
    if (last === null) {
      const ends = [...links.values()].filter(({ from, to }) => from === root || to === root);
      const ofRoot = folds.filter(({ of }) => of === root).map(({ id }) => id);
      const near = [...ends.flatMap(({ from, to }) => [from, to]), ...ofRoot];
      begin(fitFirst(drawn.boxes, root, near, sizeOf()), drawn);
      return;
    }
    const id = [anchor, root].find((it) => it !== null && last.boxes.has(it) && drawn.boxes.has(it)) ?? root;
    const [was, is] = [last.boxes.get(id), drawn.boxes.get(id)];
    if (was && is) void flow.setViewport(keepPlace(flow.getViewport(), was, is));
    // Only a new layout moves the window, not another anchor.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [drawn]);
  const duration = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : SLOW_MS;
  return {
    fit() {
      if (drawn) void flow.setViewport(fitAll(drawn.boxes.values(), sizeOf()), { duration });
    },
    show(id) {
      const box = drawn?.boxes.get(id);
      if (box) void flow.setViewport(moveInto(flow.getViewport(), box, sizeOf()), { duration });
    },
    zoomBy(factor) {
      void flow.zoomTo(flow.getZoom() * factor, { duration });
    },
  };
}
