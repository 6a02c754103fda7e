/** What has to be loaded before a view can be drawn as it is meant. */
import { type LineageGraph, type Side, SIDES, sideKey } from "./graph.ts";
import { drawPicture } from "./picture.ts";
import type { View } from "./view.ts";

export type Need =
  | { what: "nodes"; ids: readonly string[] }
  | { what: "page"; id: string; side: Side; count: number; after: string | null }
  | { what: "columns"; id: string };

/** The largest page that the service answers. */
const MAX_PAGE = 100;
const MAX_IDS = 50;

/** A name for a need, the same whenever it is found again. */
export function needKey(need: Need): string {
  if (need.what === "nodes") return `nodes ${need.ids.join()}`;
  return need.what === "page" ? `page ${need.id} ${need.side} ${need.after}` : `columns ${need.id}`;
}

/** @returns what can be loaded now; more may be needed once it is there */
export function listNeeds(graph: LineageGraph, view: View): Need[] {
  if (!graph.nodes.has(view.root)) return listFirstNeeds(view);
  const needs: Need[] = [];
  const shown = drawPicture(graph, { ...view, hidden: new Set() });
  for (const [id, node] of shown.nodes) {
    for (const side of SIDES) {
      const wanted = Math.min(view.open.get(sideKey(id, side)) ?? 0, node.totals[side]);
      const list = graph.lists.get(sideKey(id, side));
      const count = Math.min(wanted - (list?.ids.length ?? 0), MAX_PAGE);
      if (count > 0 && list?.cursor !== null) {
        needs.push({ what: "page", id, side, count, after: list?.cursor ?? null });
      }
    }
    if (view.columns.has(id) && !graph.columns.has(id)) needs.push({ what: "columns", id });
  }
  const missing = [...view.picked.values()].flat().filter((id) => !graph.nodes.has(id));
  if (missing.length > 0) needs.push({ what: "nodes", ids: missing.slice(0, MAX_IDS) });
  return needs;
}

/** The root's neighbours are asked for together with it, so that the first picture takes one round. */
function listFirstNeeds({ root, open }: View): Need[] {
  const pages = SIDES.flatMap((side): Need[] => {
    const count = Math.min(open.get(sideKey(root, side)) ?? 0, MAX_PAGE);
    return count === 0 ? [] : [{ what: "page", id: root, side, count, after: null }];
  });
  return [{ what: "nodes", ids: [root] }, ...pages];
}
