/** What a scope of a crawl keeps until it ends, and the writing of its nodes in batches. */
import type { ColumnLineage } from "../catalog/asset.ts";
import type { CheckStatement } from "../catalog/check.ts";
import type { NodeRef } from "../catalog/identity.ts";
import type { AssetStatement } from "../catalog/statement.ts";
import type { GraphWriter, CrawlStamp, NodeWrite } from "../graph/catalog-writes.ts";
import type { NodeId } from "../ids.ts";
import type { ErrorList } from "./error-list.ts";
import type { Expanded } from "./expand-asset.ts";
import type { PartlyRead } from "./inferred-lineage.ts";
import { createScopeEdges, type NamedEdge, type ScopeEdges } from "./scope-edges.ts";
import type { Unread } from "./scope-lineage.ts";

const BATCH = 1_000;

export interface OpenScope {
  name: string;
  /** False if an asset was left out. A sweep would then remove what an earlier crawl stated about it. */
  whole: boolean;
  nodes: NodeWrite[];
  edges: ScopeEdges;
  /** Stated edges, and edges from columns that only SQL names. They wait until both ends are written. */
  waitingEdges: NamedEdge[];
  waitingReferences: { from: NodeId; to: NodeId }[];
  /** Relations by id whose nodes wait for columns that SQL may name. Their listed columns are written. */
  waiting: Map<NodeId, { statement: AssetStatement; own: ColumnLineage | null }>;
  /** Assets of which others may name columns that their own SQL does not list, in the order in which they were read. */
  partlyRead: PartlyRead[];
  /** Checks wait until the columns of their assets are known. */
  checks: CheckStatement[];
  /** Metrics, dashboards and pipelines whose queries must be read. */
  querying: AssetStatement[];
  /** Ends of edges, by their ids. */
  named: Map<NodeId, NodeRef>;
  /** Assets whose SQL must be read, by their ids. */
  unread: Map<NodeId, Unread & { parents: Set<NodeId> }>;
}

export interface ScopeParts {
  graph: Pick<GraphWriter, "writeNodes" | "writeEdges" | "writeReferences">;
  stamp: CrawlStamp;
  errors: ErrorList;
}

export function openScope(name: string, parts: ScopeParts): OpenScope {
  const scope: OpenScope = {
    name,
    whole: true,
    nodes: [],
    edges: createScopeEdges(parts.graph, { ...parts, scope: name }, () => writeNodes(scope, parts)),
    waitingEdges: [],
    waitingReferences: [],
    waiting: new Map(),
    partlyRead: [],
    unread: new Map(),
    querying: [],
    named: new Map(),
    checks: [],
  };
  return scope;
}

/**
 * The scope of nodes that a scope only names. If they were in the scope itself, naming a node would replace what an
 * earlier crawl stated about it, even if this crawl is broken and must not remove anything.
 */
export function namedScope(scope: string): string {
  return `${scope} (named)`;
}

export async function writeNodes(scope: OpenScope, { graph, stamp }: ScopeParts): Promise<void> {
  const [named, stated] = partition(scope.nodes.splice(0), ({ existence }) => existence === "referenced");
  if (stated.length > 0) await graph.writeNodes(stamp, scope.name, stated);
  if (named.length > 0) await graph.writeNodes(stamp, namedScope(scope.name), named);
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}

/** Takes the nodes of an asset, and writes those that wait if they fill a batch. */
export async function take(scope: OpenScope, { nodes, errors, whole }: Expanded, parts: ScopeParts): Promise<void> {
  for (const error of errors) parts.errors.add(error);
  scope.whole &&= whole;
  for (const node of nodes) {
    scope.nodes.push(node);
    if (scope.nodes.length >= BATCH) await writeNodes(scope, parts);
  }
}
