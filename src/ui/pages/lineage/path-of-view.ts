import { pathOfLineage } from "../../assets/asset-row.ts";
import type { Change } from "../impact/change.ts";
import { writeView } from "./model/url-state.ts";
import { createView, showHops, type View } from "./model/view.ts";

/** The path of the page that shows a view. */
export function pathOfView(view: View): string {
  return `${pathOfLineage(view.root)}?${writeView(view).toString()}`;
}

/**
 * The path of the canvas that compares a lineage with how it would be with a manifest.
 * @param savedImpact the id of the answer about the manifest
 * @param up how many hops upstream are shown; null if the catalog does not have the root
 */
export function pathOfComparedLineage(root: string, savedImpact: string, up: number | null): string {
  const first = createView(root);
  const view = up === null ? first : showHops(first, { up: Math.max(up, 1), down: 1 });
  return pathOfView({ ...view, compareWith: savedImpact });
}

/**
 * The path of the canvas that shows what the change affects, and nothing else.
 * @param root the asset or metric that is changed, or whose column is
 */
export function pathOfChangedLineage(root: string, change: Change): string {
  return pathOfView({ ...createView(root), open: new Map(), change });
}
