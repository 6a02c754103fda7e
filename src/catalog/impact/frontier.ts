/** What a spreading change has reached and is still to be followed from, the best first. */
import { type Label, compareLabels, strengthOf } from "./label.ts";
import { NodeMap } from "./node-map.ts";
import type { KeyOrder } from "./source.ts";

/** Labels that are equally strong and equally far. */
interface Rank {
  strength: number;
  hops: number;
  assets: NodeMap<Label>;
  columns: NodeMap<Label>;
}

export function createFrontier(byKey: KeyOrder) {
  const ranks: Rank[] = [];
  /** The label with the fewest hops with which each node was followed. */
  const passed = new NodeMap<Label>();
  const isNew = ({ node, hops }: Label): boolean => hops < (passed.get(node)?.hops ?? Infinity);

  return {
    /** Keeps the label, unless its node was followed with as few hops. Of each rank, only the best label of a node is kept. */
    offer(label: Label, part: "assets" | "columns"): void {
      if (!isNew(label)) return;
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
