/**
 * How a change spreads along the lineage: from column to column as far as that is known, else by whole assets.
 *
 * A change reaches a table or model in one of two ways. If it reaches a column, the table or model is affected, and the change
 * goes on from that column alone. If it reaches the whole, it goes on to the columns whose lineage is not known, and to all
 * readers.
 *
 * Of all paths to a node the strongest counts, and of these the shortest. Nodes are followed in that order, one rank at a time.
 * A weaker path with fewer hops is followed as well, because it may become the shortest one further on.
 */
import type { EvidenceKind } from "../impact.ts";
import { compareLabels, type Hop, hopTo, type Label, partOf, strengthOf } from "./label.ts";
import { isDataset } from "../node-types.ts";
import type { LoadedGraph } from "./loaded-graph.ts";
import { NodeMap } from "./node-map.ts";
import type { AssetStep, ColumnStep, Handle, KeyOrder, OwnColumn } from "./source.ts";

export interface Beginning {
  root: Handle;
  /** The root, and the columns of a table or model. */
  labels: readonly Label[];
  /** Whether the whole root goes away, so that all its readers are affected, whichever columns they use. */
  isWhole: boolean;
  /** Whether the root gets other rows, so that what only counts them is affected, too. */
  hasOtherRows: boolean;
}

/**
 * Returns the best label of each affected node.
 * @param unclearWithin only of assets that are reached by a last hop of which no use is known, within so many hops
 */
export async function spread(
  { root, labels, isWhole, hasOtherRows }: Beginning,
  graph: LoadedGraph,
  unclearWithin?: number,
): Promise<NodeMap<Label>> {
  const { get, byKey } = graph;
  const isAsked = ({ kind, hops }: Label): boolean =>
    unclearWithin === undefined || (kind === "UNKNOWN" && hops <= unclearWithin);
  const isFollowed = ({ kind, hops }: Label): boolean =>
    unclearWithin === undefined || (kind !== "UNKNOWN" && kind !== "NONE" && hops < unclearWithin);
  const frontier = createFrontier(byKey, isFollowed);
  const affected = new NodeMap<Label>();
  /** Labels of columns as parts of their datasets. They count only for columns that something reaches by themselves, too. */
  const parts = new NodeMap<Label>();
  /** For each dataset the label with the fewest hops with which its columns were passed on to readers that may use them. */
  const passedOn = new NodeMap<Label>();
  /** The columns of each dataset that were followed. */
  const reached = new NodeMap<Set<Handle>>();

  const keepBetter = (kept: NodeMap<Label>, label: Label): void => {
    const known = kept.get(label.node);
    if (known === undefined || compareLabels(label, known, byKey) < 0) kept.set(label.node, label);
  };
  const affect = (label: Label): void => {
    if (isAsked(label) && label.node !== root && get(label.node).parent !== root) keepBetter(affected, label);
  };
  const reach = (before: Label, node: Handle, hop: Hop): void => {
    const label = hopTo(node, before, hop);
    affect(label);
    frontier.offer(label, get(node).type === "column" ? "columns" : "assets");
  };
  const reachAsset = (before: Label, { to }: AssetStep, kind: EvidenceKind): void => {
    reach(before, to, { kind, level: "asset", from: before.node, to });
  };
  const reachByColumn = (before: Label, { from, to, use }: ColumnStep): void => {
    const hop: Hop = { kind: use === "INDIRECT" ? "INDIRECT" : "DIRECT", level: "column", from, to };
    reach(before, to, hop);
    const { parent } = get(to);
    if (parent !== null && to !== root) affect(hopTo(parent, before, hop));
  };

  /** The dataset of a column. */
  const ownerOf = (label: Label): Handle | null => (label.whole === null ? get(label.node).parent : label.whole.node);

  /** For each dataset the first of these columns by key, or the dataset if the column was reached as a part of it. */
  const firstOfEach = (passing: readonly Label[]): NodeMap<Label> => {
    const firsts = new NodeMap<Label>();
    for (const label of passing) {
      const parent = ownerOf(label);
      if (parent === null) continue;
      const own = label.whole ?? label;
      const other = firsts.get(parent);
      if (other === undefined || byKey(own.node, other.node) < 0) firsts.set(parent, own);
    }
    return firsts;
  };

  /** Follows the edges of columns. Those from one asset to another are edges of assets too, and are followed as such. */
  async function passAlongColumns(passing: readonly Label[]): Promise<void> {
    if (passing.length === 0) return;
    const uses = await graph.usesOf(passing.map(({ node }) => node));
    for (const before of passing) {
      for (const step of uses.get(before.node) ?? []) {
        if (get(before.node).type === "column" || get(step.to).type === "column") reachByColumn(before, step);
      }
    }
  }

  /**
   * What only counts the rows of a dataset is affected if all columns of the dataset are: a join, a group or a filter is a use
   * for each of them. The columns of the root change one by one, and its rows stay, unless the change says otherwise.
   */
  async function passRows(passing: readonly Label[]): Promise<void> {
    const counted = passing.filter((label) => hasOtherRows || ownerOf(label) !== root);
    for (const label of counted) {
      const parent = ownerOf(label);
      if (parent !== null) reached.set(parent, (reached.get(parent) ?? new Set()).add(label.node));
    }
    const firsts = firstOfEach(counted);
    const readers = await graph.consumersOf(firsts.keys());
    const counting = await graph.findCounting(firsts.keys().flatMap((dataset) => readers.get(dataset) ?? []));
    const columns = await graph.columnsOf([...new Set(counting.map(({ from }) => from))]);
    for (const step of counting) {
      const first = firsts.get(step.from);
      const isAll = columns.get(step.from)?.length === reached.get(step.from)?.size;
      if (first === undefined || !isAll) continue;
      reach(first, step.to, { kind: "INDIRECT", level: "asset", from: step.from, to: step.to });
    }
  }

  /** Follows columns to what they are known to feed, and to all readers that may use them. */
  async function passColumns(passing: readonly Label[]): Promise<void> {
    await passAlongColumns(passing);
    await passRows(passing);
    const firsts = firstOfEach(
      passing.filter((label) => {
        const parent = ownerOf(label);
        // From a dataset that was reached as a whole, readers were followed already; but not from a root of which only columns change.
        const isOwn = label.whole === null || parent === root;
        return isOwn && parent !== null && label.hops <= (passedOn.get(parent)?.hops ?? Infinity);
      }),
    );
    const readers = await graph.consumersOf(firsts.keys());
    const isKnown = await graph.findKnown(firsts.keys().flatMap((dataset) => readers.get(dataset) ?? []));
    for (const dataset of firsts.keys()) {
      const first = firsts.get(dataset);
      if (first === undefined) continue;
      passedOn.set(dataset, first);
      for (const step of readers.get(dataset) ?? []) if (!isKnown(step)) reachAsset(first, step, "UNKNOWN");
    }
  }

  async function passDatasets(passing: readonly Label[]): Promise<void> {
    const nodes = passing.map(({ node }) => node);
    const readers = await graph.consumersOf(nodes);
    const used = passing.filter(({ kind }) => kind !== "NONE").map(({ node }) => node);
    const columns = await graph.columnsOf(used);
    const isKnown = await graph.findKnown(used.flatMap((node) => readers.get(node) ?? []));
    for (const label of passing) {
      const own = columns.get(label.node) ?? [];
      const unclear = label.kind === "NONE" ? [] : own.filter((column) => isUnclear(get(label.node).lineage, column));
      for (const { column } of unclear) {
        const part = partOf(label, column);
        keepBetter(parts, part);
        frontier.offer(part, "columns");
      }
      for (const step of readers.get(label.node) ?? []) {
        reachAsset(label, step, kindOut(label, step, unclear.length === own.length, isKnown));
      }
    }
  }

  const kindOut = (
    { node, kind }: Label,
    step: AssetStep,
    isAllUnclear: boolean,
    isKnown: (step: AssetStep) => boolean,
  ): EvidenceKind => {
    if (kind === "NONE") return "NONE";
    if (node === root && isWhole) return "DIRECT";
    if (isKnown(step)) return "NONE";
    // If the root's columns are not in the catalog, one of them changes, and not all.
    return isAllUnclear && node !== root ? "DIRECT" : "UNKNOWN";
  };

  /** Follows dashboards, pipelines and metrics. What they feed depends on them as a whole. */
  async function passOthers(passing: readonly Label[]): Promise<void> {
    const readers = await graph.consumersOf(passing.map(({ node }) => node));
    for (const label of passing) {
      for (const step of readers.get(label.node) ?? []) {
        const { type, lineage } = get(step.to);
        const isUnused = isDataset(type) && lineage === "known" && label.node !== root;
        reachAsset(label, step, isUnused ? "NONE" : "DIRECT");
      }
    }
    await passAlongColumns(passing.filter(({ kind }) => kind !== "NONE"));
  }

  for (const label of labels) {
    const isColumn = label.whole !== null || get(label.node).type === "column";
    frontier.offer(label, isColumn ? "columns" : "assets");
  }
  for (let rank = frontier.best(); rank !== undefined; rank = frontier.best()) {
    const assets = Map.groupBy(frontier.take(rank, "assets"), ({ node }) => isDataset(get(node).type));
    await passDatasets(assets.get(true) ?? []);
    await passOthers(assets.get(false) ?? []);
    await passColumns(frontier.take(rank, "columns"));
    frontier.drop(rank);
  }
  for (const node of affected.keys()) {
    const part = parts.get(node);
    if (part !== undefined) keepBetter(affected, part);
  }
  return affected;
}

/** Whether it is not known where a column comes from. */
function isUnclear(dataset: OwnColumn["lineage"], column: OwnColumn): boolean {
  return dataset === "partial" ? column.lineage !== "known" : dataset !== "known";
}

/** Labels that are equally strong and equally far. */
interface Rank {
  strength: number;
  hops: number;
  assets: NodeMap<Label>;
  columns: NodeMap<Label>;
}

function createFrontier(byKey: KeyOrder, isFollowed: (label: Label) => boolean) {
  const ranks: Rank[] = [];
  /** The label with the fewest hops with which each node was followed. */
  const passed = new NodeMap<Label>();
  const isNew = ({ node, hops }: Label): boolean => hops < (passed.get(node)?.hops ?? Infinity);

  return {
    /** Keeps the label, unless its node was followed with as few hops. Of each rank, only the best label of a node is kept. */
    offer(label: Label, part: "assets" | "columns"): void {
      if (!isFollowed(label) || !isNew(label)) return;
      const strength = strengthOf(label);
      let rank = ranks.find((each) => each.strength === strength && each.hops === label.hops);
      if (rank === undefined) {
        rank = { strength, hops: label.hops, assets: new NodeMap(), columns: new NodeMap() };
        ranks.push(rank);
      }
      const known = rank[part].get(label.node);
      if (known === undefined || compareLabels(label, known, byKey) < 0) rank[part].set(label.node, label);
    },
    /** The best rank that is left, or undefined. Labels may be added to it until it is dropped. */
    best(): Rank | undefined {
      return ranks.toSorted((a, b) => a.strength - b.strength || a.hops - b.hops)[0];
    },
    /** The labels of a rank whose nodes were not yet followed with as few hops. From now on they were. */
    take(rank: Rank, part: "assets" | "columns"): Label[] {
      const labels = rank[part].values().filter(isNew);
      for (const label of labels) passed.set(label.node, label);
      return labels;
    },
    drop(rank: Rank): void {
      ranks.splice(ranks.indexOf(rank), 1);
    },
  };
}
