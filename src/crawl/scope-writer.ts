/**
 * Writes a crawl's statements to the graph, batch by batch and scope by scope. An asset with SQL waits for its scope's
 * end, when it is known what it derives from: its claim is written once, with what its SQL says of its columns.
 */
import { nodeId, toFqn } from "../catalog/identity.ts";
import type { CheckStatement } from "../catalog/check.ts";
import type { AssetStatement, EdgeStatement } from "../catalog/statement.ts";
import type { CrawlStamp, EdgeWrite, GraphWriter, NodeWrite } from "../graph/catalog-graph.ts";
import { boundCheck } from "./bound-check.ts";
import { boundStatement } from "./bound-statement.ts";
import { readChecks } from "./checks.ts";
import type { ErrorList } from "./error-list.ts";
import { expandAsset, isSound } from "./expand-asset.ts";
import { readMeasured } from "./measured-columns.ts";
import { readScope, type Relations, toKnownRelation, type Unread } from "./scope-lineage.ts";
import type { Caller } from "../work/caller.ts";
import type { StatementReader } from "./statement-reader.ts";

const BATCH = 500;

export interface ScopeWriter {
  begin(scope: string): void;
  asset(statement: AssetStatement): Promise<void>;
  /** @param object named in the error where the edge is refused */
  edge(statement: EdgeStatement, object: string): Promise<void>;
  /** Its assets may be stated before it or after it. */
  check(statement: CheckStatement): void;
  /** Writes what is left; sweeps the scope where the connector read it in full and nothing of it was left out. */
  end(scope: string, complete: boolean): Promise<void>;
  /** @throws Error where a scope was begun and not ended: not all of it is written */
  finish(): void;
  /** Assets and metrics that no connector holds any more. */
  readonly removed: number;
}

interface OpenScope {
  name: string;
  /** False once an asset was left out: a sweep would take its last good state away. */
  whole: boolean;
  nodes: NodeWrite[];
  edges: { write: EdgeWrite; told: string; object: string }[];
  /** They wait until it is known which columns their assets have. */
  checks: CheckStatement[];
  /** Metrics whose queries are to be read. */
  measuring: AssetStatement[];
  /** Assets whose SQL is to be read, by their ids. */
  unread: Map<string, Unread & { parents: Set<string> }>;
}

export interface ScopeWriterOptions {
  graph: GraphWriter;
  stamp: CrawlStamp;
  /** The workspace's name, which ids are made of. */
  workspace: string;
  errors: ErrorList;
  reader: StatementReader;
  /** Who has the SQL read. */
  caller: Caller;
  /** Told while SQL is read. */
  onReading: (done: number, total: number) => void;
}

export function createScopeWriter({
  graph,
  stamp,
  workspace,
  errors,
  reader,
  caller,
  onReading,
}: ScopeWriterOptions): ScopeWriter {
  const relations: Relations = new Map();
  let open: OpenScope | undefined;
  let removed = 0;

  function current(): OpenScope {
    if (open === undefined) throw new Error("the connector stated something outside a scope");
    return open;
  }

  async function writeNodes(scope: OpenScope): Promise<void> {
    const nodes = scope.nodes.splice(0);
    if (nodes.length > 0) await graph.writeNodes(stamp, scope.name, nodes);
  }

  async function writeEdges(scope: OpenScope): Promise<void> {
    // The graph takes an edge only when it has both ends.
    if (scope.edges.length > 0) await writeNodes(scope);
    while (scope.edges.length > 0) await writeBatch(scope, scope.edges.splice(0, BATCH));
  }

  async function writeBatch(scope: OpenScope, edges: OpenScope["edges"]): Promise<void> {
    const refused = await graph.writeEdges(
      stamp,
      scope.name,
      edges.map(({ write }) => write),
    );
    const keys = new Set(refused.map(edgeKey));
    for (const { write, told, object } of edges) {
      if (keys.has(edgeKey(write))) {
        errors.add({
          code: "refused_edge",
          message: `The edge ${told} was left out: this connector does not state both ends, or they cannot be joined so.`,
          object,
          stage: "write",
          severity: "error",
          retryable: false,
        });
      }
    }
  }

  async function writeAsset(
    scope: OpenScope,
    statement: AssetStatement,
    lineage: Parameters<typeof expandAsset>[2],
  ): Promise<void> {
    const { nodes, errors: found, whole } = expandAsset(workspace, statement, lineage);
    for (const error of found) errors.add(error);
    scope.whole &&= whole;
    for (const node of nodes) {
      scope.nodes.push(node);
      if (scope.nodes.length >= BATCH) await writeNodes(scope);
    }
  }

  /** Writes the assets that waited, and the edges of their columns. */
  async function readSql(scope: OpenScope): Promise<void> {
    const stated = scope.edges.splice(0);
    const total = scope.unread.size;
    let done = 0;
    const onRead = (count: number): void => onReading((done += count), total);
    if (total > 0) onReading(done, total);
    for await (const slice of readScope([...scope.unread.values()], relations, { workspace, reader, caller, onRead })) {
      for (const lineage of slice) await writeAsset(scope, lineage.statement, lineage);
      for (const { statement, edges } of slice) {
        const object = toFqn(statement.ref);
        for (const write of edges) scope.edges.push({ write, told: `into a column of ${object}`, object });
        if (scope.edges.length >= BATCH) await writeEdges(scope);
      }
    }
    scope.unread.clear();
    for (const statement of scope.measuring.splice(0)) {
      const { own, edges } = await readMeasured(statement, { workspace, relations, reader, caller });
      await writeAsset(scope, statement, { own, columns: new Map() });
      const object = toFqn(statement.ref);
      for (const write of edges) scope.edges.push({ write, told: `from a column to ${object}`, object });
    }
    for (const edge of stated) scope.edges.push(edge);
  }

  return {
    begin(name) {
      if (open !== undefined) throw new Error(`the connector began a scope before it ended ${open.name}`);
      open = { name, whole: true, nodes: [], edges: [], unread: new Map(), measuring: [], checks: [] };
    },
    async asset(stated) {
      const scope = current();
      const { statement, errors: cut } = boundStatement(stated);
      for (const error of cut) errors.add(error);
      const { ref, facts, reads = [] } = statement;
      const id = nodeId(workspace, ref);
      const isRelation = (ref.type === "table" || ref.type === "model") && isSound(statement);
      if (isRelation) relations.set(id, toKnownRelation(statement));
      // Copied where it is kept, since that must not keep the source's chunks alive.
      if (isRelation && (facts.sql ?? null) !== null) {
        scope.unread.set(id, { id, statement: structuredClone(statement), parents: new Set() });
      } else if (reads.length > 0) {
        scope.measuring.push(structuredClone(statement));
      } else {
        await writeAsset(scope, statement, null);
      }
    },
    async edge({ from, to, kind }, object) {
      const scope = current();
      const write = { from: nodeId(workspace, from), to: nodeId(workspace, to), kind, uses: [] };
      scope.edges.push({ write, told: `${toFqn(from)} ${kind} ${toFqn(to)}`, object });
      if (kind === "derives") scope.unread.get(write.to)?.parents.add(write.from);
      if (scope.edges.length >= BATCH && scope.unread.size + scope.measuring.length === 0) await writeEdges(scope);
    },
    check(stated) {
      const { check, errors: cut } = boundCheck(stated);
      for (const error of cut) errors.add(error);
      current().checks.push(check);
    },
    async end(name, complete) {
      const scope = current();
      if (scope.name !== name) throw new Error(`the connector ended ${name} inside ${scope.name}`);
      await readSql(scope);
      await writeNodes(scope);
      await writeEdges(scope);
      for await (const checks of readChecks(scope.checks, { workspace, relations, reader, caller }, errors)) {
        await graph.writeChecks(stamp, scope.name, checks);
      }
      if (complete && scope.whole) removed += (await graph.sweep(stamp, scope.name)).removed;
      open = undefined;
    },
    finish() {
      if (open !== undefined) throw new Error(`the connector did not end ${open.name}`);
    },
    get removed() {
      return removed;
    },
  };
}

function edgeKey({ from, to, kind }: EdgeWrite): string {
  return `${from} ${to} ${kind}`;
}
