/** Writes a crawl's statements to the graph, batch by batch and scope by scope. */
import { nodeId, toFqn } from "../catalog/identity.ts";
import type { AssetStatement, EdgeStatement } from "../catalog/statement.ts";
import type { CrawlStamp, EdgeWrite, GraphWriter, NodeWrite } from "../graph/catalog-graph.ts";
import type { ErrorList } from "./error-list.ts";
import { expandAsset } from "./expand-asset.ts";

const BATCH = 500;

export interface ScopeWriter {
  begin(scope: string): void;
  asset(statement: AssetStatement): Promise<void>;
  /** @param object named in the error where the edge is refused */
  edge(statement: EdgeStatement, object: string): Promise<void>;
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
}

/** @param workspace the workspace's name, which ids are made of */
export function createScopeWriter(
  graph: GraphWriter,
  stamp: CrawlStamp,
  workspace: string,
  errors: ErrorList,
): ScopeWriter {
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
    const edges = scope.edges.splice(0);
    if (edges.length === 0) return;
    // The graph takes an edge only when it has both ends.
    await writeNodes(scope);
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

  return {
    begin(name) {
      if (open !== undefined) throw new Error(`the connector began a scope before it ended ${open.name}`);
      open = { name, whole: true, nodes: [], edges: [] };
    },
    async asset(statement) {
      const scope = current();
      const { nodes, errors: found, whole } = expandAsset(workspace, statement);
      for (const error of found) errors.add(error);
      scope.whole &&= whole;
      for (const node of nodes) {
        scope.nodes.push(node);
        if (scope.nodes.length >= BATCH) await writeNodes(scope);
      }
    },
    async edge({ from, to, kind }, object) {
      const scope = current();
      const write = { from: nodeId(workspace, from), to: nodeId(workspace, to), kind, uses: [] };
      scope.edges.push({ write, told: `${toFqn(from)} ${kind} ${toFqn(to)}`, object });
      if (scope.edges.length >= BATCH) await writeEdges(scope);
    },
    async end(name, complete) {
      const scope = current();
      if (scope.name !== name) throw new Error(`the connector ended ${name} inside ${scope.name}`);
      await writeNodes(scope);
      await writeEdges(scope);
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
