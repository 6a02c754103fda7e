/**
 * How a change spreads along the lineage: from column to column as far as that is known, else by whole assets.
 *
 * A table or model has two faces. What reaches one of its columns affects it, and goes on from that column alone.
 * What reaches it as a whole goes on to those of its columns whose lineage is not known, and to whoever reads it.
 *
 * Of all paths to a node the strongest counts, and of these the shortest. Nodes are gone through in that order, a rank
 * at a time; one that was reached weakly but by fewer hops passes that on as well, for it may be the shortest further on.
 */
import type { EvidenceKind } from "../impact.ts";
import { compareCodePoints } from "../text.ts";
import { createFrontier } from "./frontier.ts";
import { compareLabels, type Hop, hopTo, type Label, partOf } from "./label.ts";
import { isDataset, type LoadedGraph } from "./loaded-graph.ts";
import type { AssetStep, ColumnStep, Handle, OwnColumn } from "./source.ts";

export interface Beginning {
  root: Handle;
  /** The root and, of a table or model, its columns. */
  labels: readonly Label[];
  /** Whether the root goes away as a whole, so that all who read it are hit, whichever columns they use. */
  isWhole: boolean;
}

/** Answers the best label of each affected node. */
export async function spread({ root, labels, isWhole }: Beginning, graph: LoadedGraph): Promise<Map<Handle, Label>> {
  const { get, keyOf } = graph;
  const frontier = createFrontier(keyOf);
  const affected = new Map<Handle, Label>();
  /** Columns by the labels of their whole datasets; they are affected where something reaches the column itself, too. */
  const parts = new Map<Handle, Label>();
  /** The fewest hops of the columns of each dataset that were passed on to those who may read them. */
  const passedOn = new Map<Handle, number>();
  /** The columns of each dataset that passed something on. */
  const reached = new Map<Handle, Set<Handle>>();

  const keepBetter = (kept: Map<Handle, Label>, label: Label): void => {
    const known = kept.get(label.node);
    if (known === undefined || compareLabels(label, known, keyOf) < 0) kept.set(label.node, label);
  };
  const affect = (label: Label): void => {
    if (label.node !== root && get(label.node).parent !== root) keepBetter(affected, label);
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

  /** Of the columns of each dataset the first by key, with its dataset's label where it was reached as a part of that. */
  const firstOfEach = (passing: readonly Label[]): Map<Handle, Label> => {
    const firsts = new Map<Handle, Label>();
    for (const label of passing) {
      const parent = ownerOf(label);
      if (parent === null) continue;
      const own = label.whole ?? label;
      const other = firsts.get(parent);
      if (other === undefined || compareCodePoints(keyOf(own.node), keyOf(other.node)) < 0) firsts.set(parent, own);
    }
    return firsts;
  };

  /** Follows the edges of columns; those from one asset to another are edges of assets too, and followed as such. */
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
   * Whoever only counts the rows of a dataset is affected where all of its columns are: what joins, groups or filters
   * it is used for each of them. Of a root the columns change one by one, and its rows stay.
   */
  async function passRows(passing: readonly Label[]): Promise<void> {
    const ofOthers = passing.filter((label) => ownerOf(label) !== root);
    for (const label of ofOthers) {
      const parent = ownerOf(label);
      if (parent !== null) reached.set(parent, (reached.get(parent) ?? new Set()).add(label.node));
    }
    const firsts = firstOfEach(ofOthers);
    const readers = await graph.consumersOf([...firsts.keys()]);
    const counting = await graph.findCounting([...firsts.keys()].flatMap((dataset) => readers.get(dataset) ?? []));
    const columns = await graph.columnsOf([...new Set(counting.map(({ from }) => from))]);
    for (const step of counting) {
      const first = firsts.get(step.from);
      const isAll = columns.get(step.from)?.length === reached.get(step.from)?.size;
      if (first === undefined || !isAll) continue;
      reach(first, step.to, { kind: "INDIRECT", level: "asset", from: step.from, to: step.to });
    }
  }

  /** Columns pass on to whom they are known to feed, and to all who may read them. */
  async function passColumns(passing: readonly Label[]): Promise<void> {
    await passAlongColumns(passing);
    await passRows(passing);
    const firsts = firstOfEach(
      passing.filter((label) => {
        const parent = ownerOf(label);
        // What reached a dataset as a whole has gone on from there already, but for the root whose columns alone change.
        const isOwn = label.whole === null || parent === root;
        return isOwn && parent !== null && label.hops <= (passedOn.get(parent) ?? Infinity);
      }),
    );
    const readers = await graph.consumersOf([...firsts.keys()]);
    const isKnown = await graph.findKnown([...firsts.keys()].flatMap((dataset) => readers.get(dataset) ?? []));
    for (const [dataset, first] of firsts) {
      passedOn.set(dataset, first.hops);
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
    // Of a root whose columns are not in the catalog one may change, not all.
    return isAllUnclear && node !== root ? "DIRECT" : "UNKNOWN";
  };

  /** Dashboards, pipelines and metrics: what they feed depends on them as they are. */
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
