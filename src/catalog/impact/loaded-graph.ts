/** The part of the graph that a spreading change has reached so far: each thing is asked for once, and only when needed. */
import type { NodeType } from "../asset.ts";
import { idOf } from "../identity.ts";
import type { Supposition } from "../impact.ts";
import {
  type AssetStep,
  ask,
  type ColumnStep,
  type Handle,
  type OwnColumn,
  type Pair,
  type Plan,
  type SpreadNode,
  type Step,
} from "./source.ts";

export interface LoadedGraph {
  /** A node that was loaded. */
  get: (node: Handle) => SpreadNode;
  keyOf: (node: Handle) => string;
  load: (nodes: Iterable<Handle>) => Plan<void>;
  /** By the dataset. */
  columnsOf: (datasets: readonly Handle[]) => Plan<ReadonlyMap<Handle, readonly OwnColumn[]>>;
  /** By the node; whom the steps lead to is loaded. */
  consumersOf: (nodes: readonly Handle[]) => Plan<ReadonlyMap<Handle, readonly AssetStep[]>>;
  /** Steps along columns, by where they begin; their ends are loaded, and the table or model of a column that they lead to. */
  usesOf: (nodes: readonly Handle[]) => Plan<ReadonlyMap<Handle, readonly ColumnStep[]>>;
  /** Steps from these columns to the assets whose SQL names them; their ends are loaded. */
  referencesTo: (columns: readonly Handle[]) => Plan<readonly Step[]>;
  /** Tells of steps between assets whether it is known which columns go along. */
  findKnown: (steps: readonly AssetStep[]) => Plan<(step: AssetStep) => boolean>;
  /** Those of the steps whose end is known to use no column of what it reads: a metric that counts its rows. */
  findCounting: (steps: readonly AssetStep[]) => Plan<readonly AssetStep[]>;
}

export function isDataset(type: NodeType): boolean {
  return type === "table" || type === "model";
}

function nameOf({ from, to }: Step): string {
  return `${from} ${to}`;
}

export function createLoadedGraph(supposing: Supposition = { gone: [], known: [] }): LoadedGraph {
  const gone = new Set(supposing.gone.map(({ from, to }) => `${from} ${to}`));
  const supposedlyKnown = new Set(supposing.known);
  const loaded = new Map<Handle, SpreadNode>();
  const columns = new Map<Handle, OwnColumn[]>();
  const consumers = new Map<Handle, AssetStep[]>();
  const uses = new Map<Handle, ColumnStep[]>();
  const bound = new Map<string, boolean>();

  const get = (node: Handle): SpreadNode => {
    const found = loaded.get(node);
    if (found === undefined) throw new Error(`the node ${node} was not loaded`);
    return found;
  };

  function* load(nodes: Iterable<Handle>): Plan<void> {
    const missing = [...new Set(nodes)].filter((node) => !loaded.has(node));
    if (missing.length === 0) return;
    const found = yield* ask((source) => source.loadNodes(missing));
    missing.forEach((node, i) => {
      const one = found[i];
      if (one !== undefined) loaded.set(node, supposedlyKnown.has(idOf(one.key)) ? { ...one, lineage: "known" } : one);
    });
  }

  /** Those of the steps that are not supposed to be gone. */
  function* remaining<S extends Step>(steps: readonly S[]): Plan<readonly S[]> {
    if (gone.size === 0) return steps;
    yield* load(steps.flatMap(({ from, to }) => [from, to]));
    return steps.filter(({ from, to }) => !gone.has(`${idOf(get(from).key)} ${idOf(get(to).key)}`));
  }

  function* bind(steps: readonly Step[]): Plan<void> {
    const open = steps.filter((step) => !bound.has(nameOf(step)));
    if (open.length === 0) return;
    const pairs = open.map(({ from, to }): Pair => [from, to]);
    const answers = yield* ask((source) => source.areBound(pairs));
    open.forEach((step, i) => bound.set(nameOf(step), answers[i] ?? false));
  }

  /**
   * Whether the columns of an asset are known is not all of it: what a tool of its own states of columns is known
   * too, and what a table holds of the model that materializes it is so by its columns' names.
   */
  const dependsOnColumns = ({ to, materializes }: AssetStep): boolean => {
    const { type, lineage } = get(to);
    if (lineage === "known") return false;
    return isDataset(type) ? materializes : lineage === null;
  };

  return {
    get,
    keyOf: (node) => get(node).key,
    load,
    *columnsOf(datasets) {
      const missing = datasets.filter((dataset) => !columns.has(dataset));
      if (missing.length > 0) {
        for (const dataset of missing) columns.set(dataset, []);
        const found = yield* ask((source) => source.listColumns(missing));
        for (const column of found) columns.get(column.dataset)?.push(column);
      }
      return columns;
    },
    *consumersOf(nodes) {
      const missing = nodes.filter((node) => !consumers.has(node));
      if (missing.length > 0) {
        for (const node of missing) consumers.set(node, []);
        const steps = yield* ask((source) => source.followAssets(missing));
        const left = yield* remaining(steps);
        for (const step of left) consumers.get(step.from)?.push(step);
        yield* load(left.map(({ to }) => to));
      }
      return consumers;
    },
    *usesOf(nodes) {
      const missing = nodes.filter((node) => !uses.has(node));
      if (missing.length > 0) {
        for (const node of missing) uses.set(node, []);
        const steps = yield* ask((source) => source.followColumns(missing));
        const left = yield* remaining(steps);
        for (const step of left) uses.get(step.from)?.push(step);
        yield* load(left.flatMap(({ from, to }) => [from, to]));
        yield* load(left.flatMap(({ to }) => get(to).parent ?? []));
      }
      return uses;
    },
    *referencesTo(named) {
      const left = yield* remaining(yield* ask((source) => source.followReferences(named)));
      yield* load(left.flatMap(({ from, to }) => [from, to]));
      return left;
    },
    *findKnown(steps) {
      yield* bind(steps.filter(dependsOnColumns));
      return (step) => get(step.to).lineage === "known" || (dependsOnColumns(step) && bound.get(nameOf(step)) === true);
    },
    *findCounting(steps) {
      const measured = steps.filter(({ to }) => get(to).type === "metric" && get(to).lineage === "known");
      yield* bind(measured);
      return measured.filter((step) => bound.get(nameOf(step)) === false);
    },
  };
}
