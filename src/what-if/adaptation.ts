/** Works out which lineage a new project no longer has, so that what is adapted to a change is told from what breaks. */
import type { Change } from "../catalog/change-set/change.ts";
import type { Supposition } from "../catalog/impact.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { Pace } from "../work/pace.ts";
import type { LineageIndex } from "./lineage-index.ts";
import type { PresentNode } from "./present-project.ts";

/** Neighbours of one node that are asked for at once, and nodes whose neighbours are. */
const PAGE = 200;
const BATCH = 50;

/** The new project, seen from the present one. */
export interface Outlook {
  lineage: LineageIndex;
  /** New ids by present ones, where they differ. */
  follows: ReadonlyMap<string, string>;
  /** What the connector holds at present: of nothing else does the new project say anything. */
  nodes: ReadonlyMap<string, PresentNode>;
}

/** One present edge at either level, out of what changes or is affected into something that is affected. */
interface Hop {
  from: PresentNode;
  to: Pick<PresentNode, "id" | "type" | "fqn" | "parentId">;
  /** Whether the new project does without this edge. */
  isCut: boolean;
}

export interface Adaptation {
  /**
   * What is to be supposed when one change of the set is assessed; null if nothing differs from the present.
   * @param affected ids of what the change would affect if nothing were adapted
   */
  supposeFor: (change: Change, affected: readonly string[]) => Promise<Supposition | null>;
  /** Whether the new project no longer has it. */
  isGone: (id: string) => boolean;
}

/** @param affected ids of what the changes would affect if nothing were adapted */
export async function findAdaptation(
  graph: Pick<GraphReader, "loadNeighbours">,
  workspace: string,
  { affected, changes }: { affected: ReadonlySet<string>; changes: readonly Change[] },
  outlook: Outlook,
  pace: Pace,
): Promise<Adaptation> {
  const { lineage, follows, nodes } = outlook;
  const toNew = (id: string): string => follows.get(id) ?? id;
  const isKnown = (id: string): boolean => lineage.isKnown(toNew(id));
  const dropped = new Set(
    changes.filter(({ kind }) => kind === "asset_dropped" || kind === "column_dropped").map(({ id }) => id),
  );
  const isGone = (id: string): boolean => {
    const node = nodes.get(id);
    if (node === undefined) return false;
    // Of tables, models and columns the comparison says what is gone: what could not be read is not.
    if (node.type === "table" || node.type === "model") return dropped.has(id);
    if (node.type === "column") return dropped.has(id) || dropped.has(node.parentId ?? "");
    return !lineage.has(id) && !lineage.isTorn(node);
  };
  const isCut = ({ from, to }: Pick<Hop, "from" | "to">): boolean => {
    if (isGone(to.id)) return true;
    const stays = lineage.hasEdge(toNew(from.id), toNew(to.id));
    if (from.type === "column") return isKnown(to.id) && !stays;
    return !stays && !lineage.isTorn({ sourceId: nodes.get(to.id)?.sourceId ?? "", fqn: to.fqn });
  };

  const changed = new Set([...affected, ...changes.map(({ id }) => id)]);
  const into = new Map<string, Hop[]>();
  for await (const hop of hopsFrom(graph, workspace, await spreadersOf(changed, nodes, pace), pace)) {
    if (!affected.has(hop.to.id)) continue;
    const others = into.get(hop.to.id);
    const own = { ...hop, isCut: isCut(hop) };
    if (others === undefined) into.set(hop.to.id, [own]);
    else others.push(own);
  }
  const columns = await columnsOf(changed, nodes, pace);

  /** An asset whose columns may not have been known, and of which it is known now that it uses nothing of what changes. */
  const isUnusing = (id: string, hops: readonly Hop[], except: string | null): boolean => {
    const sources = hops.filter(({ from, to }) => from.type !== "column" && to.type !== "column");
    if (sources.length === 0 || !isKnown(id)) return false;
    return !sources
      .flatMap(({ from }) => columns.get(from.id) ?? [])
      .some((column) => column !== except && lineage.uses(toNew(column), toNew(id)));
  };

  /** Whoever uses it by its new name, or in its new place, has been changed with it. */
  const isFollowed = ({ kind, id }: Change, { from, to }: Hop): boolean => {
    if (kind === "column_renamed") return from.id === id && isKnown(to.id);
    if (kind !== "asset_moved") return false;
    if (from.parentId === id) return isKnown(to.id);
    return from.id === id && isBuilt(to) && lineage.hasEdge(toNew(id), toNew(to.id));
  };

  const childrenOf = await columnsOf(nodes.keys(), nodes, pace);

  /** The columns of its sources that an asset's SQL names no more, or names as they are called now. */
  function* unnamedBy(id: string, hops: readonly Hop[], change: Change): Generator<string> {
    for (const { from, to } of hops) {
      if (from.type === "column" || to.type === "column") continue;
      const isMoved = change.kind === "asset_moved" && from.id === change.id;
      const isFollowing = isMoved && lineage.hasEdge(toNew(from.id), toNew(id));
      for (const column of (isMoved ? childrenOf : columns).get(from.id) ?? []) {
        const isRenamed = change.kind === "column_renamed" && column === change.id;
        const isUnnamed = isRenamed || (!isMoved && !lineage.uses(toNew(column), toNew(id)));
        if (isFollowing || (isKnown(id) && isUnnamed)) yield column;
      }
    }
  }

  return {
    isGone,
    async supposeFor(change, reached) {
      const gone: Supposition["gone"][number][] = [];
      const known: string[] = [];
      for (const id of reached) {
        if (pace.isDue()) await pace.next();
        const hops = into.get(id) ?? [];
        for (const hop of hops) {
          if (hop.isCut || isFollowed(change, hop)) gone.push({ from: hop.from.id, to: id });
        }
        for (const column of unnamedBy(id, hops, change)) gone.push({ from: column, to: id });
        if (isUnusing(id, hops, change.kind === "column_renamed" ? change.id : null)) known.push(id);
      }
      return gone.length + known.length === 0 ? null : { gone, known };
    },
  };
}

/** What the project itself builds names its sources by reference; a dashboard names them as they were. */
function isBuilt({ type }: Pick<PresentNode, "type">): boolean {
  return type === "table" || type === "model" || type === "metric";
}

/** The columns among these nodes, by their tables. */
async function columnsOf(
  changed: Iterable<string>,
  nodes: Outlook["nodes"],
  pace: Pace,
): Promise<ReadonlyMap<string, string[]>> {
  const columns = new Map<string, string[]>();
  for (const id of changed) {
    if (pace.isDue()) await pace.next();
    const node = nodes.get(id);
    if (node?.type !== "column" || node.parentId === null) continue;
    const others = columns.get(node.parentId);
    if (others === undefined) columns.set(node.parentId, [id]);
    else others.push(id);
  }
  return columns;
}

/** What a change may go out from: a column's change also as one of its table, a table's also by its columns. */
async function spreadersOf(
  changed: ReadonlySet<string>,
  nodes: Outlook["nodes"],
  pace: Pace,
): Promise<Iterable<PresentNode>> {
  const spreaders = new Map<string, PresentNode>();
  const add = (id: string | null): void => {
    const node = id === null ? undefined : nodes.get(id);
    if (node !== undefined) spreaders.set(node.id, node);
  };
  for (const { id, parentId } of nodes.values()) {
    if (pace.isDue()) await pace.next();
    if (changed.has(id)) {
      add(id);
      add(parentId);
    }
    if (parentId !== null && changed.has(parentId)) add(id);
  }
  return spreaders.values();
}

/** All direct edges that leave these nodes. */
async function* hopsFrom(
  graph: Pick<GraphReader, "loadNeighbours">,
  workspace: string,
  from: Iterable<PresentNode>,
  pace: Pace,
): AsyncGenerator<Pick<Hop, "from" | "to">> {
  const open = [...from].map((node) => ({ node, after: null as string | null })).toReversed();
  while (open.length > 0) {
    await pace.next();
    const batch = open.splice(-BATCH);
    const queries = batch.map(
      ({ node: { id }, after }) => ({ id, after, direction: "downstream", first: PAGE }) as const,
    );
    const found = await graph.loadNeighbours(workspace, queries);
    for (const [i, { node }] of batch.entries()) {
      if (pace.isDue()) await pace.next();
      const { items = [], hasMore = false } = found[i] ?? {};
      for (const { node: to } of items) yield { from: node, to };
      if (hasMore) open.push({ node, after: items.at(-1)?.node.key ?? null });
    }
  }
}
