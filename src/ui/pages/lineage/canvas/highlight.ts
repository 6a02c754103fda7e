/** What is selected or under the pointer, and the way from there to the root. */
import { createContext, useContext } from "react";

import { linkKey } from "../model/graph.ts";
import type { Line } from "../model/lines.ts";
import { findPaths } from "../model/paths.ts";

export interface Highlight {
  /** Null if nothing is highlighted, so that everything looks the same. */
  nodes: ReadonlySet<string> | null;
  /** By the ids of lines. */
  lines: ReadonlySet<string>;
  columns: ReadonlySet<string>;
  selected: string | null;
}

const NO_HIGHLIGHT: Highlight = { nodes: null, lines: new Set(), columns: new Set(), selected: null };

const HighlightContext = createContext<Highlight>(NO_HIGHLIGHT);
export const HighlightProvider = HighlightContext.Provider;

export function useHighlight(): Highlight {
  return useContext(HighlightContext);
}

interface At {
  root: string;
  /** The node or fold to come from. */
  node: string | null;
  /** A column of it. */
  column: string | null;
  selected: string | null;
}

export function highlight(lines: readonly Line[], { root, node, column, selected }: At): Highlight {
  if (column !== null) return { ...highlightColumn(lines, column), selected };
  if (node === null || node === root) return { ...NO_HIGHLIGHT, selected };
  const paths = findPaths(lines, root, node);
  const on = lines.filter((line) => paths.links.has(linkKey(line)));
  return { nodes: paths.nodes, lines: new Set(on.map(({ id }) => id)), columns: new Set(), selected };
}

/** All that the column comes from and goes to, as far as columns are shown. */
function highlightColumn(lines: readonly Line[], column: string): Omit<Highlight, "selected"> {
  const columns = new Set([column]);
  const nodes = new Set<string>();
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
