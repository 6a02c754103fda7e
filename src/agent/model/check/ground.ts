/** What a claim is held against: the graph, asked once for each thing however many claims ask for it. */
import type { CatalogNode, NodeType } from "../../../catalog/asset.ts";
import type { Direction } from "../../../catalog/edge.ts";
import type { Lineage } from "../../../catalog/lineage.ts";
import type { NodeFilter } from "../../../graph/catalog-graph.ts";
import type { AgentCatalog } from "../../catalog.ts";

/** Nodes of a walk whose certification is looked at. */
const MAX_READ = 1_000;

/** What counted nodes must be; null where anything will do. */
export interface Kind {
  types: readonly NodeType[] | null;
  certification: CatalogNode["certification"] | null;
}

export interface Ground {
  /** Hops from the upstream end to the downstream end; null where no way is known. */
  distance(from: CatalogNode, to: CatalogNode): Promise<number | null>;
  /** Whether everything that a node reaches was looked at, so that what was not found is not there. */
  knowsAll(node: CatalogNode): Promise<boolean>;
  /** How many of a kind lie on one side of a node: directly, and in all. Null where it cannot be told. */
  countAround(node: CatalogNode, direction: Direction, kind: Kind): Promise<{ direct: number; all: number } | null>;
  countColumns(node: CatalogNode): Promise<number>;
  /** How many there are in the workspace. */
  countAll(filter: NodeFilter): Promise<number>;
  /** Whoever is named as the owner of a node, or of the table that a column belongs to. */
  ownersOf(node: CatalogNode): Promise<{ owner: string; ownerName: string }>;
}

export function createGround(catalog: AgentCatalog): Ground {
  const walks = new Map<string, Promise<Lineage | null>>();
  const walk = (id: string, direction: Direction): Promise<Lineage | null> => {
    const key = `${direction} ${id}`;
    const known = walks.get(key) ?? catalog.walk(id, direction);
    walks.set(key, known);
    return known;
  };
  return {
    async distance(from, to) {
      const [start, end] = atOneLevel(from, to);
      const found = await walk(start, "downstream");
      return found?.nodes.find(({ id }) => id === end)?.depth ?? null;
    },
    async knowsAll(node) {
      const found = await walk(node.id, "downstream");
      return found !== null && !found.truncated;
    },
    async countAround(node, direction, { types, certification }) {
      const found = await walk(node.id, direction);
      if (found === null || found.truncated) return null;
      const fit = found.nodes.filter(({ type }) => types === null || types.includes(type));
      if (fit.length > MAX_READ && certification !== null) return null;
      const nodes = certification === null ? [] : await catalog.load(fit.map(({ id }) => id));
      const counted = fit.filter((_, i) => certification === null || nodes[i]?.certification === certification);
      return { direct: counted.filter(({ depth }) => depth === 1).length, all: counted.length };
    },
    async countColumns(node) {
      return (await catalog.columnsOf(node.id)).length;
    },
    async countAll(filter) {
      return Object.values(await catalog.count(filter)).reduce((sum, amount) => sum + amount, 0);
    },
    async ownersOf(node) {
      if (node.owner !== "" || node.ownerName !== "" || node.parentId === null) return node;
      const [parent] = await catalog.load([node.parentId]);
      return parent ?? node;
    },
  };
}

/** Between a column and a table, the column's table is meant. */
function atOneLevel(from: CatalogNode, to: CatalogNode): readonly [string, string] {
  return [
    from.type === "column" && isTable(to) ? (from.parentId ?? from.id) : from.id,
    to.type === "column" && isTable(from) ? (to.parentId ?? to.id) : to.id,
  ];
}

function isTable({ type }: CatalogNode): boolean {
  return type === "table" || type === "model";
}
