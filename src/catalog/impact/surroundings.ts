/** What is known so far of the graph around a spreading change: each thing is asked for once, and only when needed. */
import type { NodeType } from "../asset.ts";
import { idOf } from "../identity.ts";
import type { Supposition } from "../impact.ts";
import { ask, type Handle, type Met, type OwnColumn, type Pair, type Plan, type Step } from "./source.ts";

export interface Surroundings {
  /** A node that was met. */
  get: (node: Handle) => Met;
  keyOf: (node: Handle) => string;
  meet: (nodes: Iterable<Handle>) => Plan<void>;
  /** Those of the steps that are not supposed to be gone. */
  standing: (steps: readonly Step[]) => Plan<readonly Step[]>;
  /** By the dataset. */
  columnsOf: (datasets: readonly Handle[]) => Plan<ReadonlyMap<Handle, readonly OwnColumn[]>>;
  /** By the node; whom the steps lead to is met. */
  consumersOf: (nodes: readonly Handle[]) => Plan<ReadonlyMap<Handle, readonly Step[]>>;
  /** Tells of steps between assets whether it is known which columns go along. */
  findKnown: (steps: readonly Step[]) => Plan<(step: Step) => boolean>;
  /** Those of the steps whose end is known to use no column of what it reads: a metric that counts its rows. */
  findCounting: (steps: readonly Step[]) => Plan<readonly Step[]>;
}

export function isDataset(type: NodeType): boolean {
  return type === "table" || type === "model";
}

function nameOf({ from, to }: Step): string {
  return `${from} ${to}`;
}

export function createSurroundings(supposing: Supposition = { gone: [], known: [] }): Surroundings {
  const gone = new Set(supposing.gone.map(({ from, to }) => `${from} ${to}`));
  const supposedlyKnown = new Set(supposing.known);
  const met = new Map<Handle, Met>();
  const columns = new Map<Handle, OwnColumn[]>();
  const consumers = new Map<Handle, Step[]>();
  const bound = new Map<string, boolean>();

  const get = (node: Handle): Met => {
    const found = met.get(node);
    if (found === undefined) throw new Error(`the node ${node} was not met`);
    return found;
  };

  function* meet(nodes: Iterable<Handle>): Plan<void> {
    const strange = [...new Set(nodes)].filter((node) => !met.has(node));
    if (strange.length === 0) return;
    const found = yield* ask((source) => source.meet(strange));
    strange.forEach((node, i) => {
      const one = found[i];
      if (one !== undefined) met.set(node, supposedlyKnown.has(idOf(one.key)) ? { ...one, lineage: "known" } : one);
    });
  }

  function* standing(steps: readonly Step[]): Plan<readonly Step[]> {
    if (gone.size === 0) return steps;
    yield* meet(steps.flatMap(({ from, to }) => [from, to]));
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
  const dependsOnColumns = ({ to, mark }: Step): boolean => {
    const { type, lineage } = get(to);
    if (lineage === "known") return false;
    return isDataset(type) ? mark : lineage === null;
  };

  return {
    get,
    keyOf: (node) => get(node).key,
    meet,
    standing,
    *columnsOf(datasets) {
      const strange = datasets.filter((dataset) => !columns.has(dataset));
      if (strange.length > 0) {
        for (const dataset of strange) columns.set(dataset, []);
        const found = yield* ask((source) => source.listColumns(strange));
        for (const column of found) columns.get(column.dataset)?.push(column);
      }
      return columns;
    },
    *consumersOf(nodes) {
      const strange = nodes.filter((node) => !consumers.has(node));
      if (strange.length > 0) {
        for (const node of strange) consumers.set(node, []);
        const steps = yield* ask((source) => source.followAssets(strange));
        const left = yield* standing(steps);
        for (const step of left) consumers.get(step.from)?.push(step);
        yield* meet(left.map(({ to }) => to));
      }
      return consumers;
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
