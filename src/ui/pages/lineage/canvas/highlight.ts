/** Highlights what is selected or under the pointer, and its path to the root. */
import { createContext, useContext } from "react";

import type { Risk } from "../../../parts/marks.tsx";
import { linkKey } from "../model/graph.ts";
import { linksOf } from "../model/impact.ts";
import type { Line } from "../model/lines.ts";
import { findPaths } from "../model/paths.ts";
import type { Picture } from "../model/picture.ts";

export interface Highlight {
  /** Null if nothing is highlighted, so that everything looks the same. */
  nodes: ReadonlySet<string> | null;
  /** By the ids of lines. */
  lines: ReadonlySet<string>;
  /** How bad a change is for nodes; the lines that it passes over have the colour of the risk. */
  risks: ReadonlyMap<string, Risk>;
  columns: ReadonlySet<string>;
  selected: string | null;
}

const NO_HIGHLIGHT: Highlight = { nodes: null, lines: new Set(), risks: new Map(), columns: new Set(), selected: null };

const HighlightContext = createContext<Highlight>(NO_HIGHLIGHT);
export const HighlightProvider = HighlightContext.Provider;

export function useHighlight(): Highlight {
  return useContext(HighlightContext);
}

interface At {
  /** The node or fold to come from. */
  node: string | null;
  /** A column of it. */
  column: string | null;
  selected: string | null;
}

export function highlight(lines: readonly Line[], picture: Picture, { node, column, selected }: At): Highlight {
  const none = { ...NO_HIGHLIGHT, selected };
  if (node !== null && column !== null) return { ...none, ...highlightColumn(lines, node, column) };
  const among = (links: ReadonlySet<string>) =>
    new Set(lines.filter((line) => links.has(linkKey(line))).map(({ id }) => id));
  const { root, impact, path, nodes } = picture;
  if (impact !== null && (node === null || node === impact.origin || impact.ways.has(node))) {
    const ways = node === null || node === impact.origin ? [...impact.ways.values()] : [impact.ways.get(node) ?? []];
    // One line replaces the links through hidden nodes.
    const links = linksOf(ways.map((way) => way.filter((id) => nodes.has(id))));
    const risks = new Map(Array.from(impact.affected.values(), ({ id, risk }) => [id, risk]));
    return { ...none, nodes: impact.nodes, lines: among(links), risks };
  }
  if (path !== null && (node === null || path.nodes.has(node)))
    return { ...none, nodes: path.nodes, lines: among(path.links) };
  if (node === null || node === root) return none;
  const paths = findPaths(lines, root, node);
  return { ...none, nodes: paths.nodes, lines: among(paths.links) };
}

/** The shown columns that the column comes from and goes to. */
function highlightColumn(
  lines: readonly Line[],
  node: string,
  column: string,
): Pick<Highlight, "nodes" | "lines" | "columns"> {
  const columns = new Set([column]);
  const nodes = new Set([node]);
  const on = new Set<string>();
  for (const end of [0, 1] as const) {
    const reached = new Set([column]);
    for (const id of reached) {
      for (const line of lines) {
        if (line.columns === null || line.columns[end] !== id) continue;
        on.add(line.id);
        nodes.add(line.from).add(line.to);
        reached.add(line.columns[1 - end] ?? id);
      }
    }
    for (const id of reached) columns.add(id);
  }
  return { nodes, lines: on, columns };
}
