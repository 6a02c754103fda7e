/**
 * A store for the lineage index that answers the statements of `src/graph/memgraph` from plain Maps, as a Memgraph
 * server would: it keeps a log of changes, and its transactions see one state. It answers no statement of the walks and
 * impacts that ask the store itself.
 */
import { randomUUID } from "node:crypto";
import { setImmediate as nextIteration } from "node:timers/promises";

import { usesText } from "../../src/catalog/edge.ts";
import type { CatalogGraph, GraphReader } from "../../src/graph/catalog-graph.ts";
import type { CrawlStamp } from "../../src/graph/catalog-writes.ts";
import { createLineageFollowers, type LineageFollower } from "../../src/graph/lineage-index/follower.ts";
import { STATUS_FACTS } from "../../src/graph/lineage-index/facts.ts";
import type { Bolt, Parameters, Row, Run } from "../../src/graph/memgraph/bolt.ts";
import { COVERED, INCOMPLETE } from "../../src/graph/memgraph/coverage.ts";
import { FOLLOW_REFERENCES, OWN_COLUMNS, SHOW, USES_BETWEEN } from "../../src/graph/memgraph/impact.ts";
import { SHOWN_AT } from "../../src/graph/memgraph/indexed-walk.ts";
import { CHANGES, edgesOutCypher, KEYS_AFTER, NODES_BY_ID, POSITION } from "../../src/graph/memgraph/lineage-store.ts";
import { loadLineage } from "../../src/graph/memgraph/load-lineage.ts";
import { endText } from "../../src/graph/memgraph/moment-texts.ts";
import { createReader } from "../../src/graph/memgraph/reader.ts";
import type { WorkspaceId } from "../../src/ids.ts";
import { THE_SERVICE } from "../../src/work/caller.ts";
import { createOpenReference, type ReferenceLineage } from "./reference-graph.ts";

interface Change {
  number: number;
  mark: string;
  nodes: string[];
}

/** One state of a workspace, with the changes that led to it. */
export interface State {
  lineage: ReferenceLineage;
  changes: readonly Change[];
}

const WRITES = [
  "writeNodes",
  "writeEdges",
  "writeReferences",
  "sweep",
  "markIncomplete",
  "removeConnector",
  "renameConnector",
  "curate",
  "stateByHand",
  "certify",
  "copyIn",
] as const;

/** The walk or impact asked the store itself. */
class AskedStore extends Error {}

export function createLineageStore() {
  const { graph, lineageOf } = createOpenReference();
  const states = new Map<WorkspaceId, State>();
  const stateOf = (workspace: WorkspaceId): State =>
    states.get(workspace) ?? { lineage: lineageOf(workspace), changes: [] };

  /** The lineage after each change, by its mark. */
  const after = new Map<string, State["lineage"]>();

  /** Notes what a write has changed. */
  function note(workspace: WorkspaceId): void {
    const before = stateOf(workspace);
    const lineage = lineageOf(workspace);
    const nodes = touched(states.has(workspace) ? before.lineage : null, lineage);
    const number = (before.changes.at(-1)?.number ?? 0) + nodes.length;
    const changes = nodes.length === 0 ? before.changes : [...before.changes, { number, mark: randomUUID(), nodes }];
    states.set(workspace, { lineage, changes });
    const last = changes.at(-1);
    if (last !== undefined) after.set(last.mark, lineage);
  }
  const writes = WRITES.filter((name) => name in graph).map((name) => {
    const write = Reflect.get(graph, name) as (...args: unknown[]) => Promise<unknown>;
    const noting = async (...args: [WorkspaceId | CrawlStamp, ...unknown[]]): Promise<unknown> => {
      try {
        return await write(...args);
      } finally {
        note(typeof args[0] === "string" ? args[0] : args[0].workspace);
      }
    };
    return [name, noting] as const;
  });

  return {
    graph: { ...graph, ...Object.fromEntries(writes) } as CatalogGraph,
    stateOf,
    /** Puts a workspace back into an earlier state, or takes entries out of its log. The graph itself stays. */
    setState: (workspace: WorkspaceId, state: State): void => void states.set(workspace, state),
    /** Forgets its last changes, but not the first. The next write makes them again, in one change. */
    lose(workspace: WorkspaceId, amount: number): void {
      const { changes, lineage } = stateOf(workspace);
      const kept = changes.slice(0, Math.max(1, changes.length - amount));
      states.set(workspace, { lineage: after.get(kept.at(-1)?.mark ?? "") ?? lineage, changes: kept });
    },
    /** Each statement sees the state of its moment; all of a transaction see the same. */
    read: ((statement, parameters) =>
      answer(stateOf(parameters["workspace"] as WorkspaceId), statement, parameters)) as Run,
    readTogether<T>(work: (run: Run) => Promise<T>): Promise<T> {
      const seen = new Map<WorkspaceId, State>();
      return work((statement, parameters) => {
        const workspace = parameters["workspace"] as WorkspaceId;
        return answer(
          seen.getOrInsertComputed(workspace, () => stateOf(workspace)),
          statement,
          parameters,
        );
      });
    },
  };
}

/** What a server asks. */
export type LineageServer = Pick<Bolt, "read" | "readTogether"> & { graph: CatalogGraph };

/**
 * A server that reads a store, with lineage of its own in memory.
 * @param follower the lineage of each workspace; if absent, it is loaded from the store
 */
export function openReplica(store: LineageServer, follower?: Pick<LineageFollower, "current" | "at">) {
  const statements: string[] = [];
  const noting =
    (run: Run): Run =>
    (statement, parameters) => {
      statements.push(statement);
      return run(statement, parameters);
    };
  const loads = new Map<WorkspaceId, Promise<unknown>>();
  const followers = createLineageFollowers((workspace, maxBytes) => {
    const load = loadLineage({ ...store, readMain: store.read }, workspace, maxBytes);
    loads.set(workspace, Promise.allSettled([load]));
    return load;
  }, Infinity);
  const lineageOf = (workspace: WorkspaceId) => follower ?? followers(workspace);
  /** Waits until the lineage that is needed is in memory, or cannot be. */
  const load = async (workspace: WorkspaceId): Promise<void> => {
    if (lineageOf(workspace).current() !== null) return;
    // The load begins when those of other workspaces have ended.
    await nextIteration();
    await loads.get(workspace);
    await nextIteration();
  };
  const bolt = {
    read: noting(store.read),
    readTogether: <T>(work: (run: Run) => Promise<T>) => store.readTogether((run) => work(noting(run))),
    check: async () => {},
  };
  const reader = createReader({ bolt, turns: { run: async (_, work) => work(() => {}) }, lineageOf }, THE_SERVICE);
  let fromStore = 0;
  /** What the index cannot answer is answered by the reference. */
  const orStore = async <T>(ask: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AskedStore)) throw error;
      fromStore += 1;
      return otherwise();
    }
  };
  return {
    statements,
    lineageOf,
    /** How many walks and impacts asked the store itself. */
    fromStore: () => fromStore,
    reader: {
      async walk(...[workspace, query]: ArgumentsOf<"walk">) {
        await load(workspace);
        return orStore(
          () => reader.walk(workspace, query),
          () => store.graph.walk(workspace, query),
        );
      },
      async assessImpact(...[workspace, query]: ArgumentsOf<"assessImpact">) {
        await load(workspace);
        return orStore(
          () => reader.assessImpact(workspace, query),
          () => store.graph.assessImpact(workspace, query),
        );
      },
    },
  };
}

type ArgumentsOf<K extends "walk" | "assessImpact"> = globalThis.Parameters<GraphReader[K]>;

/** A graph whose walks and impacts two servers tell by turns. */
export function readByTurns(store: LineageServer): CatalogGraph {
  const replicas = [openReplica(store).reader, openReplica(store).reader] as const;
  let reads = 0;
  return {
    ...store.graph,
    walk: (...args) => replicas[reads++ % 2 === 0 ? 0 : 1].walk(...args),
    assessImpact: (...args) => replicas[reads++ % 2 === 0 ? 0 : 1].assessImpact(...args),
  };
}

/** Nodes that differ, and those from which an edge or reference between nodes that are there differs. */
function touched(before: ReferenceLineage | null, now: ReferenceLineage): string[] {
  const there = new Set(now.nodes.map(({ id }) => id));
  const linesOf = ({ nodes, edges, references }: ReferenceLineage): Map<string, string> => {
    const lines = [
      ...nodes.map((node) => [node.id, JSON.stringify(Object.assign({}, node, { usage: null }))]),
      ...edges.map((edge) => [edge.from, JSON.stringify(edge), edge.to]),
      ...references.map((edge) => [edge.from, JSON.stringify(edge), edge.to]),
    ].filter(([, , to]) => to === undefined || there.has(to as never));
    const byNode = Map.groupBy(lines, ([id = ""]) => id);
    return new Map([...byNode].map(([id, own]) => [id, JSON.stringify(own.map(([, line]) => line).toSorted())]));
  };
  const was = before === null ? new Map<string, string>() : linesOf(before);
  const is = linesOf(now);
  return [...new Set([...was.keys(), ...is.keys()])].filter((id) => was.get(id) !== is.get(id));
}

const STATUSES = new Map(STATUS_FACTS);

function columns(rows: unknown[][], width: number): Row[] {
  return [listsOf(rows, width)];
}

function listsOf(rows: unknown[][], width: number): unknown[][] {
  return Array.from({ length: width }, (_, i) => rows.map((row) => row[i]));
}

async function answer({ lineage, changes }: State, statement: string, parameters: Parameters): Promise<Row[]> {
  const { nodes, edges, references, incomplete } = lineage;
  const byId = new Map<string, (typeof nodes)[number]>(nodes.map((node) => [node.id, node]));
  const ids = (parameters["ids"] ?? []) as string[];
  const asked = (parameters["nodes"] ?? []) as { id: string; position: { toNumber: () => number } }[];
  const found = ids.flatMap((id) => byId.get(id) ?? []).toReversed();
  const last = changes.at(-1);
  const position = [last?.number ?? 0, last?.mark ?? ""];
  const toRow = ({ id, parentId, key, type, columnLineage, gap, sources, ...node }: (typeof nodes)[number]): Row => {
    const status = STATUSES.get(columnLineage?.status ?? "") ?? 0;
    return [id, parentId, key, type, status, gap !== "", sources, node.certification, node.owner, node.ownerName];
  };
  const edgesOut = (level: "asset" | "column"): Row[] =>
    columns(
      edges
        .filter((edge) => edge.levels.includes(level) && ids.includes(edge.from))
        .map(({ from, to, kind, uses, isDirect }) => [from, to, kind, isDirect, level === "asset" ? 0 : rankOf(uses)]),
      5,
    );
  const answers: Record<string, () => Row[]> = {
    [POSITION]: () => [position],
    [CHANGES]: () =>
      changes
        .map((change) => [endText(parameters["workspace"] as WorkspaceId, change.number), change.mark, change.nodes])
        .filter(([at]) => String(at) >= String(parameters["from"]) && String(at) <= String(parameters["to"])),
    [KEYS_AFTER]: () =>
      nodes
        .filter(({ id }) => id > String(parameters["after"]))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, (parameters["limit"] as { toNumber: () => number }).toNumber())
        .map(({ id, key }) => [id, key]),
    [NODES_BY_ID]: () => found.map(toRow),
    [edgesOutCypher("asset")]: () => edgesOut("asset"),
    [edgesOutCypher("column")]: () => edgesOut("column"),
    [OWN_COLUMNS]: () =>
      columns(
        nodes
          .filter(({ type, parentId }) => type === "column" && parentId !== null && ids.includes(parentId))
          .map(({ id, parentId }) => [parentId, id]),
        2,
      ),
    [FOLLOW_REFERENCES]: () =>
      columns(
        asked.flatMap((node) =>
          references.filter(({ from }) => from === node.id).map(({ to }) => [node.position.toNumber(), to]),
        ),
        2,
      ),
    [SHOWN_AT]() {
      const shown = found.map(({ id, name, gap }) => [id, name, gap]);
      return found.length === 0 ? [] : [[...position, ...listsOf(shown, 3)]];
    },
    [INCOMPLETE]: () => ids.filter((id) => incomplete.includes(id)).map((id) => [id]),
    [COVERED]() {
      const covered = found.map(({ id, gap, sources }) => [id, gap, sources]);
      return columns(covered, 3);
    },
    [USES_BETWEEN]: () =>
      columns(
        ((parameters["pairs"] ?? []) as { from: string; to: string; position: { toNumber: () => number } }[]).flatMap(
          (pair) =>
            edges
              .filter(({ from, to, levels }) => from === pair.from && to === pair.to && levels.includes("column"))
              .map(({ uses }) => [pair.position.toNumber(), usesText(uses)]),
        ),
        2,
      ),
    [SHOW]: () =>
      columns(
        found.map(({ columnLineage, usage, dataType, ...node }) => [
          node.id,
          node.name,
          node.fqn,
          node.type,
          node.certification,
          node.owner,
          node.ownerName,
          node.platform,
          dataType ?? "",
          columnLineage === null ? "" : JSON.stringify(columnLineage),
          usage === null ? "" : JSON.stringify(usage),
        ]),
        11,
      ),
  };
  const given = answers[statement];
  if (given === undefined) throw new AskedStore(statement);
  return given();
}

/** As the statement has it from the text of the uses. */
function rankOf(uses: ReferenceLineage["edges"][number]["uses"]): number {
  const text = usesText(uses);
  if (text === "[]") return 0;
  if (text.includes('"kind":"DIRECT","transformation":"IDENTITY"')) return 3;
  return text.includes('"kind":"DIRECT"') ? 2 : 1;
}
