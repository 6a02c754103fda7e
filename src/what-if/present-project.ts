/** What the catalog now holds of one connector. */
import { setImmediate } from "node:timers/promises";

import type { CatalogNode } from "../catalog/asset.ts";
import type { PresentColumn, PresentRelation } from "../catalog/change-set/change.ts";
import { fold } from "../catalog/text.ts";
import { NOT_YIELDED } from "../crawl/column-lineage.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";

const PAGE = 1_000;
/** Ids asked for at once. */
const BATCH = 500;

export interface PresentProject {
  relations: PresentRelation[];
  /** Every asset and metric of the connector, its columns too. */
  nodes: ReadonlyMap<string, CatalogNode>;
}

/**
 * @param described whether every column that the connector holds is one that its project documents
 */
export async function loadPresentProject(
  graph: Pick<GraphReader, "listNodes" | "loadNeighbours">,
  { workspace, connector }: { workspace: string; connector: string },
  described: boolean,
): Promise<PresentProject> {
  const nodes = new Map<string, CatalogNode>();
  for (const types of [["table", "model"], ["column"], ["metric", "dashboard", "pipeline"]] as const) {
    let after: string | null = null;
    do {
      const page = await graph.listNodes(workspace, { types, connector }, { after, limit: PAGE });
      for (const node of page.items) nodes.set(node.id, node);
      after = page.hasMore ? (page.items.at(-1)?.key ?? null) : null;
      // An embedded store answers at once: without a pause no other request would be heard until the last page.
      await setImmediate();
    } while (after !== null);
  }
  const columns = Map.groupBy(
    [...nodes.values()].filter(({ type }) => type === "column"),
    ({ parentId }) => parentId,
  );
  const relations = [...nodes.values()].flatMap((node) => toRelation(node, columns.get(node.id) ?? [], described));
  return { relations, nodes };
}

function toRelation(node: CatalogNode, columns: readonly CatalogNode[], described: boolean): PresentRelation[] {
  const { id, name, fqn, type, platform, sql } = node;
  if (type !== "table" && type !== "model") return [];
  const ordered = columns.toSorted((a, b) => (a.ordinal ?? columns.length) - (b.ordinal ?? columns.length));
  return [{ id, name, fqn, type, platform, sql, columns: ordered.map((column) => toColumn(column, described)) }];
}

function toColumn(
  { id, name, fqn, dataType, ordinal, description, tags, columnLineage }: CatalogNode,
  described: boolean,
): PresentColumn {
  return {
    id,
    name,
    fqn,
    dataType,
    ordinal,
    origins: null,
    unyielded: columnLineage?.reason === NOT_YIELDED,
    described: described || description !== "" || tags.length > 0,
  };
}

/** Whether it is known which columns it is made from. What the SQL does not yield is made from none. */
function isMade(column: CatalogNode | undefined): boolean {
  return column?.columnLineage?.status === "known" && column.columnLineage.reason === "";
}

/**
 * The same relations, with where their columns come from.
 * @param names folded; of columns that have one of these nothing is asked
 */
export async function addOrigins(
  graph: Pick<GraphReader, "loadNeighbours">,
  workspace: string,
  { relations, nodes }: PresentProject,
  names: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<PresentRelation[]> {
  const wanted = relations.flatMap(({ fqn, columns }) => {
    const own = names.get(fold(fqn));
    return columns
      .filter(({ id, name }) => own?.has(fold(name)) === false && isMade(nodes.get(id)))
      .map(({ id }) => id);
  });
  const origins = new Map<string, ReadonlySet<string>>();
  for (let start = 0; start < wanted.length; start += BATCH) {
    const ids = wanted.slice(start, start + BATCH);
    const queries = ids.map((id) => ({ id, direction: "upstream", first: PAGE, after: null }) as const);
    const found = await graph.loadNeighbours(workspace, queries);
    await setImmediate();
    for (const [i, { items }] of found.entries()) {
      const direct = items.filter(({ uses }) => uses.some(({ kind }) => kind === "DIRECT"));
      origins.set(ids[i] ?? "", new Set(direct.map(({ node }) => node.id)));
    }
  }
  return relations.map((relation) => ({
    ...relation,
    columns: relation.columns.map((column) => ({ ...column, origins: origins.get(column.id) ?? null })),
  }));
}
