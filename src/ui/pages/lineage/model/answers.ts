/** Turns the service's answers into parts of the graph. */
import type { ColumnAnswer, ImpactAnswer, NearAnswer, NodeAnswer, PageAnswer, WalkAnswer } from "../documents.ts";
import {
  type Column,
  type ColumnEnd,
  type KnownImpact,
  type LineageNode,
  linkTo,
  type Link,
  type Loaded,
  type Page,
  type Side,
  type Walk,
} from "./graph.ts";

function toNode({ existence, columnLineage, upstream, downstream, ...answer }: NodeAnswer): LineageNode {
  return {
    ...answer,
    isReferenced: existence === "referenced",
    isAbsent: false,
    gap: describeGap(columnLineage),
    parent: "parent" in answer ? answer.parent : null,
    totals: { up: upstream.totalCount, down: downstream.totalCount },
  };
}

function describeGap(columnLineage: NodeAnswer["columnLineage"]): string | null {
  if (columnLineage === null || columnLineage.status === "known") return null;
  const extent = columnLineage.status === "partial" ? "known in part" : "unknown";
  return `Its column lineage is ${extent}${columnLineage.reason === null ? "" : `: ${columnLineage.reason}`}.`;
}

function toLinks(id: string, side: Side, { edges }: NearAnswer): Link[] {
  return edges.map(({ node, kinds, uses }) =>
    linkTo(id, side, node.id, { kinds, uses: [...new Set(uses.map(({ kind }) => kind))] }),
  );
}

export function readNodes(answers: readonly NodeAnswer[]): Loaded {
  return {
    nodes: answers.map(toNode),
    links: answers.flatMap((it) => [...toLinks(it.id, "up", it.upstream), ...toLinks(it.id, "down", it.downstream)]),
  };
}

export function readPage(id: string, side: Side, answer: PageAnswer): Page {
  const nodes = answer.edges.map(({ node }) => node);
  const { links, ...rest } = readNodes(nodes);
  return {
    ...rest,
    links: [...links, ...toLinks(id, side, answer)],
    ids: nodes.map((node) => node.id),
    cursor: answer.pageInfo.nextCursor,
  };
}

export function readColumns(of: string, answers: readonly ColumnAnswer[]): Column[] {
  return answers.map(({ id, name, dataType, columnLineage, upstream, downstream }) => {
    const own: ColumnEnd = { node: of, id };
    return {
      id,
      name,
      dataType,
      hasGap: columnLineage !== null && columnLineage.status !== "known",
      links: [
        ...upstream.edges.map(({ node, uses }) => ({ from: toEnd(node), to: own, uses: kindsOf(uses) })),
        ...downstream.edges.map(({ node, uses }) => ({ from: own, to: toEnd(node), uses: kindsOf(uses) })),
      ],
    };
  });
}

type End = ColumnAnswer["upstream"]["edges"][number];

function toEnd(node: End["node"]): ColumnEnd {
  const parent = "parent" in node ? node.parent : null;
  return { node: parent?.id ?? node.id, id: node.id };
}

function kindsOf(uses: End["uses"]) {
  return uses.map(({ kind }) => kind);
}

export function readImpact({ asset, assets: { nodes, ...counts }, truncated }: ImpactAnswer): KnownImpact {
  const { id, type, name } = asset;
  return {
    of: { id, type, name, parent: "parent" in asset ? asset.parent : null },
    assets: nodes.map(({ impact }) => impact),
    columns: new Map(nodes.flatMap(({ columns }) => columns.map((column) => [column.id, column]))),
    tables: new Map(nodes.flatMap(({ impact, columns }) => columns.map(({ id: of }) => [of, impact.id]))),
    counts,
    isTruncated: truncated,
  };
}

export function readWalk({ nodes, edges, totalNodes }: WalkAnswer): Walk {
  const links = edges.map(({ from, to, kind }) => ({ from, to, kinds: [kind], uses: [] }));
  return { ids: nodes.map(({ id }) => id), links, total: totalNodes };
}
