/** The lineage of a new project, looked up edge by edge. */
import { fold } from "../catalog/text.ts";
import type { CrawlError } from "../catalog/crawl.ts";

export interface LineageIndex {
  /** @param owner the table or model of a column, null for everything else */
  addNode(id: string, owner: string | null): void;
  /** Its columns, or what it measures, come from what `addEdge` says, and from nothing else. */
  addKnown(id: string): void;
  addEdge(from: string, to: string): void;
  has(id: string): boolean;
  isKnown(id: string): boolean;
  hasEdge(from: string, to: string): boolean;
  /** Whether a column goes into this node, or into a column of it. */
  uses(column: string, id: string): boolean;
  /** Whether it could not be read, or depends on what is missing: the new project's word on it is not whole. */
  isTorn(node: { sourceId: string; fqn: string }): boolean;
}

export function createLineageIndex(errors: readonly CrawlError[]): LineageIndex {
  const owners = new Map<string, string | null>();
  const known = new Set<string>();
  const edges = new Set<string>();
  const used = new Set<string>();
  const torn = new Set(
    errors
      .filter(
        ({ code, stage, severity }) => code === "missing_reference" || (stage === "parse" && severity === "error"),
      )
      .flatMap(({ object }) => [object, lastPart(object)]),
  );
  return {
    addNode(id, owner) {
      owners.set(id, owner);
    },
    addKnown(id) {
      known.add(id);
    },
    addEdge(from, to) {
      edges.add(`${from} ${to}`);
      used.add(`${from} ${owners.get(to) ?? to}`);
    },
    has: (id) => owners.has(id),
    isKnown: (id) => known.has(id),
    hasEdge: (from, to) => edges.has(`${from} ${to}`),
    uses: (column, id) => used.has(`${column} ${id}`),
    isTorn: ({ sourceId, fqn }) => torn.has(sourceId) || torn.has(lastPart(fqn)),
  };
}

/** The name in dbt's unique id or in a fully qualified name, folded. */
export function lastPart(object: string): string {
  return fold(object.slice(object.lastIndexOf(".") + 1));
}
