/** What one connector at present states in the catalog. */
import type { NodeType } from "../catalog/asset.ts";
import type { PresentColumn, PresentRelation } from "../catalog/change-set/change.ts";
import type { StatedNode } from "../catalog/layers.ts";
import { fold } from "../catalog/text.ts";
import { NOT_YIELDED } from "../crawl/column-lineage.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { Pace } from "../work/pace.ts";

/** Nodes of a page: unpacking it holds the event loop for a few milliseconds. */
const PAGE = 200;
/** Upstream columns of one column that are asked for. */
const MOST_ORIGINS = 1_000;
/** Columns whose origins are asked for at once: as many as have some 200 of them. */
const BATCH = 50;

/** As much of a node as tells what becomes of it. */
export interface PresentNode {
  id: string;
  type: NodeType;
  fqn: string;
  parentId: string | null;
  /** "" when unknown. */
  sourceId: string;
}

export interface PresentProject {
  relations: PresentRelation[];
  /** Every asset and metric of the connector, its columns too. */
  nodes: ReadonlyMap<string, PresentNode>;
}

interface Holder {
  workspace: string;
  connector: { id: string; name: string };
}

type ReadStatements = Pick<GraphReader, "listStatements">;

const TYPES = [["table", "model"], ["column"], ["metric", "dashboard", "pipeline"]] as const;

/** @param described whether every column that the connector holds is one that its project documents */
export async function loadPresentProject(
  graph: ReadStatements,
  holder: Holder,
  described: boolean,
  pace: Pace,
): Promise<PresentProject> {
  const nodes = new Map<string, PresentNode>();
  const relations = new Map<string, PresentRelation & { columns: PresentColumn[] }>();
  for (const types of TYPES) {
    for await (const node of statementsOf(graph, holder, types, pace)) {
      const { id, type, fqn, parentId, sourceId } = node;
      nodes.set(id, { id, type, fqn, parentId, sourceId });
      if (type === "table" || type === "model") relations.set(id, toRelation(node, type));
      else if (parentId !== null) relations.get(parentId)?.columns.push(toColumn(node, described));
    }
  }
  for (const { columns } of relations.values()) {
    if (pace.isDue()) await pace.next();
    columns.sort((a, b) => (a.ordinal ?? columns.length) - (b.ordinal ?? columns.length));
  }
  return { relations: [...relations.values()], nodes };
}

async function* statementsOf(
  graph: ReadStatements,
  { workspace, connector }: Holder,
  types: readonly NodeType[],
  pace: Pace,
): AsyncGenerator<StatedNode> {
  let after: string | null = null;
  do {
    await pace.next();
    const page = await graph.listStatements(workspace, { connector, types }, { after, limit: PAGE });
    yield* page.items;
    after = page.hasMore ? (page.items.at(-1)?.key ?? null) : null;
  } while (after !== null);
}

function toRelation(
  { id, sourceId, name, fqn, platform, sql }: StatedNode,
  type: "table" | "model",
): PresentRelation & { columns: PresentColumn[] } {
  return { id, sourceId, name, fqn, type, platform, sql, columns: [] };
}

function toColumn(
  { id, name, fqn, dataType, ordinal, description, tags, columnLineage }: StatedNode,
  described: boolean,
): PresentColumn {
  return {
    id,
    name,
    fqn,
    dataType,
    ordinal,
    origins: null,
    isKnown: columnLineage?.status === "known",
    unyielded: columnLineage?.reason === NOT_YIELDED,
    described: described || description !== "" || tags.length > 0,
  };
}

/**
 * The same relations, with where their columns come from: of those alone that may have been renamed.
 * @param names the folded names that the columns of a relation, by its present id, will have
 */
export async function addOrigins(
  graph: Pick<GraphReader, "loadNeighbours">,
  workspace: string,
  relations: readonly PresentRelation[],
  names: ReadonlyMap<string, ReadonlySet<string>>,
  pace: Pace,
): Promise<PresentRelation[]> {
  const wanted: string[] = [];
  for (const { id: relation, columns } of relations) {
    if (pace.isDue()) await pace.next();
    const own = names.get(relation);
    for (const { id, name, isKnown } of columns) {
      if (isKnown && own?.has(fold(name)) === false) wanted.push(id);
    }
  }
  const origins = new Map<string, ReadonlySet<string>>();
  for (let start = 0; start < wanted.length; start += BATCH) {
    await pace.next();
    const ids = wanted.slice(start, start + BATCH);
    const queries = ids.map((id) => ({ id, direction: "upstream", first: MOST_ORIGINS, after: null }) as const);
    const found = await graph.loadNeighbours(workspace, queries);
    for (const [i, { items }] of found.entries()) {
      const direct = items.filter(({ uses }) => uses.some(({ kind }) => kind === "DIRECT"));
      origins.set(ids[i] ?? "", new Set(direct.map(({ node }) => node.id)));
    }
  }
  return relations.map((relation) => ({
    ...relation,
    columns: relation.columns.map((column) => {
      const own = origins.get(column.id);
      return own === undefined ? column : { ...column, origins: own };
    }),
  }));
}
