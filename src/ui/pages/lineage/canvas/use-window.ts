/** The part of the picture that is in the window. It moves no more than is needed to show what somebody asked for. */
import { useReactFlow, useStoreApi } from "@xyflow/react";
import { useEffect, useRef } from "react";

import type { Drawn } from "../layout/use-layout.ts";
import { type Edge, fitAll, fitReadable, keepPlace, listOutside, moveInto, sortByDistance } from "../model/fit.ts";
import { listLookedAt } from "../model/impact.ts";
import type { Picture } from "../model/picture.ts";
import type { Box, Size } from "../model/sizes.ts";

const SLOW_MS = 250;

export type CanvasWindow = ReturnType<typeof useCanvasWindow>;

/** @param anchor the node that stays in its place when the picture changes; the root if it is not in both */
export function useCanvasWindow(drawn: Drawn | null, anchor: string | null) {
  const flow = useReactFlow();
  const store = useStoreApi();
  const before = useRef<Drawn | null>(null);
  const sizeOf = (): Size => {
    const { domNode } = store.getState();
    return { width: domNode?.clientWidth ?? 0, height: domNode?.clientHeight ?? 0 };
  };
  const duration = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : SLOW_MS;
  useEffect(() => {
    const last = before.current;
    before.current = drawn;
    if (drawn === null) return;
    const { picture, boxes } = drawn;
    if (last === null || isAnother(last.picture, picture)) {
      const isFirst = last?.picture.root !== picture.root;
      void flow.setViewport(fitReadable(boxes, listFirst(picture, boxes, { isFirst, anchor }), sizeOf()));
      return;
    }
    const id = [anchor, picture.root].find((it) => it !== null && last.boxes.has(it) && boxes.has(it)) ?? picture.root;
    const [was, is] = [last.boxes.get(id), boxes.get(id)];
    if (was === undefined || is === undefined) return;
    const kept = keepPlace(flow.getViewport(), was, is);
    const added = [...boxes.keys()].filter((it) => !last.boxes.has(it));
    const isSame = added.length === 0 && last.boxes.size === boxes.size;
    void flow.setViewport(kept);
    if (isSame && was.height === is.height) return;
    const moved = moveInto(kept, boxes, [id, ...sortByDistance(added, boxes, is)], sizeOf());
    if (moved !== kept) void flow.setViewport(moved, { duration });
    // Only a new layout moves the window, not another anchor.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [drawn]);
  return {
    fit(): void {
      if (drawn) void flow.setViewport(fitAll(drawn.boxes.values(), sizeOf()), { duration });
    },
    /** Moves a node or fold into the window if it is outside. */
    show(id: string): void {
      if (drawn?.boxes.has(id))
        void flow.setViewport(moveInto(flow.getViewport(), drawn.boxes, [id], sizeOf()), { duration });
    },
    /** Moves to what is outside at this edge: as much as can be read at once, the nearest first. */
    showOutside(edge: Edge): void {
      if (drawn === null) return;
      const { x, y, zoom } = flow.getViewport();
      const size = sizeOf();
      const outside = listOutside({ x, y, zoom }, drawn.boxes, size)[edge];
      const middle = { x: (size.width / 2 - x) / zoom, y: (size.height / 2 - y) / zoom, width: 0, height: 0 };
      const nearest = sortByDistance(outside, drawn.boxes, middle);
      void flow.setViewport(fitReadable(drawn.boxes, nearest, size), { duration });
    },
    zoomBy(factor: number): void {
      void flow.zoomTo(flow.getZoom() * factor, { duration });
    },
  };
}

/** True if it answers another question, so that the window begins anew. */
function isAnother(last: Picture, now: Picture): boolean {
  const isOtherImpact = now.impact !== null && now.impact.known !== last.impact?.known;
  const isOtherPath =
    now.path !== null && (last.path === null || now.path.nodes.symmetricDifference(last.path.nodes).size > 0);
  const isFiltered = now.hidden.symmetricDifference(last.hidden).size > 0;
  return last.root !== now.root || isOtherImpact || isOtherPath || isFiltered;
}

/**
 * What the window shows, as far as there is room: what a link chose, what a change breaks that people look at, or what
 * is nearest.
 * @param shown.isFirst true if no picture of this root was shown before
 */
function listFirst(
  picture: Picture,
  boxes: ReadonlyMap<string, Box>,
  { isFirst, anchor }: { isFirst: boolean; anchor: string | null },
): string[] {
  const { root, links, folds, impact, path } = picture;
  const start = impact?.origin ?? root;
  const box = boxes.get(start);
  const all = box === undefined ? [...boxes.keys()] : sortByDistance(boxes.keys(), boxes, box);
  const chosen = anchor === null ? [] : [anchor];
  // Somebody who asks on the canvas keeps what is changed in sight.
  if (impact !== null)
    return isFirst
      ? [...chosen, ...listLookedAt(impact), start, ...all]
      : [start, ...chosen, ...listLookedAt(impact), ...all];
  const ends = [...links.values()].filter(({ from, to }) => from === root || to === root);
  const ofRoot = folds.filter(({ of }) => of === root).map(({ id }) => id);
  const near = new Set([...ends.flatMap(({ from, to }) => [from, to]), ...ofRoot, ...(path?.nodes ?? [])]);
  return [start, ...chosen, ...all.filter((id) => near.has(id)), ...all];
}
