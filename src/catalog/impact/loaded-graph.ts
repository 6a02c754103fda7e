/** The part of the graph that a spreading change has reached so far. Each thing is read once, and only when it is needed. */
import { isDataset } from "../node-types.ts";
import { idOf } from "../identity.ts";
import { compareCodePoints } from "../text.ts";
import { eachOnce, NodeMap } from "./node-map.ts";
import type { Supposition } from "../impact.ts";
import type { AssetStep, Handle, ImpactSource, Pair, SpreadNode, Step } from "./source.ts";

export type LoadedGraph = ReturnType<typeof createLoadedGraph>;

function nameOf({ from, to }: Step): string {
  return `${from} ${to}`;
}

function startOf({ from }: Step): Handle {
  return from;
}

/** Lists by the node that each belongs to. Each is read once, together with all others that are first asked for then. */
function loadLists<T>(
  read: (nodes: readonly Handle[]) => readonly T[] | Promise<readonly T[]>,
  nodeOf: (one: T) => Handle,
): (nodes: readonly Handle[]) => Promise<NodeMap<readonly T[]>> {
  const lists = new NodeMap<T[]>();
  return async (nodes) => {
    const missing = eachOnce(nodes, lists);
    if (missing.length > 0) {
      for (const one of await read(missing)) {
        const list = lists.get(nodeOf(one));
        if (list === undefined) lists.set(nodeOf(one), [one]);
        else list.push(one);
      }
      for (const node of missing) if (!lists.has(node)) lists.set(node, []);
    }
    return lists;
  };
}

function supposeKnown({ type, key, parent }: SpreadNode): SpreadNode {
  return { type, key, parent, lineage: "known" };
}

export function createLoadedGraph(source: ImpactSource, supposing: Supposition = { gone: [], known: [] }) {
  const gone = new Set(supposing.gone.map(({ from, to }) => `${from} ${to}`));
  const supposedlyKnown = new Set(supposing.known);
  const isSupposed = (node: SpreadNode): boolean => supposedlyKnown.size > 0 && supposedlyKnown.has(idOf(node.key()));
  const loaded = new NodeMap<SpreadNode>();
  const bound = new Map<string, boolean>();

  /** A node that was loaded. */
  const get = (node: Handle): SpreadNode => {
    const found = loaded.get(node);
    if (found === undefined) throw new Error(`the node ${node} was not loaded`);
    return found;
  };

  async function load(nodes: Iterable<Handle>): Promise<void> {
    const missing = eachOnce(nodes, loaded);
    if (missing.length === 0) return;
    const found = await source.loadNodes(missing);
    missing.forEach((node, i) => {
      const one = found[i];
      if (one !== undefined) loaded.set(node, isSupposed(one) ? supposeKnown(one) : one);
    });
  }

  /** Those of the steps that are not supposed to be gone. */
  async function remaining<S extends Step>(steps: readonly S[]): Promise<readonly S[]> {
    if (gone.size === 0) return steps;
    await load(steps.flatMap(({ from, to }) => [from, to]));
    return steps.filter(({ from, to }) => !gone.has(`${idOf(get(from).key())} ${idOf(get(to).key())}`));
  }

  async function bind(steps: readonly Step[]): Promise<void> {
    const open = steps.filter((step) => !bound.has(nameOf(step)));
    if (open.length === 0) return;
    const pairs = open.map(({ from, to }): Pair => [from, to]);
    const answers = await source.areBound(pairs);
    open.forEach((step, i) => bound.set(nameOf(step), answers[i] ?? false));
  }

  /**
   * Whether edges between columns decide if a step is known. They do for a table and the model that materializes it, because
   * their columns are matched by name. They also do for an asset without column lineage, whose tool states such edges itself.
   */
  const dependsOnColumns = ({ to, materializes }: AssetStep): boolean => {
    const { type, lineage } = get(to);
    if (lineage === "known") return false;
    return isDataset(type) ? materializes : lineage === null;
  };

  return {
    /** For what is read only once anyway. */
    source,
    get,
    /** Orders nodes that were loaded. */
    byKey: source.byKey ?? ((a, b) => compareCodePoints(get(a).key(), get(b).key())),
    load,
    /** By the dataset. */
    columnsOf: loadLists(
      (datasets) => source.listColumns(datasets),
      ({ dataset }) => dataset,
    ),
    /** By the node. The nodes that the steps lead to are loaded. */
    consumersOf: loadLists(async (nodes) => {
      const steps = await remaining(await source.followAssets(nodes));
      await load(steps.map(({ to }) => to));
      return steps;
    }, startOf),
    /** Steps along columns, by the node where they begin. Their ends are loaded, and the table or model of a column at the end. */
    usesOf: loadLists(async (nodes) => {
      const steps = await remaining(await source.followColumns(nodes));
      await load(steps.flatMap(({ from, to }) => [from, to]));
      await load(steps.flatMap(({ to }) => get(to).parent ?? []));
      return steps;
    }, startOf),
    /** Steps from these columns to the assets whose SQL names them. Their ends are loaded. */
    async referencesTo(named: readonly Handle[]): Promise<readonly Step[]> {
      const left = await remaining(await source.followReferences(named));
      await load(left.flatMap(({ from, to }) => [from, to]));
      return left;
    },
    /** Tells whether it is known which columns the end of a step uses. */
    async findKnown(steps: readonly AssetStep[]): Promise<(step: AssetStep) => boolean> {
      await bind(steps.filter(dependsOnColumns));
      return (step) => get(step.to).lineage === "known" || (dependsOnColumns(step) && bound.get(nameOf(step)) === true);
    },
    /** The steps to metrics that are known to use no column of what they read: they count its rows. */
    async findCounting(steps: readonly AssetStep[]): Promise<readonly AssetStep[]> {
      const measured = steps.filter(({ to }) => get(to).type === "metric" && get(to).lineage === "known");
      await bind(measured);
      return measured.filter((step) => bound.get(nameOf(step)) === false);
    },
  };
}
