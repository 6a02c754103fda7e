/** What an impact reads from the store: see `catalog/impact/source.ts`. Each answer is one row of lists. */
import { int } from "neo4j-driver";

import { CERTIFICATIONS, type ColumnLineage } from "../../catalog/asset.ts";
import { NODE_TYPES } from "../../catalog/node-types.ts";
import type { Level } from "../../catalog/edge.ts";
import { assess } from "../../catalog/impact/assess.ts";
import {
  type Handle,
  type Handles,
  type ImpactSource,
  numberNodes,
  type OwnColumn,
  type Pair,
  type SpreadNode,
  type Step,
} from "../../catalog/impact/source.ts";
import { type NodeId, toNodeId, type WorkspaceId } from "../../ids.ts";
import { toUse } from "../lineage-index/mark.ts";
import type { Parameters, Row, Run, Read } from "./bolt.ts";
import { findChecksOn, loadChecksById } from "./checks.ts";
import { columns } from "./columns.ts";
import { coverNodes } from "./coverage.ts";
import { readUses, RELATION } from "./edges.ts";
import * as read from "./values.ts";

export const IMPACT_ROOT = `
MATCH (a:Asset {id: $id, workspace: $workspace})
RETURN a.id AS id`;

export const NODES = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
OPTIONAL MATCH (p:Asset {id: a.parentId, workspace: $workspace})
RETURN ${read.collected("a.id", "ids")}, ${read.collected("a.type", "types")}, ${read.collected("a.key", "keys")},
  ${read.collected("p.id", "parents")},
  ${read.collected("CASE a.type WHEN 'column' THEN '' ELSE a.columnLineage END", "lineages")}`;

export const OWN_COLUMNS = `
UNWIND $ids AS id
MATCH (c:Asset {parentId: id, workspace: $workspace})
WHERE c.type = 'column'
RETURN collect(id) AS datasets, ${read.collected("c.id", "columns")}, ${read.collected("c.columnLineage", "lineages")}`;

/**
 * A number for an edge. If there are several edges between two nodes, the greatest counts. For assets it is 1 for a
 * `materializes`, for columns what `toUse` takes. Uses are JSON without spaces. Quotation marks in their
 * texts are escaped, so no text can match.
 */
export const MARK = {
  asset: "CASE e.kind WHEN 'materializes' THEN 1 ELSE 0 END",
  column: `CASE WHEN e.uses = '[]' THEN 0 WHEN e.uses CONTAINS '"kind":"DIRECT","transformation":"IDENTITY"' THEN 3
    WHEN e.uses CONTAINS '"kind":"DIRECT"' THEN 2 ELSE 1 END`,
} as const satisfies Record<Level, string>;

export function followCypher(level: Level): string {
  return `
UNWIND $nodes AS asked
MATCH (a:Asset {id: asked.id, workspace: $workspace})
MATCH (a)-[e:${RELATION[level]}]->(b)
WHERE b.workspace = $workspace
WITH asked.position AS near, b, max(${MARK[level]}) AS mark
RETURN collect(near) AS near, ${read.collected("b.id", "far")}, collect(mark) AS marks`;
}

export const FOLLOW_REFERENCES = `
UNWIND $nodes AS asked
MATCH (r:Reference {fromId: asked.id})
WHERE r.workspace = $workspace
MATCH (b:Asset {id: r.toId, workspace: $workspace})
WHERE b.lineageOwner = '' OR b.lineageOwner = r.connectorId
WITH DISTINCT asked.position AS near, r.toId AS far
RETURN collect(near) AS near, collect(far) AS far`;

/** The far end itself, or a column of it. */
const FAR_END = { itself: "id", part: "parentId" } as const;

export function boundCypher(end: keyof typeof FAR_END): string {
  return `
UNWIND $pairs AS asked
MATCH (z:Asset {${FAR_END[end]}: asked.to, workspace: $workspace})
MATCH (z)<-[:${RELATION.column}]-(c)
WHERE c.parentId = asked.from AND c.type = 'column'
WITH DISTINCT asked.position AS position
RETURN collect(position) AS positions`;
}

export const USES_BETWEEN = `
UNWIND $pairs AS asked
MATCH (a:Asset {id: asked.from, workspace: $workspace})
MATCH (b:Asset {id: asked.to, workspace: $workspace})
MATCH (a)-[e:${RELATION.column}]->(b)
RETURN collect(asked.position) AS positions, ${read.collected("e.uses", "uses", "'[]'")}`;

const SHOWN = columns({
  id: read.nodeId,
  name: read.text,
  fqn: read.text,
  type: read.word(NODE_TYPES),
  certification: read.word(CERTIFICATIONS),
  owner: read.text,
  ownerName: read.text,
  platform: read.text,
  dataType: read.text,
  columnLineage: toLineage,
  usage: (value) => read.usageOrNull(value || null),
});

export const SHOW = `
UNWIND $ids AS id
MATCH (a:Asset {id: id, workspace: $workspace})
RETURN ${SHOWN.names.map((name) => read.collected(`a.${name}`, `${name}s`)).join(", ")}`;

/** @param run has to see one state of the store in all statements */
export const assessImpact: Read<"assessImpact"> = (run, workspace, query) =>
  assess(query, createSource(run, workspace, numberNodes()));

export function createSource(run: Run, workspace: WorkspaceId, { handleOf, idOf }: Handles): ImpactSource {
  /** The lists of an answer; none if a statement found nothing. */
  const ask = async (statement: string, parameters: Parameters): Promise<readonly unknown[][]> => {
    const [row]: Row[] = await run(statement, { workspace, ...parameters });
    return (row ?? []).map(read.list);
  };
  const asPairs = (pairs: readonly Pair[]) =>
    pairs.map(([from, to], index) => ({ from: idOf(from), to: idOf(to), position: int(index) }));

  const follow = async (statement: string, from: readonly Handle[]): Promise<(Step & { mark: unknown })[]> => {
    const nodes = from.map((node, index) => ({ id: idOf(node), position: int(index) }));
    const [near = [], far = [], marks = []] = await ask(statement, { nodes });
    return near.map((index, i) => ({
      from: from[read.integer(index)] ?? 0,
      to: handleOf(read.nodeId(far[i])),
      mark: marks[i],
    }));
  };

  return {
    async find(id) {
      const rows = await run(IMPACT_ROOT, { workspace, id });
      return rows.length === 0 ? null : handleOf(id);
    },
    async loadNodes(nodes) {
      const [found = [], types = [], keys = [], parents = [], lineages = []] = await ask(NODES, {
        ids: nodes.map(idOf),
      });
      const loaded = new Map(
        found.map((id, i): [string, SpreadNode] => {
          const parent = read.text(parents[i]);
          const key = read.text(keys[i]);
          const lineage = toLineage(lineages[i])?.status ?? null;
          const type = read.oneOf(NODE_TYPES, types[i]);
          return [
            read.text(id),
            { type, key: () => key, parent: parent === "" ? null : handleOf(toNodeId(parent)), lineage },
          ];
        }),
      );
      return inOrder(nodes.map(idOf), loaded);
    },
    async listColumns(datasets) {
      const [parents = [], own = [], lineages = []] = await ask(OWN_COLUMNS, { ids: datasets.map(idOf) });
      return own.map((id, i): OwnColumn => ({
        dataset: handleOf(read.nodeId(parents[i])),
        column: handleOf(read.nodeId(id)),
        lineage: toLineage(lineages[i])?.status ?? null,
      }));
    },
    async followColumns(from) {
      const steps = await follow(followCypher("column"), from);
      return steps.map(({ from: near, to, mark }) => ({
        from: near,
        to,
        use: toUse(read.integer(mark)),
      }));
    },
    async followAssets(from) {
      const steps = await follow(followCypher("asset"), from);
      return steps.map(({ from: near, to, mark }) => ({ from: near, to, materializes: read.integer(mark) === 1 }));
    },
    async followReferences(from) {
      const steps = await follow(FOLLOW_REFERENCES, from);
      return steps.map(({ from: near, to }) => ({ from: near, to }));
    },
    async areBound(pairs) {
      const asked = { pairs: asPairs(pairs) };
      const itself = await ask(boundCypher("itself"), asked);
      const parts = await ask(boundCypher("part"), asked);
      const bound = new Set([...(itself[0] ?? []), ...(parts[0] ?? [])]);
      return pairs.map((_, index) => bound.has(index));
    },
    async loadUses(pairs) {
      const [indexes = [], uses = []] = await ask(USES_BETWEEN, { pairs: asPairs(pairs) });
      const byIndex = Map.groupBy(indexes.keys(), (at) => read.integer(indexes[at]));
      return pairs.map((_, index) => readUses((byIndex.get(index) ?? []).map((at) => uses[at])));
    },
    async show(nodes) {
      const lists = await ask(SHOW, { ids: nodes.map(idOf) });
      const shown = (lists[0] ?? []).map((_, i) => SHOWN.read(lists.map((values) => values[i])));
      return inOrder(nodes.map(idOf), new Map(shown.map((one) => [one.id, one])));
    },
    cover: (nodes) => coverNodes(run, workspace, nodes.map(idOf)),
    findChecks(nodes) {
      const asked = nodes.map((node) => ({ id: idOf(node), node }));
      return findChecksOn(run, workspace, asked);
    },
    loadChecks: (checks) => loadChecksById(run, workspace, checks),
  };
}

/** Memgraph returns rows in any order. */
function inOrder<T>(ids: readonly NodeId[], found: ReadonlyMap<string, T>): T[] {
  return ids.map((id) => {
    const one = found.get(id);
    if (one === undefined) throw new RangeError(`the node ${id} is not there`);
    return one;
  });
}

function toLineage(value: unknown): ColumnLineage | null {
  const json = read.text(value);
  // Only stored-asset.ts writes the text.
  return json === "" ? null : (JSON.parse(json) as ColumnLineage);
}
