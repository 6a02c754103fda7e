/** What the agent may ask of the stores, all within one workspace. It can change nothing. */
import type { CatalogNode, NodeType } from "../catalog/asset.ts";
import type { Direction } from "../catalog/edge.ts";
import type { Impact, ImpactQuery } from "../catalog/impact.ts";
import { type Lineage, MAX_DEPTH } from "../catalog/lineage.ts";
import { type CertificationStep, unrecordedStep } from "../catalog/certification.ts";
import { parseSearch, type SearchPosition, TIER } from "../catalog/search.ts";
import type { GraphReader, Neighbours, NodeCounts, NodeFilter, Page } from "../graph/catalog-graph.ts";
import type { Connector, Sync } from "../metadata/records.ts";
import type { MetadataStore } from "../metadata/store.ts";
import type { Caller } from "../work/caller.ts";

/** Tags, owners and connectors that a question is compared with; a workspace with more is answered by the first of them. */
const MAX_VALUES = 1_000;
const MAX_CONNECTORS = 200;
/** Of which types and certifications they are is told of these alone, and said so; all are counted whatever is kept. */
const MAX_AFFECTED = 1_000;

/** Values that a question is compared with. */
export interface Values {
  items: string[];
  /** Whether there may be others. */
  hasMore: boolean;
}

/** Columns of one name that are counted, and how many are read at once. */
const MAX_COLUMNS = 5_000;
const COLUMNS_AT_ONCE = 250;
/** Nodes of a list that are read in one turn. */
const NODES_AT_ONCE = 200;

/** A position carries its mode on: behind the first one of mode `all`, nothing falls back to `any`. */
const FIRST = { mode: "all", tier: TIER.exactName, certification: 0, key: "" } as const;

export interface ConnectorRun {
  connector: Connector;
  lastSync: Sync | null;
}

export interface AgentCatalog {
  /** Resolves when the next step may be taken. Look-ups wait for it themselves; what only reckons asks for it. */
  nextTurn(): Promise<void>;
  load(ids: readonly string[]): Promise<(CatalogNode | null)[]>;
  findByFqn(fqn: string): Promise<CatalogNode | null>;
  /** Nodes that have all the words, the last as a prefix, the best first; never those that have some of them. */
  search(text: string, types: NodeFilter["types"], limit: number): Promise<CatalogNode[]>;
  columnsOf(parentId: string): Promise<CatalogNode[]>;
  /** All columns of this very name, but for case. */
  columnsNamed(name: string): Promise<Page<CatalogNode>>;
  /** How a metric came to be certified and ceased to be, oldest first; [] for all else. */
  trailOf(node: CatalogNode): Promise<CertificationStep[]>;
  list(filter: NodeFilter, limit: number, after?: string | null): Promise<Page<CatalogNode>>;
  count(filter: NodeFilter): Promise<NodeCounts>;
  neighbours(id: string, direction: Direction, first: number): Promise<Neighbours>;
  /** As far as a walk may go; null where there is no such node. */
  walk(id: string, direction: Direction): Promise<Lineage | null>;
  impact(query: Pick<ImpactQuery, "root" | "change" | "newType">): Promise<Impact | null>;
  tags(): Promise<Values>;
  /** E-mail addresses, folded, and the names of owners without one. */
  owners(): Promise<Values>;
  connectors(): Promise<{ items: ConnectorRun[]; hasMore: boolean }>;
}

export interface AgentStores {
  graph: GraphReader;
  metadata: MetadataStore;
  maxLineageNodes: number;
}

/** What one question's look-ups take turns by, and are charged to. */
export interface Share {
  /** Resolves when the next step may be taken. */
  nextTurn?: () => Promise<void>;
  /** Told how many rows were read. */
  charge?: Caller["charge"];
}

export function createAgentCatalog(
  { graph, metadata, maxLineageNodes }: AgentStores,
  workspace: string,
  { nextTurn = () => Promise.resolve(), charge = () => {} }: Share = {},
): AgentCatalog {
  /** One look-up, in its turn, charged for the rows that it found. */
  async function read<T>(lookUp: () => Promise<T>, rowsOf: (found: T) => number): Promise<T> {
    await nextTurn();
    const found = await lookUp();
    charge(rowsOf(found));
    return found;
  }

  /** One page, read in slices: a thousand nodes at once would be a long step. */
  async function list(filter: NodeFilter, limit: number, after: string | null = null): Promise<Page<CatalogNode>> {
    const items: CatalogNode[] = [];
    let from = after;
    for (;;) {
      const slice = { after: from, limit: Math.min(limit - items.length, NODES_AT_ONCE) };
      const page = await read(() => graph.listNodes(workspace, filter, slice), countItems);
      items.push(...page.items);
      from = page.items.at(-1)?.key ?? null;
      if (!page.hasMore || from === null || items.length >= limit) return { items, hasMore: page.hasMore };
    }
  }

  return {
    nextTurn,
    load: (ids) => read(() => graph.loadNodes(workspace, ids), countAll),
    findByFqn: (fqn) =>
      read(
        () => graph.findByFqn(workspace, fqn, {}),
        () => 1,
      ),
    async search(text, types, limit) {
      const query = parseSearch(text);
      if (query === null) return [];
      const after = { ...FIRST, matched: query.terms.length };
      const found = await read(() => graph.searchNodes(workspace, { types }, query, { after, limit }), countItems);
      return found.items.map(({ node }) => node);
    },
    async columnsOf(parentId) {
      const [columns] = await read(
        () => graph.loadColumns(workspace, [parentId]),
        (found) => found.flat().length,
      );
      return columns ?? [];
    },
    async columnsNamed(name) {
      const query = parseSearch(name);
      if (query === null) return { items: [], hasMore: false };
      let after: SearchPosition = { ...FIRST, matched: query.terms.length };
      const items: CatalogNode[] = [];
      while (items.length < MAX_COLUMNS) {
        const from = { after, limit: COLUMNS_AT_ONCE };
        const page: Page<{ node: CatalogNode; position: SearchPosition }> = await read(
          () => graph.searchNodes(workspace, { types: ["column"] }, query, from),
          countItems,
        );
        const exact = page.items.filter(({ position }) => position.tier === TIER.exactName);
        items.push(...exact.map(({ node }) => node));
        const last = exact.at(-1);
        if (!page.hasMore || last === undefined || exact.length < page.items.length) return { items, hasMore: false };
        after = last.position;
      }
      return { items, hasMore: true };
    },
    async trailOf(node) {
      if (node.type !== "metric") return [];
      const [trail] = await read(
        () => graph.loadTrails(workspace, [node.id]),
        (trails) => trails.flatMap(({ steps }) => steps).length,
      );
      const steps = trail?.steps ?? [];
      const unrecorded = unrecordedStep(node, steps);
      return unrecorded === null ? steps : [...steps, unrecorded];
    },
    list: (filter, limit, after = null) => read(() => graph.listNodes(workspace, filter, { after, limit }), countItems),
    count: (filter) =>
      read(
        () => graph.countNodes(workspace, filter),
        () => 1,
      ),
    async neighbours(id, direction, first) {
      const [found] = await read(
        () => graph.loadNeighbours(workspace, [{ id, direction, first, after: null }]),
        (pages) => pages.flatMap(({ items }) => items).length,
      );
      return found ?? { items: [], total: 0, hasMore: false };
    },
    walk: (root, direction) =>
      read(
        () => graph.walk(workspace, { root, direction, depth: MAX_DEPTH, maxNodes: maxLineageNodes }),
        (found) => (found === null ? 1 : found.nodes.length + found.edges.length),
      ),
    impact: (query) =>
      read(
        () => graph.assessImpact(workspace, { ...query, maxAffected: MAX_AFFECTED }),
        (found) => (found === null ? 1 : found.affected.reduce((rows, { path }) => rows + path.length, 0)),
      ),
    async tags() {
      const items = await read(() => graph.listValues(workspace, "tag", MAX_VALUES + 1), countAll);
      return { items: items.slice(0, MAX_VALUES), hasMore: items.length > MAX_VALUES };
    },
    async owners() {
      const [addresses, others] = await Promise.all([
        read(() => graph.listValues(workspace, "owner", MAX_VALUES + 1), countAll),
        list({ types: NAMED_TYPES, owner: "" }, MAX_VALUES),
      ]);
      const names = new Set(others.items.map(({ ownerName }) => ownerName).filter((name) => name !== ""));
      return {
        items: [...addresses.slice(0, MAX_VALUES), ...names],
        hasMore: addresses.length > MAX_VALUES || others.hasMore,
      };
    },
    async connectors() {
      const page = { after: null, limit: MAX_CONNECTORS };
      const { items, hasMore } = await read(() => metadata.connectors.list(workspace, page), countItems);
      const syncs = await metadata.syncs.loadLatest(
        workspace,
        items.map(({ id }) => id),
      );
      return { items: items.map((connector, i) => ({ connector, lastSync: syncs[i] ?? null })), hasMore };
    },
  };
}

function countAll(rows: readonly unknown[]): number {
  return rows.length;
}

function countItems({ items }: { items: readonly unknown[] }): number {
  return items.length;
}

/** What has a name that people say: everything but columns, which are many. */
export const NAMED_TYPES: readonly NodeType[] = ["metric", "dashboard", "pipeline", "model", "table"];
