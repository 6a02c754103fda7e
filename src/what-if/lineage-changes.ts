/** Which assets and edges of a project's lineage a new manifest adds and removes. */
import type { ChangeSet } from "../catalog/change-set/change.ts";
import { toFqn } from "../catalog/identity.ts";
import { matchByKey } from "../catalog/match-by-key.ts";
import type { NodeType } from "../catalog/node-types.ts";
import { sqlHash } from "../catalog/sql-text.ts";
import { compareCodePoints } from "../catalog/text.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { NodeId, WorkspaceId } from "../ids.ts";
import type { Slicer } from "../work/slicer.ts";
import type { NewProject } from "./new-project.ts";
import type { NewStatements } from "./new-statements.ts";
import type { PresentProject } from "./present-project.ts";

export interface LineageChanges {
  nodes: { difference: "added" | "removed"; id: NodeId; type: NodeType; fqn: string }[];
  /** Between assets that are not removed. */
  edges: { difference: "added" | "removed"; from: string; to: string }[];
  /** True if there are more of either than are listed. */
  truncated: boolean;
}

export const NO_LINEAGE_CHANGES: LineageChanges = { nodes: [], edges: [], truncated: false };

const MAX_LISTED = 1_000;
/** Nodes in one query for their sources, and the most sources of one. */
const BATCH = 50;
const MOST_SOURCES = 1_000;

interface Projects {
  present: PresentProject;
  next: NewProject;
  statements: NewStatements;
  /** Names in the manifest that could not be read. What they are is not known. */
  unread: ReadonlySet<string>;
  follows: ChangeSet["follows"];
}

/** All ids are those of the new project, so that what moved or was renamed is the same. */
export async function findLineageChanges(
  graph: Pick<GraphReader, "loadNeighbours">,
  workspace: WorkspaceId,
  { present, next, statements, unread, follows }: Projects,
  slicer: Slicer,
): Promise<LineageChanges> {
  const follow = (id: NodeId): NodeId => follows.get(id) ?? id;
  const olds = [...present.nodes.values()].flatMap(({ id, type, fqn, sourceId }) =>
    type === "column" || unread.has(sourceId) ? [] : [{ id: follow(id), type, fqn, old: id }],
  );
  const news = [...statements.assets].map(([id, { ref, name }]) => ({ id, type: ref.type, fqn: toFqn(ref) || name }));
  await slicer.next();
  const { added, removed, kept } = matchByKey(olds, news, ({ id }) => id);
  const names = new Map([...olds, ...news].map(({ id, fqn }) => [id, fqn]));
  const known = new Set(news.map(({ id }) => id));
  const sqls = new Map(present.relations.map(({ id, sql }) => [follow(id), sql]));
  const relations = new Map(next.relations.map((relation) => [relation.id, relation]));
  const differing = kept.filter(({ new: { id } }) => {
    const relation = relations.get(id);
    // The same SQL reads the same, and what could not be read may read anything.
    return relation === undefined || (relation.unread === null && !isSameSql(sqls.get(id) ?? null, relation.sql));
  });
  const edges: LineageChanges["edges"] = [];
  const list = (difference: "added" | "removed", ids: readonly NodeId[], to: NodeId): void => {
    for (const from of ids) {
      edges.push({ difference, from: names.get(from) ?? from, to: names.get(to) ?? to });
    }
  };
  const sourcesOf = (id: NodeId): NodeId[] => {
    // SQL for another schema may still name a relation as it is called now.
    const ids = next.feeds.sourcesOf(id).map((source) => follow(source.id));
    return [...new Set(ids)].filter((source) => known.has(source) && source !== id);
  };
  for (let start = 0; start < differing.length; start += BATCH) {
    await slicer.next();
    const batch = differing.slice(start, start + BATCH);
    const query = { direction: "upstream", level: "asset", first: MOST_SOURCES, after: null } as const;
    const found = await graph.loadNeighbours(
      workspace,
      batch.map(({ old }) => ({ id: old.old, ...query })),
    );
    for (const [
      i,
      {
        new: { id },
      },
    ] of batch.entries()) {
      const before = (found[i]?.items ?? []).map(({ node }) => follow(node.id)).filter((source) => known.has(source));
      const change = matchByKey(
        before.filter((source) => source !== id),
        sourcesOf(id),
        (source) => source,
      );
      list("added", change.added, id);
      list("removed", change.removed, id);
    }
  }
  for (const { id } of added) list("added", sourcesOf(id), id);
  const nodes = [
    ...added.map(({ id, type, fqn }) => ({ difference: "added", id, type, fqn }) as const),
    ...removed.map(({ old, type, fqn }) => ({ difference: "removed", id: old, type, fqn }) as const),
  ];
  const shown = edges.toSorted((a, b) => compareCodePoints(a.to, b.to) || compareCodePoints(a.from, b.from));
  return {
    nodes: nodes.toSorted((a, b) => compareCodePoints(a.fqn, b.fqn)).slice(0, MAX_LISTED),
    edges: shown.slice(0, MAX_LISTED),
    truncated: Math.max(nodes.length, edges.length) > MAX_LISTED,
  };
}

function isSameSql(before: string | null, after: string | null): boolean {
  return before === after || (before !== null && after !== null && sqlHash(before) === sqlHash(after));
}
