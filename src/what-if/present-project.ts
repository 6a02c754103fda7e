/** Loads everything that one connector states in the catalog at present. */
import { DATASET_TYPES, type DatasetType, isDataset, NODE_TYPES, type NodeType } from "../catalog/node-types.ts";
import type { ColumnSource, PresentColumn, PresentRelation } from "../catalog/change-set/change.ts";
import type { StatedNode } from "../catalog/layers.ts";
import { fold } from "../catalog/text.ts";
import { NOT_YIELDED } from "../ingest/column-lineage.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { ConnectorId, NodeId, WorkspaceId } from "../ids.ts";
import type { Slicer } from "../work/slicer.ts";

/** Nodes in one page. Unpacking a page blocks the event loop for a few milliseconds. */
const PAGE = 200;
/** At most this many upstream columns are loaded for one column. */
const MOST_SOURCES = 1_000;
/** Columns in one query. Together they have about 200 sources. */
const BATCH = 50;

/** The parts of a node that are needed to compare it. */
export interface PresentNode {
  id: NodeId;
  type: NodeType;
  name: string;
  fqn: string;
  parentId: NodeId | null;
  /** "" if not known. */
  sourceId: string;
}

export interface PresentProject {
  relations: PresentRelation[];
  /** Every asset and metric of the connector, its columns too. */
  nodes: ReadonlyMap<NodeId, PresentNode>;
}

interface StatedBy {
  workspace: WorkspaceId;
  connector: { id: ConnectorId; name: string };
}

type ReadStatements = Pick<GraphReader, "listStatements">;

/** In this order, so that the dataset of a column is loaded before it. */
const TYPES = [DATASET_TYPES, NODE_TYPES.filter((type) => !isDataset(type))];

export async function loadPresentProject(
  graph: ReadStatements,
  statedBy: StatedBy,
  slicer: Slicer,
): Promise<PresentProject> {
  const nodes = new Map<NodeId, PresentNode>();
  const relations = new Map<NodeId, PresentRelation & { columns: PresentColumn[] }>();
  for (const types of TYPES) {
    for await (const node of statementsOf(graph, statedBy, types, slicer)) {
      const { id, type, name, fqn, parentId, sourceId } = node;
      nodes.set(id, { id, type, name, fqn, parentId, sourceId });
      if (isDataset(type)) relations.set(id, toRelation(node, type));
      else if (parentId !== null) relations.get(parentId)?.columns.push(toColumn(node));
    }
  }
  for (const { columns } of relations.values()) {
    if (slicer.isDue()) await slicer.next();
    columns.sort((a, b) => (a.ordinal ?? columns.length) - (b.ordinal ?? columns.length));
  }
  return { relations: [...relations.values()], nodes };
}

async function* statementsOf(
  graph: ReadStatements,
  { workspace, connector }: StatedBy,
  types: readonly NodeType[],
  slicer: Slicer,
): AsyncGenerator<StatedNode> {
  let after: string | null = null;
  do {
    await slicer.next();
    const page = await graph.listStatements(workspace, { connector, types }, { after, limit: PAGE });
    yield* page.items;
    after = page.hasMore ? (page.items.at(-1)?.key ?? null) : null;
  } while (after !== null);
}

function toRelation(
  { id, sourceId, name, fqn, platform, sql, codeHash, columnsSeen: seen }: StatedNode,
  type: DatasetType,
): PresentRelation & { columns: PresentColumn[] } {
  return { id, sourceId, name, fqn, type, platform, sql, codeHash, seen, columns: [] };
}

function toColumn({
  id,
  name,
  fqn,
  dataType,
  documentedType,
  inferred,
  ordinal,
  columnLineage,
}: StatedNode): PresentColumn {
  return {
    id,
    name,
    fqn,
    dataType,
    documentedType,
    ordinal,
    sources: null,
    // The lineage of a column that the SQL does not yield is not known.
    isKnown: columnLineage?.status === "known" && columnLineage.reason === "",
    notInOutput: columnLineage?.reason === NOT_YIELDED,
    inferred,
  };
}

/**
 * Adds the sources of columns that may have been renamed: those whose name the new relation does not have.
 * @param names for each relation, by its present id: the names of its new columns, in lower case
 */
export async function addSources(
  graph: Pick<GraphReader, "loadNeighbours">,
  workspace: WorkspaceId,
  relations: readonly PresentRelation[],
  names: ReadonlyMap<string, ReadonlySet<string>>,
  slicer: Slicer,
): Promise<PresentRelation[]> {
  const wanted: NodeId[] = [];
  for (const { id: relation, columns } of relations) {
    if (slicer.isDue()) await slicer.next();
    const own = names.get(relation);
    for (const { id, name, isKnown } of columns) {
      if (isKnown && own?.has(fold(name)) === false) wanted.push(id);
    }
  }
  const sources = new Map<NodeId, ColumnSource[]>();
  for (let start = 0; start < wanted.length; start += BATCH) {
    await slicer.next();
    const ids = wanted.slice(start, start + BATCH);
    const queries = ids.map((id) => ({ id, direction: "upstream", first: MOST_SOURCES, after: null }) as const);
    const found = await graph.loadNeighbours(workspace, queries);
    for (const [i, id] of ids.entries()) {
      sources.set(id, found[i]?.items.map(({ node, uses }) => ({ from: node.id, uses })) ?? []);
    }
  }
  return relations.map((relation) => ({
    ...relation,
    columns: relation.columns.map((column) => {
      const own = sources.get(column.id);
      return own === undefined ? column : { ...column, sources: own };
    }),
  }));
}
