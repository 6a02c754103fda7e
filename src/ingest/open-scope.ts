/** What a scope of a crawl keeps until it ends, and how its nodes, edges and references are written in batches. */
import { setImmediate } from "node:timers/promises";

import type { ColumnLineage } from "../catalog/asset.ts";
import type { CheckStatement } from "../catalog/check.ts";
import { crawlError } from "../catalog/crawl.ts";
import type { NodeRef } from "../catalog/identity.ts";
import type { Reference } from "../catalog/reference.ts";
import type { AssetStatement } from "../catalog/statement.ts";
import type { CatalogGraph } from "../graph/catalog-graph.ts";
import type { CrawlStamp, EdgeWrite, NodeWrite } from "../graph/catalog-writes.ts";
import type { NodeId } from "../ids.ts";
import type { QueryLineage } from "./column-lineage.ts";
import type { ErrorList } from "./error-list.ts";
import type { Expanded } from "./expand-asset.ts";
import type { LoadExternalRelations } from "./find-relations.ts";
import { sanitizeFacts } from "./sanitize-facts.ts";
import type { SqlContext } from "./statement-reader.ts";

const BATCH = 1_000;
/** Preparing so many nodes takes some milliseconds. Then other work may run. */
const NODES_IN_A_SLICE = 200;

/** What all scopes of one crawl share. */
export interface CrawlParts extends SqlContext {
  graph: CatalogGraph;
  stamp: CrawlStamp;
  errors: ErrorList;
  /** Ids of the assets and metrics that the crawl states. */
  stated: Set<NodeId>;
  /** Names of the workspace's other connectors of the same type. */
  peers: ReadonlySet<string>;
  loadExternalRelations: LoadExternalRelations;
  /** Called while SQL is read. */
  onReading: (done: number, total: number) => void;
}

/** An asset whose SQL must be read, and the ids of the assets that its connector lists as its sources. */
export interface Unread {
  id: NodeId;
  statement: AssetStatement;
  parents: ReadonlySet<NodeId>;
}

/** An asset whose SQL does not say all the columns that it yields. */
export interface PartlyRead {
  id: NodeId;
  statement: AssetStatement;
  /** Ids of the relations that its SQL reads. */
  sourceIds: readonly NodeId[];
}

/** An edge, with its name and object for the error if it is refused. */
interface NamedEdge {
  write: EdgeWrite;
  name: string;
  object: string;
}

export class OpenScope {
  readonly name: string;
  /** False if an asset was left out. A sweep would then remove what an earlier crawl stated about it. */
  isWhole = true;
  /** Assets whose SQL must be read, by their ids. */
  readonly unread = new Map<NodeId, Unread & { parents: Set<NodeId> }>();
  /** Ids of the assets whose SQL was read. */
  withSql: NodeId[] = [];
  /** Metrics, dashboards and pipelines whose queries must be read. */
  readonly querying: AssetStatement[] = [];
  /** Ends of edges, by their ids. */
  readonly named = new Map<NodeId, NodeRef>();
  /** Relations by id whose nodes wait for columns that SQL may name. Their listed columns are written. */
  readonly waiting = new Map<NodeId, { statement: AssetStatement; own: ColumnLineage | null }>();
  /** Assets of which others may name columns that their own SQL does not list, in the order in which they were read. */
  readonly partlyRead: PartlyRead[] = [];
  /** Checks wait until the columns of their assets are known. */
  readonly checks: CheckStatement[] = [];
  /** Stated edges, and edges from columns that only SQL names. They wait until both ends are written. */
  readonly lateEdges: NamedEdge[] = [];
  readonly #lateReferences: Reference[] = [];
  readonly #nodes: NodeWrite[] = [];
  readonly #edges: NamedEdge[] = [];
  readonly #references: Reference[] = [];
  readonly #crawl: Pick<CrawlParts, "graph" | "stamp" | "errors">;

  constructor(name: string, crawl: Pick<CrawlParts, "graph" | "stamp" | "errors">) {
    this.name = name;
    this.#crawl = crawl;
  }

  /** Takes the nodes of an asset with clean facts, and writes those that wait if they fill a batch. */
  async take({ nodes, errors = [], isWhole = true }: Expanded): Promise<void> {
    for (const error of errors) this.#crawl.errors.add(error);
    this.isWhole &&= isWhole;
    for (const node of nodes) {
      this.#nodes.push({ ...node, facts: sanitizeFacts(node.facts, this.#crawl.errors) });
      if (this.#nodes.length >= BATCH) await this.#writeNodes();
      else if (this.#nodes.length % NODES_IN_A_SLICE === 0) await setImmediate();
    }
  }

  /** Adds what an asset's SQL reads, and that it names columns. */
  addLineage(
    { edges, lateEdges, named }: Omit<QueryLineage, "own">,
    to: NodeId,
    about: Omit<NamedEdge, "write">,
  ): void {
    for (const write of edges) this.#edges.push({ write, ...about });
    for (const write of lateEdges) this.lateEdges.push({ write, ...about });
    for (const { id: from, late } of named) (late ? this.#lateReferences : this.#references).push({ from, to });
  }

  /** Writes the edges and references, if they fill a batch. */
  async writeFull(): Promise<void> {
    if (this.#edges.length + this.#references.length >= BATCH) await this.#writeEdges();
  }

  /** Writes everything that waits. All nodes that the edges need have been taken. */
  async writeAll(): Promise<void> {
    this.#edges.push(...this.lateEdges.splice(0));
    this.#references.push(...this.#lateReferences.splice(0));
    await this.#writeEdges();
  }

  async #writeNodes(): Promise<void> {
    const { graph, stamp } = this.#crawl;
    const { named = [], stated = [] } = Object.groupBy(this.#nodes.splice(0), ({ existence }) =>
      existence === "referenced" ? "named" : "stated",
    );
    if (stated.length > 0) await graph.writeNodes(stamp, this.name, stated);
    if (named.length > 0) await graph.writeNodes(stamp, namedScope(this.name), named);
  }

  async #writeEdges(): Promise<void> {
    // First, because the graph accepts an edge only if it has both ends.
    await this.#writeNodes();
    const { graph, stamp } = this.#crawl;
    const writeReferences = async (): Promise<void> => {
      while (this.#references.length > 0) {
        await graph.writeReferences(stamp, this.name, this.#references.splice(0, BATCH));
      }
    };
    const writeEdges = async (): Promise<void> => {
      while (this.#edges.length > 0) await this.#writeBatch(this.#edges.splice(0, BATCH));
    };
    // At the same time: neither needs the other.
    await Promise.all([writeEdges(), writeReferences()]);
  }

  /** Reports refused edges. Refused references need no error, because the reading of the SQL reports its problems. */
  async #writeBatch(batch: readonly NamedEdge[]): Promise<void> {
    const { graph, stamp, errors } = this.#crawl;
    const writes = batch.map(({ write }) => write);
    const refused = new Set((await graph.writeEdges(stamp, this.name, writes)).map(edgeKey));
    for (const { write, name, object } of batch) {
      if (!refused.has(edgeKey(write))) continue;
      const message = `The edge ${name} was left out: no edge can join nodes of these types, or a name of one is not valid.`;
      errors.add(crawlError({ code: "refused_edge", message, object, stage: "write" }));
    }
  }
}

function edgeKey({ from, to, kind }: EdgeWrite): string {
  return `${from} ${to} ${kind}`;
}

/**
 * The scope of nodes that a scope only names. If they were in the scope itself, naming a node would replace what an
 * earlier crawl stated about it, even if this crawl is broken and must not remove anything.
 */
export function namedScope(scope: string): string {
  return `${scope} (named)`;
}
