/**
 * The graph store in its simplest form: Maps, loops over everything, and the pure rules of `src/catalog`. It defines
 * what the engines must return. It is written to be read, not to be fast.
 */
import { schemaOf } from "../../src/catalog/identity.ts";
import type { CatalogNode } from "../../src/catalog/asset.ts";
import type { CauseNode } from "../../src/catalog/causes/cause.ts";
import { compareStates, type UpstreamState } from "../../src/catalog/causes/compare-states.ts";
import { type ClosureReader, readClosure, toClosureNode } from "../../src/catalog/dependencies/closure.ts";
import { dependenciesOf } from "../../src/catalog/dependencies/dependencies.ts";
import { reach } from "../../src/catalog/dependencies/reach.ts";
import { NODE_TYPES, type NodeType } from "../../src/catalog/node-types.ts";
import {
  type CertificationStep,
  type KeptDependencies,
  isAsSeen,
  applyDecision,
} from "../../src/catalog/certification.ts";
import { type Coverage, INCOMPLETE_CRAWL, MAX_GAPS } from "../../src/catalog/coverage.ts";
import { findResultChange, type ResultChange } from "../../src/catalog/changes/result-change.ts";
import { afterResult, type Check, checkKey, statusOf } from "../../src/catalog/check.ts";
import {
  carriesValues,
  type ColumnUse,
  EDGE_KINDS,
  type Direction,
  type Edge,
  type EdgeKind,
  type Level,
  edgeLevels,
  joinUses,
  isOriginKind,
  walkLevel,
} from "../../src/catalog/edge.ts";
import {
  type ConnectorLayer,
  type Curation,
  isHeld,
  lineageOwner,
  type NodeIdentity,
  PEOPLE,
  type ShownNode,
  showNode,
  showStatement,
  showUsage,
} from "../../src/catalog/layers.ts";
import { EDITABLE_FIELDS, type EditStamp, listEdits, requireAsSeen } from "../../src/catalog/edits.ts";
import { assess } from "../../src/catalog/impact/assess.ts";
import { type ColumnStep, type Handle, type ImpactSource, type Step } from "../../src/catalog/impact/source.ts";
import type { Impact, ImpactQuery } from "../../src/catalog/impact.ts";
import { usageRank } from "../../src/catalog/usage.ts";
import type { Lineage, LineageNode } from "../../src/catalog/lineage.ts";
import { type NodeOrder, type NodePlace, sortedTypes } from "../../src/catalog/node-order.ts";
import { canReference, type Reference } from "../../src/catalog/reference.ts";
import {
  type SearchMode,
  type SearchPosition,
  comparePositions,
  rankOf,
  standingOf,
  toSearchFields,
} from "../../src/catalog/search.ts";
import { correctQuery, listCorrections, wordsToCorrect } from "../../src/catalog/search-spelling.ts";
import { compareCodePoints, fold, foldForSearch } from "../../src/catalog/text.ts";
import { MAX_NAMESAKES } from "../../src/catalog/namesakes.ts";
import type {
  CatalogGraph,
  GraphReader,
  Neighbours,
  NeighbourFilter,
  NeighbourQuery,
  NodeCounts,
  CountedBy,
  NodeFilter,
  Page,
  WalkQuery,
  PastReader,
} from "../../src/graph/catalog-graph.ts";
import { joinSources } from "../../src/catalog/node-source.ts";
import type { CrawlStamp, CurationChange, EdgeWrite, GraphWriter, NodeWrite } from "../../src/graph/catalog-writes.ts";
import { overtakenRun, removedConnector } from "../../src/graph/core/open-source.ts";
import { statedBy } from "../../src/graph/history/kept-node.ts";
import { type Author, authorOf, personAt } from "../../src/graph/history/moments.ts";
import { type ConnectorId, type NodeId, toConnectorId, type WorkspaceId } from "../../src/ids.ts";
import { createClosureReader } from "../../src/metrics/closure-reader.ts";
import { AppError, badField } from "../../src/errors.ts";
import { overBudget } from "../../src/work/budget.ts";
import type { Caller } from "../../src/work/caller.ts";
import { present } from "./present.ts";
import { listReferenceChanges, listReferenceMoments, type PastState } from "./reference-changes.ts";

/** The first part of a schema; "" if it has none. */
const databaseOf = (schema: string): string => schema.split(".", 1)[0] ?? "";

type NodeLayer = ConnectorLayer & { syncId: string; firstSyncId: string; since: string };

interface StoredNode {
  identity: NodeIdentity;
  layers: NodeLayer[];
  curation: Curation;
  createdAt: string;
  updatedAt: string;
}

/** An edge that one connector states in one scope. */
interface EdgeLayer {
  edge: Edge;
  uses: readonly ColumnUse[];
  connectorId: ConnectorId;
  scope: string;
  syncId: string;
}

/** One statement of a connector, in one scope, that an asset's SQL names a column. */
interface ReferenceLayer {
  edge: Reference;
  connectorId: ConnectorId;
  scope: string;
  syncId: string;
}

/** A check that one connector states in one scope. */
interface CheckLayer extends Pick<CrawlStamp, "connectorId" | "precedence" | "syncId"> {
  scope: string;
  check: Check;
}

interface Workspace {
  /** Scopes of connectors whose last crawl ended early. */
  incomplete: Map<string, { connectorId: ConnectorId; scope: string }>;
  nodes: Map<string, StoredNode>;
  /** By connector, scope and edge. */
  edges: Map<string, EdgeLayer>;
  /** By connector, scope and ends. */
  references: Map<string, ReferenceLayer>;
  /** By connector, scope and check. */
  checks: Map<string, CheckLayer>;
  /** How results of shown checks changed, the oldest first. */
  results: Omit<ResultChange, "moment">[];
  /** Ids of the nodes that each sync changed, by connector and sync. */
  changes: Map<string, Set<string>>;
  /** Ids of removed connectors. */
  removed: Set<string>;
  /** The last run of each connector that wrote something. */
  runs: Map<string, number>;
  /** By the metric's id. */
  trails: Map<string, { steps: CertificationStep[]; dependencies: KeptDependencies | null }>;
}

/** The most nodes that one step of removing a connector removes. */
const NODES_A_STEP = 1_000;

const READS = [
  "loadNodes",
  "loadByFqn",
  "loadColumns",
  "listNodes",
  "sortNodes",
  "listStatements",
  "searchNodes",
  "loadNeighbours",
  "loadEdits",
  "loadSources",
  "loadChecks",
  "walk",
  "loadTrails",
  "loadDependencies",
  "assessImpact",
  "countNodes",
  "countValues",
  "listValues",
  "loadOwnerNames",
  "listFolders",
  "readPast",
  "findCauses",
  "listChanges",
  "listMoments",
  "check",
] as const satisfies (keyof GraphReader)[];

/** No turns are needed: every caller who has not left gets an answer. */
function readFor(graph: GraphReader, { signal }: Caller): GraphReader {
  const reads = READS.map((name) => {
    const read = graph[name] as (...args: unknown[]) => Promise<unknown>;
    const refusing = async (...args: unknown[]): Promise<unknown> => {
      signal.throwIfAborted();
      return read(...args);
    };
    return [name, refusing] as const;
  });
  // Each read by its name.
  return Object.fromEntries(reads) as unknown as GraphReader;
}

/** A copy of a workspace after each write, the oldest first. */
type Past = { at: string; author: Author; workspace: string; state: Workspace }[];

const WRITES = [
  "writeChecks",
  "writeNodes",
  "writeEdges",
  "writeReferences",
  "sweep",
  "removeConnector",
  "renameConnector",
  "curate",
  "stateByHand",
  "certify",
] as const satisfies (keyof GraphWriter)[];

/** The same graph. It copies a workspace after each write, without what has no history. */
function keepPast(graph: CatalogGraph, workspaces: ReadonlyMap<string, Workspace>, past: Past): CatalogGraph {
  const writes = WRITES.map((name) => {
    const write = graph[name] as (...args: unknown[]) => Promise<unknown>;
    const keeping = async (...args: unknown[]): Promise<unknown> => {
      const result = await write(...args);
      const stamp = args.find((arg) => typeof arg === "object" && arg !== null && "at" in arg) as { at: string };
      const [first] = args as [string | CrawlStamp];
      const workspace = typeof first === "string" ? first : first.workspace;
      const state = structuredClone({
        ...present(workspaces.get(workspace)),
        incomplete: new Map(),
        checks: new Map(),
      });
      for (const { layers } of state.nodes.values())
        for (const { facts } of layers) {
          delete facts.usage;
          delete facts.latest;
        }
      const last = past.findLast((each) => each.workspace === workspace);
      // Where nothing was ever written, there is no history.
      const { nodes, edges, references, results } = state;
      if (last === undefined && nodes.size + edges.size + references.size + results.length === 0) return result;
      // Time never goes back: what is written late is of the time of the last write.
      const at = last !== undefined && last.at > stamp.at ? last.at : stamp.at;
      past.push({ at, author: authorOfWrite(args), workspace, state });
      return result;
    };
    return [name, keeping] as const;
  });
  return { ...graph, ...Object.fromEntries(writes) };
}

function authorOfWrite([first, , second, third]: unknown[]): Author {
  // The first argument is a stamp, or the workspace of what a person does.
  if (typeof first !== "string") return authorOf(first as CrawlStamp);
  const { by, step, at } = (third ?? second) as { by?: string; at: string; step?: { actor: string } | null };
  return personAt(by ?? step?.actor ?? "", at);
}

/** @param keepsPast whether it can be asked about earlier times */
export function createReferenceGraph({ keepsPast = false } = {}): CatalogGraph {
  const workspaces = new Map<string, Workspace>();
  const past: Past = [];
  const graph = referenceGraphOf(workspaces, past);
  return keepsPast ? keepPast(graph, workspaces, past) : graph;
}

/** What a store has of the lineage of one workspace. */
export interface ReferenceLineage {
  /** With the text of their sources. */
  nodes: (CatalogNode & { sources: string })[];
  edges: (Edge & { levels: readonly Level[]; uses: ColumnUse[]; isDirect: boolean })[];
  references: Reference[];
  /** Sources whose last crawl ended early. */
  incomplete: string[];
}

/** A reference whose lineage can be read as a store has it. */
export function createOpenReference(): { graph: CatalogGraph; lineageOf: (workspace: string) => ReferenceLineage } {
  const workspaces = new Map<string, Workspace>();
  const past: Past = [];
  const graph = keepPast(referenceGraphOf(workspaces, past), workspaces, past);
  return {
    graph,
    lineageOf(id) {
      const workspace = workspaces.get(id);
      if (workspace === undefined) return { nodes: [], edges: [], references: [], incomplete: [] };
      const nodes = visibleNodes(workspace);
      const types = new Map(nodes.map(({ id: node, type }) => [node, type]));
      const layers = Map.groupBy(shownEdges(workspace), ({ edge }) => JSON.stringify(edge));
      return {
        nodes: nodes.map((node) => {
          const stating = present(workspace.nodes.get(node.id)).layers.filter(
            (layer) => isHeld(layer) && layer.connectorId !== PEOPLE,
          );
          const sources = stating.map((layer) => [layer.connectorId, sourceKey(layer, layer.scope)]);
          return Object.assign(node, { sources: JSON.stringify(sources) });
        }),
        edges: [...layers.values()].flatMap((own) => {
          const { edge } = present(own[0]);
          const [from, to] = [types.get(edge.from), types.get(edge.to)];
          const levels = from === undefined || to === undefined ? null : edgeLevels(from, to);
          const isDirect = own.some(({ uses }) => carriesValues(uses));
          return levels === null
            ? []
            : [{ ...edge, levels, uses: joinUses(own.flatMap(({ uses }) => uses)), isDirect }];
        }),
        references: [...workspace.references.values()]
          .filter(({ edge }) => types.has(edge.from) && types.has(edge.to))
          .filter((layer) => isFromLineageOwner(workspace, layer, layer.edge.to))
          .map(({ edge }) => edge),
        incomplete: [...workspace.incomplete.keys()],
      };
    },
  };
}

function referenceGraphOf(workspaces: Map<string, Workspace>, past: Past): CatalogGraph {
  const workspaceOf = (id: string): Workspace => {
    const workspace = workspaces.get(id) ?? {
      incomplete: new Map(),
      nodes: new Map(),
      edges: new Map(),
      references: new Map(),
      checks: new Map(),
      results: [],
      changes: new Map(),
      removed: new Set(),
      runs: new Map(),
      trails: new Map(),
    };
    workspaces.set(id, workspace);
    return workspace;
  };
  const changedBy = (stamp: CrawlStamp): Set<string> => {
    const { changes } = workspaceOf(stamp.workspace);
    const id = JSON.stringify([stamp.connectorId, stamp.syncId]);
    const changed = changes.get(id) ?? new Set<string>();
    changes.set(id, changed);
    return changed;
  };

  const refuseLate = ({ workspace, connectorId, run, runsByScope = false }: CrawlStamp, scope = ""): void => {
    const { removed, runs } = workspaceOf(workspace);
    if (removed.has(connectorId)) throw removedConnector();
    if (run === 0) return;
    const whose = runsByScope ? JSON.stringify([connectorId, scope]) : connectorId;
    if ((runs.get(whose) ?? 0) > run) throw overtakenRun();
    runs.set(whose, run);
  };
  /** Removes the connector's statements that are swept. */
  const takeBack = (
    stamp: CrawlStamp,
    isSwept: (layer: { connectorId: ConnectorId; scope: string; syncId: string }) => boolean,
  ): { removed: number } => {
    const workspace = workspaceOf(stamp.workspace);
    let removed = 0;
    for (const node of workspace.nodes.values()) {
      const wasVisible = isVisible(node);
      const changed = change(workspace.nodes, node, stamp.at, () => {
        node.layers = node.layers.filter((layer) => !isSwept(layer));
      });
      for (const id of changed) changedBy(stamp).add(id);
      if (wasVisible && !isVisible(node)) removed += 1;
    }
    const isSaid = (id: string): boolean => isStatedBy(workspace.nodes.get(id), stamp);
    const isOver = (layer: ReferenceLayer): boolean => {
      const { from, to } = layer.edge;
      const isLoose = layer.connectorId === stamp.connectorId && !(isSaid(from) && isSaid(to));
      return isLoose || isSwept(layer);
    };
    for (const layers of [workspace.edges, workspace.references]) {
      for (const [key, layer] of layers) if (isOver(layer)) layers.delete(key);
    }
    for (const [key, layer] of workspace.checks) if (isSwept(layer)) workspace.checks.delete(key);
    return { removed };
  };

  const graph: CatalogGraph = {
    readerFor: (caller) => readFor(graph, caller),

    async writeNodes(stamp, scope, nodes) {
      if (nodes.length > 0) refuseLate(stamp, scope);
      const { nodes: stored } = workspaceOf(stamp.workspace);
      for (const write of new Map(nodes.map((node) => [node.id, node])).values()) {
        const node = stored.get(write.id) ?? newNode(stamp, write);
        stored.set(write.id, node);
        const changed = change(stored, node, stamp.at, () => {
          const isOwn = (layer: NodeLayer): boolean => layer.connectorId === stamp.connectorId && layer.scope === scope;
          const { firstSyncId = stamp.syncId, since = stamp.at } = node.layers.find(isOwn) ?? {};
          node.layers = node.layers
            .filter((layer) => !isOwn(layer))
            .concat({ ...newLayer(stamp, scope, write), firstSyncId, since });
        });
        for (const id of changed) changedBy(stamp).add(id);
      }
    },

    async writeEdges(stamp, scope, edges) {
      if (edges.length > 0) refuseLate(stamp, scope);
      const workspace = workspaceOf(stamp.workspace);
      const refused: EdgeWrite[] = [];
      for (const edge of edges) {
        const { from, to, kind, uses } = edge;
        const a = workspace.nodes.get(from);
        const b = workspace.nodes.get(to);
        if (!isStatedBy(a, stamp) || !isStatedBy(b, stamp) || edgeLevels(typeOf(a), typeOf(b)) === null) {
          refused.push(edge);
          continue;
        }
        const layer = { edge: { from, to, kind }, connectorId: stamp.connectorId, scope };
        workspace.edges.set(JSON.stringify(layer), { ...layer, uses, syncId: stamp.syncId });
      }
      return refused;
    },

    async writeReferences(stamp, scope, references) {
      if (references.length > 0) refuseLate(stamp, scope);
      const workspace = workspaceOf(stamp.workspace);
      const refused: Reference[] = [];
      for (const { from, to } of references) {
        const [a, b] = [workspace.nodes.get(from), workspace.nodes.get(to)];
        if (!isStatedBy(a, stamp) || !isStatedBy(b, stamp) || !canReference(typeOf(a), typeOf(b))) {
          refused.push({ from, to });
          continue;
        }
        const layer = { edge: { from, to }, connectorId: stamp.connectorId, scope };
        workspace.references.set(JSON.stringify(layer), { ...layer, syncId: stamp.syncId });
      }
      return refused;
    },

    async writeChecks(stamp, scope, checks) {
      if (checks.length > 0) refuseLate(stamp, scope);
      const { workspace, connectorId, precedence, syncId } = stamp;
      const own = workspaceOf(workspace);
      for (const check of new Map(checks.map((each) => [each.id, each])).values()) {
        const key = JSON.stringify([connectorId, scope, check.id]);
        const before = own.checks.get(key)?.check.result ?? null;
        const result = check.result === null ? before : afterResult(before, check.result);
        const layer = { connectorId, precedence, syncId, scope, check: structuredClone({ ...check, result }) };
        own.checks.set(key, layer);
        const changed = findResultChange(before, layer.check);
        const isShown = (): boolean => believedFirst(own).find((each) => each.check.id === check.id) === layer;
        if (changed !== null && isShown()) own.results.push(changed);
      }
    },

    async sweep(stamp, scope) {
      refuseLate(stamp, scope);
      workspaceOf(stamp.workspace).incomplete.delete(sourceKey(stamp, scope));
      return takeBack(
        stamp,
        (layer) => layer.connectorId === stamp.connectorId && layer.scope === scope && layer.syncId !== stamp.syncId,
      );
    },

    async removeConnector(stamp) {
      const { nodes, incomplete, removed: gone } = workspaceOf(stamp.workspace);
      gone.add(stamp.connectorId);
      const isOwn = (layer: { connectorId: string }): boolean => layer.connectorId === stamp.connectorId;
      let left = NODES_A_STEP;
      const { removed } = takeBack(stamp, (layer) => isOwn(layer) && left-- > 0);
      if ([...nodes.values()].some(({ layers }) => layers.some(isOwn))) return { removed, done: false };
      for (const { connectorId, scope } of incomplete.values()) {
        if (connectorId === stamp.connectorId) incomplete.delete(sourceKey(stamp, scope));
      }
      return { removed, done: true };
    },

    async renameConnector(stamp) {
      refuseLate(stamp);
      const { nodes } = workspaceOf(stamp.workspace);
      for (const node of nodes.values()) {
        change(nodes, node, stamp.at, () => {
          for (const layer of node.layers) {
            if (layer.connectorId === stamp.connectorId) layer.connectorName = stamp.connectorName;
          }
        });
      }
      return null;
    },

    async sweepHistory(workspace, before) {
      const own = past.filter((each) => each.workspace === workspace);
      const over = new Set(
        own.slice(
          0,
          Math.max(
            0,
            own.findLastIndex(({ at }) => at <= before),
          ),
        ),
      );
      past.splice(0, past.length, ...past.filter((each) => !over.has(each)));
      return true;
    },

    async markIncomplete(stamp, scope) {
      refuseLate(stamp, scope);
      const { workspace, connectorId } = stamp;
      workspaceOf(workspace).incomplete.set(sourceKey(stamp, scope), { connectorId, scope });
    },

    async listScopes({ workspace, connectorId }) {
      const { nodes } = workspaceOf(workspace);
      const own = [...nodes.values()].flatMap(({ layers }) =>
        layers.filter((layer) => layer.connectorId === connectorId),
      );
      return [...new Set(own.map(({ scope }) => scope))].toSorted(compareCodePoints);
    },

    async countLosses(stamp, scopes) {
      const { nodes } = workspaceOf(stamp.workspace);
      const stated = [...nodes.values()]
        .filter(({ identity }) => identity.parentId === null)
        .map(({ layers }) => layers.filter((layer) => isHeld(layer) && layer.connectorId === stamp.connectorId))
        .filter((layers) => layers.some(({ firstSyncId }) => firstSyncId !== stamp.syncId));
      const isKept = ({ syncId, scope }: NodeLayer): boolean => syncId === stamp.syncId || !scopes.includes(scope);
      const lost = stated.filter((layers) => !layers.some(isKept)).length;
      return lost === 0 ? { known: 0, lost: 0 } : { known: stated.length, lost };
    },

    async tally(stamp) {
      const { nodes } = workspaceOf(stamp.workspace);
      const changed = changedBy(stamp);
      const isStated = ({ layers }: StoredNode): boolean =>
        layers.some(
          (layer) => isHeld(layer) && layer.connectorId === stamp.connectorId && layer.syncId === stamp.syncId,
        );
      const stated = [...nodes.values()].filter((node) => isStated(node) && typeOf(node) !== "metric");
      return { discovered: stated.length, updated: stated.filter(({ identity }) => changed.has(identity.id)).length };
    },

    async curate(workspace, id, changes, edit, seen = {}) {
      const { nodes } = workspaceOf(workspace);
      const node = nodes.get(id);
      if (node === undefined || !isVisible(node)) return null;
      requireAsSeen(toCatalogNode(nodes, node), changes, seen);
      change(nodes, node, edit.at, () => {
        node.curation = curationAfter(node.curation, changes, edit);
      });
      return toCatalogNode(nodes, node);
    },

    async stateByHand(stamp, { node: { id }, node, named, edges }, expected) {
      const layers = workspaceOf(stamp.workspace).nodes.get(id)?.layers ?? [];
      const isOwn = (layer: NodeLayer): boolean => layer.connectorId === stamp.connectorId && layer.scope === id;
      if (expected === "new" && layers.some(isHeld)) return "exists";
      if (expected === "known" && !layers.some(isOwn)) return "missing";
      // Nothing here waits, so nobody else can change the metric in between.
      await Promise.all([
        graph.writeNodes(stamp, id, [...named, node]),
        graph.writeEdges(stamp, id, edges),
        graph.sweep(stamp, id),
      ]);
      return "done";
    },

    async certify(workspace, id, { seen, decision, step, dependencies, at }) {
      const { nodes, trails } = workspaceOf(workspace);
      const node = nodes.get(id);
      if (node === undefined || !isVisible(node) || typeOf(node) !== "metric") return "missing";
      const trail = trails.get(id) ?? { steps: [], dependencies: null };
      if (!isAsSeen(toCatalogNode(nodes, node), trail.steps.length, seen)) return "overtaken";
      change(nodes, node, at, () => {
        if (decision !== null) node.curation = applyDecision(node.curation, decision, node.layers);
      });
      trails.set(id, { steps: step === null ? trail.steps : [...trail.steps, step], dependencies });
      return "done";
    },

    async loadTrails(workspace, metricIds) {
      const { trails } = workspaceOf(workspace);
      return metricIds.map((id) => {
        const { steps = [], dependencies = null } = trails.get(id) ?? {};
        return { steps, fingerprint: dependencies?.fingerprint ?? null };
      });
    },

    async loadDependencies(workspace, metricIds) {
      return metricIds.map((id) => workspaceOf(workspace).trails.get(id)?.dependencies?.text ?? null);
    },

    async loadNodes(workspace, ids) {
      const { nodes } = workspaceOf(workspace);
      return ids.map((id) => {
        const node = nodes.get(id);
        return node !== undefined && isVisible(node) ? toCatalogNode(nodes, node) : null;
      });
    },

    async loadByFqn(workspace, fqn, only) {
      const found = heldNodes(workspaceOf(workspace)).filter(
        (node) =>
          fold(node.fqn) === fold(fqn) &&
          (only.type === undefined || node.type === only.type) &&
          (only.platform === undefined || node.platform === only.platform),
      );
      return found.slice(0, MAX_NAMESAKES);
    },

    async loadEdits(workspace, ids) {
      const { nodes } = workspaceOf(workspace);
      return ids.map((id) => {
        const node = nodes.get(id);
        return node !== undefined && isVisible(node) ? structuredClone(listEdits(node.curation)) : [];
      });
    },

    async loadSources(workspace, ids) {
      const { nodes } = workspaceOf(workspace);
      return ids.map((id) => {
        const { layers = [] } = nodes.get(id) ?? {};
        return joinSources(
          layers.map(({ connectorId, connectorName, existence, type, since, facts: { fqn, instance, alikeNames } }) => {
            return { connectorId, connectorName, existence, type, fqn, instance, alikeNames, since };
          }),
        );
      });
    },

    async loadColumns(workspace, parentIds) {
      const columns = visibleNodes(workspaceOf(workspace)).toSorted((a, b) => placeOf(a) - placeOf(b));
      return parentIds.map((id) => columns.filter((column) => column.parentId === id));
    },

    async listNodes(workspace, filter, { after, limit }) {
      const nodes = heldNodes(workspaceOf(workspace)).filter(admits(workspaceOf(workspace), filter));
      return pageOf(
        nodes.filter((node) => after === null || compareCodePoints(node.key, after) > 0),
        limit,
      );
    },

    async sortNodes(workspace, filter, order, { after, limit, among }) {
      const own = workspaceOf(workspace);
      const types = sortedTypes(filter.types);
      const items = heldNodes(own)
        .filter(admits(own, { ...filter, types }))
        .filter(({ id }) => among?.includes(id) ?? true)
        .map((node) => ({ node, place: { value: valueIn(order, node, own), key: node.key } }));
      const sign = order === "name" ? 1 : -1;
      const compare = (a: NodePlace, b: NodePlace): number =>
        sign * compareValues(a.value, b.value) || compareCodePoints(a.key, b.key);
      const rest = items.filter(({ place }) => after === null || compare(place, after) > 0);
      return pageOf(
        rest.toSorted((a, b) => compare(a.place, b.place)),
        limit,
      );
    },

    async listStatements(workspace, { connector, types }, page) {
      const { nodes: stored } = workspaceOf(workspace);
      const { items, hasMore } = await graph.listNodes(workspace, { types, connector: connector.name }, page);
      const stated = items.flatMap(({ id }) => {
        const { identity, layers } = present(stored.get(id));
        return showStatement(
          identity,
          layers.filter(({ connectorId }) => connectorId === connector.id),
        );
      });
      return { items: stated, hasMore };
    },

    async searchNodes(workspace, filter, query, { after, limit }) {
      const { nodes } = workspaceOf(workspace);
      const shown = [...nodes.values()].filter(({ layers }) => layers.some(isHeld));
      const isAdmitted = admits(workspaceOf(workspace), filter);
      const candidates = shown.filter((node) => isAdmitted(toCatalogNode(nodes, node)));
      type Hit = { node: CatalogNode; position: SearchPosition };
      const matches = (mode: SearchMode, corrections?: SearchPosition["corrections"]): Hit[] => {
        const meant = corrections === undefined ? query : correctQuery(query, corrections);
        return candidates.flatMap((stored) => {
          const node = toCatalogNode(nodes, stored);
          const rank = rankOf(meant, toSearchFields(showOf(nodes, stored)), mode);
          if (rank === null) return [];
          const standing = standingOf(node);
          const position = { mode, ...rank, standing, key: node.key };
          return [{ node, position: corrections === undefined ? position : { ...position, corrections } }];
        });
      };
      const first = (corrections?: SearchPosition["corrections"]): Hit[] => {
        const all = matches("all", corrections);
        return all.length > 0 ? all : matches("any", corrections);
      };
      const termsOf = (node: StoredNode): string[] => {
        const { nameTerms, tagTerms, descriptionTerms } = toSearchFields(showOf(nodes, node));
        return [...new Set([...nameTerms, ...tagTerms, ...descriptionTerms])];
      };
      const firstCorrected = (): Hit[] => {
        const byTerm = Map.groupBy(shown.flatMap(termsOf), (term) => term);
        const known = [...byTerm].map(([term, { length }]) => ({ term, amount: length }));
        const corrections = listCorrections(new Map(wordsToCorrect(query).map((word) => [word, known])));
        return corrections.map(first).find(({ length }) => length > 0) ?? [];
      };
      const beginning = after === null ? first() : matches(after.mode, after.corrections);
      const found = after === null && beginning.length === 0 ? firstCorrected() : beginning;
      const ordered = found.toSorted((a, b) => comparePositions(a.position, b.position, compareCodePoints));
      return pageOf(
        ordered.filter(({ position }) => after === null || comparePositions(position, after, compareCodePoints) > 0),
        limit,
      );
    },

    async loadNeighbours(workspace, queries) {
      return queries.map((query) => neighboursOf(workspaceOf(workspace), query));
    },

    async loadChecks(workspace, queries) {
      const all = shownChecks(workspaceOf(workspace));
      return queries.map(({ node, status, first, after }) => {
        const found = all
          .filter(({ assets, columns }) => assets.includes(node) || columns.some(({ id }) => id === node))
          .filter(({ result }) => status === undefined || statusOf(result) === status);
        const rest = found.filter((check) => after === null || compareCodePoints(checkKey(check), after) > 0);
        const { items, hasMore } = pageOf(rest, first);
        return { items, total: found.length, hasMore };
      });
    },

    async walk(workspace, query) {
      const lineage = walkFrom(workspaceOf(workspace), query);
      const { maxEdges = Infinity } = query;
      if (lineage !== null && lineage.edges.length > maxEdges) throw overBudget("rows", maxEdges);
      return lineage;
    },

    async assessImpact(workspace, query) {
      return assessFrom(workspaceOf(workspace), query);
    },

    async countNodes(workspace, filter = { types: NODE_TYPES }) {
      const nodes = heldNodes(workspaceOf(workspace)).filter(admits(workspaceOf(workspace), filter));
      const counts = NODE_TYPES.map((type) => [type, nodes.filter((node) => node.type === type).length]);
      return Object.fromEntries(counts) as NodeCounts;
    },

    async countValues(workspace, filter, facet, limit) {
      const nodes = heldNodes(workspaceOf(workspace)).filter(admits(workspaceOf(workspace), filter));
      const values = nodes.flatMap((node) => Array.from(new Set(valuesOf(node, facet))));
      return [...Map.groupBy(values, (value) => value)]
        .map(([value, same]) => ({ value, amount: same.length }))
        .toSorted((a, b) => b.amount - a.amount || compareCodePoints(a.value, b.value))
        .slice(0, limit);
    },

    async listChanges(workspace, query, page) {
      const states = past.filter((each) => each.workspace === workspace).map(toPastState);
      return listReferenceChanges(states, query, page);
    },

    async listMoments(workspace, span) {
      return listReferenceMoments(past.filter((each) => each.workspace === workspace).map(toPastState), span);
    },

    async readPast<K extends keyof PastReader>(
      at: string,
      read: K,
      ...args: Parameters<PastReader[K]>
    ): Promise<Awaited<ReturnType<PastReader[K]>>> {
      const [workspace] = args;
      const own = past.filter((each) => each.workspace === workspace);
      const found = own.findLast((each) => each.at <= at);
      if (found === undefined) throw new AppError("bad_request", `History begins at ${own[0]?.at ?? "no time"}.`);
      if (read === "sortNodes" && args[2] === "usage") throw new AppError("bad_request", "Usage has no history.");
      const then = referenceGraphOf(new Map([[workspace, found.state]]), []);
      const ask = then[read] as (...given: Parameters<PastReader[K]>) => ReturnType<PastReader[K]>;
      return (await ask(...args)) as Awaited<ReturnType<PastReader[K]>>;
    },

    /** Compares two copies. It knows no moments, so the span must have one change. */
    async findCauses(workspace, { target, since, until }) {
      const own = past.filter((each) => each.workspace === workspace);
      // Nothing was ever written.
      if (own.length === 0) return null;
      const states = [since, until].map((at) => own.findLast((each) => each.at <= at));
      const [before, after] = await Promise.all(
        states.map(async (copy) => {
          if (copy === undefined) throw badField("since", `is before ${own[0]?.at ?? "all times"}`);
          return readUpstream(referenceGraphOf(new Map([[workspace, copy.state]]), []), workspace, target);
        }),
      );
      if (before === undefined || after === undefined) throw new Error("both ends of a span have a state");
      if (before.state === null && after.state === null) return null;
      const changes = await compareStates(before.state, after.state, after.reader);
      const named = changes.map(({ id, path, ...said }) =>
        Object.assign(said, {
          node: nameIt(id),
          path: path.map(nameIt),
          author: { at: until, connectorId: toConnectorId(""), syncId: "", actor: "" },
          sqlBefore: null,
          sqlAfter: null,
        }),
      );
      const coverage = { connectors: [], gaps: [], gapsTotal: 0 };
      return {
        target: nameIt(target),
        since,
        items: named,
        total: named.length,
        others: 0,
        otherChanges: [],
        truncated: false,
        coverage,
      };
    },

    async listValues(workspace, facet, limit) {
      const nodes = heldNodes(workspaceOf(workspace));
      const values = nodes.flatMap((node) => (facet === "tag" ? node.tags : [fold(node.owner)]));
      return [...new Set(values)]
        .filter((value) => value !== "")
        .toSorted(compareCodePoints)
        .slice(0, limit);
    },

    async loadOwnerNames(workspace, addresses) {
      const nodes = heldNodes(workspaceOf(workspace));
      return addresses.map((address) => {
        const hasAddress = (owner: string): boolean => owner !== "" && fold(owner) === fold(address);
        const named = nodes.filter(({ owner, ownerName }) => hasAddress(owner) && ownerName !== "");
        return named.map(({ ownerName }) => ownerName).toSorted(compareCodePoints)[0] ?? "";
      });
    },

    async listFolders(workspace, path, { after, limit }) {
      const assets = heldNodes(workspaceOf(workspace)).filter(({ type }) => !["column", "metric"].includes(type));
      const folders = assets.flatMap((node) => {
        const schema = schemaOf(node);
        if (path.platform === undefined) return [node.platform];
        if (path.platform !== node.platform) return [];
        if (path.database === undefined) return [databaseOf(schema)];
        return path.database === databaseOf(schema) ? [schema] : [];
      });
      const counted = [...Map.groupBy(folders, (value) => value)].map(([value, same]) => ({
        value,
        amount: same.length,
      }));
      const rest = counted.filter(({ value }) => after === null || compareCodePoints(value, after) > 0);
      return pageOf(
        rest.toSorted((a, b) => compareCodePoints(a.value, b.value)),
        limit,
      );
    },

    async check() {},
    async checkWrites() {},
    async close() {},
  };
  return graph;
}

/** Its owner is known by a name only, and has no address. */
function isOwnedByName({ owner, ownerName }: CatalogNode): boolean {
  return owner === "" && ownerName !== "";
}

function valuesOf(node: CatalogNode, facet: CountedBy): readonly string[] {
  const values = {
    tag: node.tags,
    owner: isOwnedByName(node) ? [] : [fold(node.owner)],
    certification: [node.certification],
    connector: node.connectors,
    schema: [schemaOf(node)],
  };
  return values[facet];
}

function sourceKey({ connectorId }: Pick<CrawlStamp, "connectorId">, scope: string): string {
  return JSON.stringify([connectorId, scope]);
}

function newNode(stamp: CrawlStamp, { id, platform, parentId }: NodeWrite): StoredNode {
  return {
    identity: { id, workspace: stamp.workspace, platform, parentId },
    layers: [],
    curation: {},
    createdAt: stamp.at,
    updatedAt: stamp.at,
  };
}

function newLayer(
  stamp: CrawlStamp,
  scope: string,
  { type, existence = "held", facts }: NodeWrite,
): Omit<NodeLayer, "firstSyncId" | "since"> {
  const { workspace: _, at: __, run: ___, ...whose } = stamp;
  return { ...whose, scope, type, existence, facts: structuredClone(facts) };
}

/** If several connectors or scopes state a check, the one that is shown comes first. */
function believedFirst({ checks }: Workspace): CheckLayer[] {
  return [...checks.values()].toSorted(
    (a, b) =>
      b.precedence - a.precedence ||
      compareCodePoints(a.connectorId, b.connectorId) ||
      compareCodePoints(a.scope, b.scope),
  );
}

/** Each check once, as the connector of the highest precedence states it, in the order of keys. */
function shownChecks(workspace: Workspace): Check[] {
  const ordered = believedFirst(workspace);
  const shown = new Map(ordered.toReversed().map(({ check }) => [check.id, check]));
  return structuredClone([...shown.values()]).toSorted((a, b) => compareCodePoints(checkKey(a), checkKey(b)));
}

/** Whether the connector states or names the node. */
function isStatedBy(
  node: StoredNode | undefined,
  { connectorId }: Pick<CrawlStamp, "connectorId">,
): node is StoredNode {
  return node !== undefined && node.layers.some((layer) => layer.connectorId === connectorId);
}

/** The type that is shown, whatever the node's lineage. */
function typeOf({ identity, layers }: StoredNode): NodeType {
  return showNode(identity, layers, {}).type;
}

/**
 * Changes a node, and stores the time if that changed what is shown of it or of its columns, which have the same
 * lineage owner.
 * @returns ids of the changed nodes
 */
function change(nodes: ReadonlyMap<string, StoredNode>, node: StoredNode, at: string, alter: () => void): string[] {
  const { id } = node.identity;
  const columns = [...nodes.values()].filter(({ identity }) => identity.parentId === id);
  const shownOf = (each: StoredNode): string | null => (isVisible(each) ? JSON.stringify(showOf(nodes, each)) : null);
  const touched = [...new Set([node, ...columns])].map((each) => ({ each, before: shownOf(each) }));
  alter();
  const changed = touched.filter(({ each, before }) => shownOf(each) !== before).map(({ each }) => each);
  for (const each of changed) each.updatedAt = at;
  return changed.map(({ identity }) => identity.id);
}

function curationAfter(curation: Curation, changes: CurationChange, edit: EditStamp): Curation {
  const entries = Object.entries({ ...curation, ...changes }).filter(([, value]) => value !== null);
  const after: Curation = structuredClone(Object.fromEntries(entries));
  for (const field of EDITABLE_FIELDS) {
    if (field in changes) after.edits = { ...after.edits, [field]: { by: edit.by, at: edit.at } };
  }
  return after;
}

function isVisible(node: StoredNode): boolean {
  return node.layers.length > 0;
}

function lineageOwnerOf(nodes: ReadonlyMap<string, StoredNode>, id: string | null): ConnectorId | null {
  return lineageOwner(nodes.get(id ?? "")?.layers ?? []);
}

function showOf(nodes: ReadonlyMap<string, StoredNode>, node: StoredNode): ShownNode {
  return showNode(node.identity, node.layers, node.curation, lineageOwnerOf(nodes, node.identity.parentId));
}

function toCatalogNode(nodes: ReadonlyMap<string, StoredNode>, node: StoredNode): CatalogNode {
  const { columnNames: _, ...shown } = showOf(nodes, node);
  const usage = showUsage(node.layers);
  return structuredClone({ ...shown, usage, createdAt: node.createdAt, updatedAt: node.updatedAt });
}

/** Columns with an unknown position come last. */
function placeOf(column: CatalogNode): number {
  return column.ordinal ?? Number.MAX_SAFE_INTEGER;
}

function toPastState({ at, author, state }: Past[number]): PastState {
  const layers = [...state.nodes.values()].flatMap((node) => node.layers);
  const stated = [
    [...state.nodes].map(([id, node]) => [
      isVisible(node) && { ...toCatalogNode(state.nodes, node), updatedAt: "" },
      lineageOwnerOf(state.nodes, id),
      statedBy(node.layers.filter(isHeld).map(({ connectorId }) => connectorId)),
    ]),
    [...state.edges].map(([key, { uses }]) => [key, uses]),
    [...state.references.keys()],
    state.results.length,
  ];
  return {
    at,
    author,
    nodes: new Map(visibleNodes(state).map((node) => [node.id, node])),
    edges: edgesAt(state, "asset"),
    results: state.results,
    stated: JSON.stringify(stated),
    firstSyncs: layers.map(({ connectorId, firstSyncId }) => ({ connectorId, firstSyncId })),
    assess: (query) => assessFrom(state, query),
  };
}

/** All visible nodes of a workspace, in the order of keys. */
function visibleNodes({ nodes }: Workspace): CatalogNode[] {
  return [...nodes.values()]
    .filter(isVisible)
    .map((node) => toCatalogNode(nodes, node))
    .toSorted((a, b) => compareCodePoints(a.key, b.key));
}

/** All nodes that are in lists. */
function heldNodes(workspace: Workspace): CatalogNode[] {
  return visibleNodes(workspace).filter(({ existence }) => existence === "held");
}

function passes(node: CatalogNode, filter: NodeFilter): boolean {
  return (
    (filter.types === "asset" ? node.type !== "metric" : filter.types.includes(node.type)) &&
    (filter.tag === undefined || node.tags.includes(filter.tag)) &&
    (filter.certification === undefined || node.certification === filter.certification) &&
    (filter.owner === undefined || (fold(node.owner) === filter.owner && !isOwnedByName(node))) &&
    (filter.connector === undefined || node.connectors.includes(filter.connector)) &&
    (filter.responsible === undefined ||
      [node.owner, node.ownerName, node.certifiedBy ?? ""].map(fold).includes(fold(filter.responsible))) &&
    (filter.described === undefined || (node.description !== "") === filter.described) &&
    (filter.platform === undefined || node.platform === filter.platform) &&
    (!filter.directly || schemaOf(node) === fold(filter.schema ?? "")) &&
    (!filter.schema || fold(node.fqn).startsWith(`${fold(filter.schema)}.`))
  );
}

/** Whether a node passes, its checks included. */
function admits(workspace: Workspace, filter: NodeFilter): (node: CatalogNode) => boolean {
  const failed = shownChecks(workspace).filter(({ result }) => result?.status === "fail" || result?.status === "error");
  const needed = new Set(failed.flatMap(({ assets, columns }) => assets.concat(columns.map(({ id }) => id))));
  return (node) => passes(node, filter) && (!filter.failing || needed.has(node.id));
}

/** Whether a neighbour with edges of these kinds passes the filter. */
function passesBeside(node: CatalogNode, between: readonly EdgeKind[], only: NeighbourFilter): boolean {
  const { types = NODE_TYPES, kinds = EDGE_KINDS, nameParts = [], ...filter } = only;
  const { tag, certification, owner, connector } = filter;
  const isByFacet = [tag, certification, owner, connector].some((value) => value !== undefined);
  if (isByFacet && node.existence !== "held") return false;
  return (
    passes(node, { ...filter, owner: owner === undefined ? undefined : fold(owner), types }) &&
    between.some((kind) => kinds.includes(kind)) &&
    nameParts.every((part) => foldForSearch(node.name).includes(part))
  );
}

function valueIn(order: NodeOrder, node: CatalogNode, workspace: Workspace): NodePlace["value"] {
  if (order === "name") return fold(node.name);
  if (order === "updated") return node.updatedAt;
  if (order === "usage") return usageRank(node.usage);
  const query = { id: node.id, direction: "downstream", directOnly: true, first: 0, after: null } as const;
  return neighboursOf(workspace, query).total;
}

function compareValues(a: NodePlace["value"], b: NodePlace["value"]): number {
  return typeof a === "number" && typeof b === "number" ? a - b : compareCodePoints(String(a), String(b));
}

function pageOf<T>(rest: T[], limit: number): Page<T> {
  return { items: rest.slice(0, limit), hasMore: rest.length > limit };
}

function compareEdges(a: Edge, b: Edge): number {
  return compareCodePoints(a.from, b.from) || compareCodePoints(a.to, b.to) || compareCodePoints(a.kind, b.kind);
}

/** Whether the connector's lineage of the node is shown. */
function isFromLineageOwner(
  { nodes }: Workspace,
  { connectorId }: Pick<CrawlStamp, "connectorId">,
  to: string,
): boolean {
  const parent = nodes.get(to)?.identity.parentId ?? null;
  const owner = lineageOwnerOf(nodes, parent ?? to);
  return owner === null || owner === connectorId;
}

function shownEdges(workspace: Workspace): EdgeLayer[] {
  return [...workspace.edges.values()].filter(
    (layer) => !isOriginKind(layer.edge.kind) || isFromLineageOwner(workspace, layer, layer.edge.to),
  );
}

/** The shown edges of one level, each once, even if several connectors and scopes state it. */
function edgesAt(workspace: Workspace, level: Level, directOnly = false): Edge[] {
  const stated = shownEdges(workspace).filter(({ uses }) => !directOnly || level !== "column" || carriesValues(uses));
  const edges = new Map(stated.map(({ edge }) => [JSON.stringify(edge), edge]));
  const types = new Map(visibleNodes(workspace).map(({ id, type }) => [id, type]));
  const typeAt = (id: NodeId): NodeType => types.get(id) ?? "metric";
  return [...edges.values()].filter(({ from, to }) => edgeLevels(typeAt(from), typeAt(to))?.includes(level));
}

/** The two ends of an edge in the direction of a walk. */
function endsOf(edge: Edge, direction: Direction): { near: NodeId; far: NodeId } {
  return direction === "downstream" ? { near: edge.from, far: edge.to } : { near: edge.to, far: edge.from };
}

function neighboursOf(workspace: Workspace, query: NeighbourQuery): Neighbours {
  const nodes = visibleNodes(workspace);
  const asked = nodes.find((node) => node.id === query.id);
  if (asked === undefined) return { items: [], total: 0, hasMore: false };
  const isOut = (edge: Edge): boolean => endsOf(edge, query.direction).near === asked.id;
  const farOf = (edge: Edge): NodeId => endsOf(edge, query.direction).far;
  const edges = Map.groupBy(
    edgesAt(workspace, query.level ?? walkLevel(asked.type), query.directOnly).filter(isOut),
    farOf,
  );
  const claims = Map.groupBy(
    shownEdges(workspace).filter(({ edge }) => isOut(edge)),
    ({ edge }) => farOf(edge),
  );
  const kindsTo = (id: NodeId): EdgeKind[] =>
    EDGE_KINDS.filter((kind) => edges.get(id)?.some((edge) => edge.kind === kind));

  const usesOf = (id: NodeId): ColumnUse[] => {
    const between = edges.get(id) ?? [];
    const own = claims.get(id) ?? [];
    return joinUses(own.flatMap(({ edge, uses }) => (between.some((b) => compareEdges(b, edge) === 0) ? uses : [])));
  };
  const all = nodes
    .map((node) => ({ kinds: kindsTo(node.id), uses: usesOf(node.id), node }))
    .filter(({ kinds, node }) => kinds.length > 0 && passesBeside(node, kinds, query.only ?? {}));
  const { after } = query;
  const rest = all.filter(({ node }) => after === null || compareCodePoints(node.key, after) > 0);
  return { ...pageOf(rest, query.first), total: all.length };
}

/** @param ids of visible nodes, in the order of the answer */
function coverageOf({ nodes, incomplete }: Workspace, ids: readonly NodeId[]): Coverage {
  const covered = ids.map((id) => {
    const node = present(nodes.get(id));
    const stating = node.layers.filter((layer) => isHeld(layer) && layer.connectorId !== PEOPLE);
    const isIncomplete = stating.some((layer) => incomplete.has(sourceKey(layer, layer.scope)));
    const { gap } = showOf(nodes, node);
    return { id, stating, reason: gap || (isIncomplete ? INCOMPLETE_CRAWL : "") };
  });
  const gaps = covered.filter(({ reason }) => reason !== "").map(({ id, reason }) => ({ id, reason }));
  const connectors = covered.flatMap(({ stating }) => stating.map(({ connectorId }) => connectorId));
  return {
    connectors: [...new Set(connectors)].toSorted(compareCodePoints),
    gaps: gaps.slice(0, MAX_GAPS),
    gapsTotal: gaps.length,
  };
}

function walkFrom(workspace: Workspace, query: WalkQuery): Lineage | null {
  const nodes = visibleNodes(workspace);
  const root = nodes.find((node) => node.id === query.root);
  if (root === undefined) return null;
  const edges = edgesAt(workspace, walkLevel(root.type), query.directOnly);

  const depths = new Map([[root.id, 0]]);
  for (let depth = 1; depth <= query.depth; depth++) {
    const reached = edges
      .map((edge) => endsOf(edge, query.direction))
      .filter(({ near, far }) => depths.get(near) === depth - 1 && !depths.has(far));
    for (const { far } of reached) depths.set(far, depth);
  }

  const found: LineageNode[] = nodes
    .filter(({ id }) => id !== root.id && depths.has(id))
    .map(({ id, name, type }) => ({ id, name, type, depth: depths.get(id) ?? 0 }))
    .toSorted((a, b) => a.depth - b.depth);
  const kept = found.slice(0, query.maxNodes);
  const seen = new Set([root.id, ...kept.map(({ id }) => id)]);
  const walked = edges.filter((edge) => {
    const { near, far } = endsOf(edge, query.direction);
    return seen.has(near) && seen.has(far) && (depths.get(near) ?? Infinity) < query.depth;
  });
  return {
    root: root.id,
    direction: query.direction,
    depth: query.depth,
    nodes: kept,
    edges: walked.toSorted(compareEdges),
    truncated: found.length > kept.length,
    totalNodes: found.length,
    coverage: coverageOf(workspace, [root.id, ...kept.map(({ id }) => id)]),
  };
}

function pairOf(from: string, to: string): string {
  return `${from} ${to}`;
}

function useOf(uses: readonly ColumnUse[]): ColumnStep["use"] {
  const direct = uses.filter(({ kind }) => kind === "DIRECT");
  const isCopy = uses.length === 0 || direct.some(({ transformation }) => transformation === "IDENTITY");
  return isCopy ? "COPY" : direct.length > 0 ? "DIRECT" : "INDIRECT";
}

/** Handles are positions in the order of keys. */
function assessFrom(workspace: Workspace, query: ImpactQuery): Promise<Impact | null> {
  const nodes = visibleNodes(workspace);
  const positions = new Map(nodes.map(({ id }, position) => [id, position]));
  const handleOf = (id: NodeId): Handle | null => positions.get(id) ?? null;
  const at = (node: Handle): CatalogNode => {
    const found = nodes[node];
    if (found === undefined) throw new RangeError(`no node ${node}`);
    return found;
  };
  const claims = Map.groupBy(shownEdges(workspace), ({ edge }) => pairOf(edge.from, edge.to));
  const usesBetween = (from: Handle, to: Handle): ColumnUse[] =>
    joinUses((claims.get(pairOf(at(from).id, at(to).id)) ?? []).flatMap(({ uses }) => uses));

  const parentOf = (id: NodeId): string => nodes[handleOf(id) ?? -1]?.parentId ?? "";
  const atLevel = { asset: edgesAt(workspace, "asset"), column: edgesAt(workspace, "column") };
  const stepsAlong = (edges: readonly Reference[], from: readonly Handle[]): Step[] => {
    const asked = new Set(from.map((node) => at(node).id));
    const pairs = new Map(
      edges
        .filter((edge) => asked.has(edge.from))
        .map((edge) => [pairOf(edge.from, edge.to), { near: handleOf(edge.from), far: handleOf(edge.to) }]),
    );
    return [...pairs.values()].flatMap(({ near, far }) =>
      near === null || far === null ? [] : [{ from: near, to: far }],
    );
  };
  const source: ImpactSource = {
    find: handleOf,
    loadNodes: (asked) =>
      asked.map(at).map(({ type, key, parentId, columnLineage }) => ({
        type,
        key: () => key,
        parent: parentId === null ? null : handleOf(parentId),
        lineage: type === "column" ? null : (columnLineage?.status ?? null),
      })),
    listColumns: (datasets) => {
      const parents = new Map(datasets.map((dataset) => [at(dataset).id, dataset]));
      return nodes.flatMap(({ type, parentId, columnLineage }, column) => {
        const dataset = parentId === null ? undefined : parents.get(parentId);
        return type !== "column" || dataset === undefined
          ? []
          : [{ dataset, column, lineage: columnLineage?.status ?? null }];
      });
    },
    followColumns: (from) =>
      stepsAlong(atLevel.column, from).map(({ from: near, to }) => ({
        from: near,
        to,
        use: useOf(usesBetween(near, to)),
      })),
    followAssets: (from) =>
      stepsAlong(atLevel.asset, from).map(({ from: near, to }) => {
        const between = claims.get(pairOf(at(near).id, at(to).id)) ?? [];
        return { from: near, to, materializes: between.some(({ edge }) => edge.kind === "materializes") };
      }),
    followReferences: (columns) =>
      stepsAlong(
        [...workspace.references.values()]
          .filter((layer) => isFromLineageOwner(workspace, layer, layer.edge.to))
          .map(({ edge }) => edge),
        columns,
      ),
    areBound: (pairs) => {
      const bound = new Set(
        atLevel.column.flatMap(({ from, to }) => [to, parentOf(to)].map((end) => pairOf(parentOf(from), end))),
      );
      return pairs.map(([from, to]) => bound.has(pairOf(at(from).id, at(to).id)));
    },
    loadUses: (pairs) => pairs.map(([from, to]) => usesBetween(from, to)),
    show: (asked) => asked.map(at),
    cover: (asked) =>
      coverageOf(
        workspace,
        asked.map((node) => at(node).id),
      ),
    findChecks: (asked) =>
      asked.flatMap((node) =>
        [...workspace.checks.values()].flatMap(({ connectorId, check }) =>
          [...check.assets.map((id) => ({ id, type: "" })), ...check.columns]
            .filter(({ id }) => id === at(node).id)
            .map(({ type }) => ({ node, check: check.id, kind: check.kind, type, connectorId })),
        ),
      ),
    loadChecks: (ids) => ids.flatMap((id) => shownChecks(workspace).filter((check) => check.id === id)),
  };
  return assess(query, source);
}

function nameIt(id: NodeId): CauseNode {
  return { id, type: "table", name: id, fqn: id };
}

/** Everything that a node depends on in a graph; null if there is no such node. */
async function readUpstream(
  graph: CatalogGraph,
  workspace: WorkspaceId,
  target: NodeId,
): Promise<{ state: UpstreamState | null; reader: ClosureReader }> {
  const reader = createClosureReader(graph, workspace);
  const [found] = await reader.loadNodes([target]);
  if (found === undefined || found === null) return { state: null, reader };
  const [sources = []] = await reader.loadSources([{ id: target, level: "asset" }]);
  const isDataset = found.type === "table" || found.type === "model";
  const parents = isDataset ? [target] : found.type === "dashboard" ? sources.map(({ node }) => node.id) : [];
  const columns = (await graph.loadColumns(workspace, parents)).map((own) => own.map(toClosureNode));
  const closure = await readClosure(reader, [found, ...columns.flat()]);
  const reached = reach(target, closure, (id) => (columns[parents.indexOf(id)] ?? []).map((column) => column.id));
  return {
    reader,
    state: { root: found, closure, reach: reached, dependencies: dependenciesOf(target, closure, "", reached) },
  };
}
