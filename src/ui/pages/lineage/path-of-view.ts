import { pathOfLineage } from "../../assets/asset-row.ts";
import type { Change } from "../impact/change.ts";
import { writeView } from "./model/url-state.ts";
import { createView, type View } from "./model/view.ts";

/** The path of the page that shows a view. */
export function pathOfView(view: View): string {
  return `${pathOfLineage(view.root)}?${writeView(view, new URLSearchParams()).toString()}`;
}

/**
 * The path of the canvas that shows what the change affects, and nothing else.
 * @param root the asset or metric that is changed, or whose column is
 */
export function pathOfChangedLineage(root: string, change: Change): string {
  return pathOfView({ ...createView(root), open: new Map(), change });
}
