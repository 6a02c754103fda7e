/** Short ways to write a test graph. Each test works in its own workspace, so a store may be shared. */
import { randomUUID } from "node:crypto";

import type { CatalogNode } from "../../src/catalog/asset.ts";
import type { NodeType } from "../../src/catalog/node-types.ts";
import { type Check, checkId } from "../../src/catalog/check.ts";
import type { ColumnUse, EdgeKind } from "../../src/catalog/edge.ts";
import type { EditStamp } from "../../src/catalog/edits.ts";
import { columnRef, nodeId, toFqn } from "../../src/catalog/identity.ts";
import { PEOPLE } from "../../src/catalog/layers.ts";
import type { NodeFacts } from "../../src/catalog/statement.ts";
import { toFacts } from "../../src/catalog/statement.ts";
import type { CatalogGraph, GraphReader } from "../../src/graph/catalog-graph.ts";
import type { CrawlStamp, EdgeWrite, NodeWrite } from "../../src/graph/catalog-writes.ts";
import {
  toConnectorId,
  toNodeId,
  toWorkspaceId,
  toWorkspaceName,
  type WorkspaceId,
  type WorkspaceName,
} from "../../src/ids.ts";

export function newWorkspace(): WorkspaceId {
  return toWorkspaceId(randomUUID());
}

/** The ids of nodes are made from the name of their workspace. In these tests that is also its id. */
export function nameOf(workspace: WorkspaceId): WorkspaceName {
  return toWorkspaceName(`${workspace}`);
}

/** An id that no node has. */
export const UNKNOWN = toNodeId("unknown");

/** The time of the crawl with this number: that many seconds into 2026. */
export function timeOf(sync: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, sync)).toISOString();
}

/** The stamp of an edit, at the time with this number. */
export function editOf(step: number, by = "ada@example.com"): EditStamp {
  return { by, at: timeOf(step) };
}

/** The stamp of a connector's crawl with this number, or of an edit by people. All connectors have the same age. */
export function stampOf(workspace: WorkspaceId, connector: string, sync: number, precedence = 10): CrawlStamp {
  return {
    lineagePrecedence: precedence,
    connectorCreatedAt: timeOf(0),
    workspace,
    connectorId: connector === PEOPLE ? PEOPLE : toConnectorId(`${workspace}:${connector}`),
    connectorName: connector,
    precedence,
    syncId: `${workspace}:${connector}:${sync}`,
    run: 0,
    at: timeOf(sync),
  };
}

/** A node by its fqn. Its name is the fqn's last part unless the facts say otherwise. */
export function nodeOf(
  workspace: WorkspaceId,
  type: Exclude<NodeType, "column">,
  fqn: string,
  facts: Partial<NodeFacts> = {},
  platform = "postgres",
): NodeWrite {
  const parts = fqn.split(".");
  return {
    id: nodeId(nameOf(workspace), { platform, instance: "", type, parts }),
    type,
    platform,
    parentId: null,
    facts: toFacts({ name: parts.at(-1) ?? "", fqn, ...facts }),
  };
}

export function columnOf(
  workspace: WorkspaceId,
  parent: NodeWrite,
  name: string,
  ordinal: number | null,
  facts: Partial<NodeFacts> = {},
): NodeWrite {
  const { platform, type } = parent;
  const ref = columnRef({ platform, instance: "", type, parts: parent.facts.fqn.split(".") }, name);
  return {
    id: nodeId(nameOf(workspace), ref),
    type: "column",
    platform,
    parentId: parent.id,
    facts: toFacts({ name, fqn: toFqn(ref), ordinal, ...facts }),
  };
}

export function edgeOf(from: NodeWrite, to: NodeWrite, kind: EdgeKind, uses: readonly ColumnUse[] = []): EdgeWrite {
  return { from: from.id, to: to.id, kind, uses };
}

/** A `not_null` test that never ran, named as the source names it. */
export function checkOf(
  workspace: WorkspaceId,
  object: string,
  assets: readonly Pick<NodeWrite, "id">[],
  columns: readonly Pick<NodeWrite, "id">[],
  more: Partial<Check> = {},
): Check {
  const ids = assets.map(({ id }) => id);
  return {
    id: checkId(nameOf(workspace), object, ids),
    object,
    name: object,
    kind: "generic",
    test: "not_null",
    severity: "error",
    assets: ids,
    columns: columns.map(({ id }) => ({ id, type: "" })),
    result: null,
    ...more,
  };
}

/** The current state of one node. */
export async function look(graph: GraphReader, workspace: WorkspaceId, node: NodeWrite): Promise<CatalogNode | null> {
  const [seen] = await graph.loadNodes(workspace, [node.id]);
  return seen ?? null;
}

/** The items of all pages: asks for one page after the other, each after the last item of the one before. */
export async function allPages<T, Position>(
  next: (after: Position | null) => Promise<{ items: T[]; hasMore: boolean }>,
  positionOf: (item: T) => Position,
): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const last = items.at(-1);
    const page = await next(last === undefined ? null : positionOf(last));
    items.push(...page.items);
    if (!page.hasMore) return items;
    if (page.items.length === 0) throw new Error("a page says that there is more, but holds nothing to go on from");
  }
}

/** Runs all steps of removing a connector. @returns the number of removed nodes */
export async function removeWhole(graph: CatalogGraph, stamp: CrawlStamp): Promise<number> {
  let removed = 0;
  for (;;) {
    const step = await graph.removeConnector(stamp);
    removed += step.removed;
    if (step.done) return removed;
  }
}

/** Runs all steps of renaming a connector. */
export async function renameWhole(graph: CatalogGraph, stamp: CrawlStamp): Promise<void> {
  let after: string | null = null;
  do after = await graph.renameConnector(stamp, after);
  while (after !== null);
}
