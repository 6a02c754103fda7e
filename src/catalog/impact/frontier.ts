/** The edge of a spreading change: what was reached and did not yet pass it on, the best first. */
import { type Label, compareLabels, strengthOf } from "./label.ts";
import type { Handle } from "./source.ts";

/** Labels that are equally strong and equally far. */
interface Rank {
  strength: number;
  hops: number;
  assets: Map<Handle, Label>;
  columns: Map<Handle, Label>;
}

export interface Frontier {
  /** Keeps the label if its node passes it on: the best of each rank, and a weaker one only where it is shorter. */
  offer: (label: Label, part: "assets" | "columns") => void;
  /** The best rank that is left, or undefined. What is offered of it may come until it is dropped. */
  best: () => Rank | undefined;
  /** The labels of a rank whose nodes did not yet pass on one with as few hops. */
  take: (rank: Rank, part: "assets" | "columns") => Label[];
  drop: (rank: Rank) => void;
}

export function createFrontier(keyOf: (node: Handle) => string): Frontier {
  const ranks: Rank[] = [];
  /** The fewest hops of the labels that a node passed on. */
  const passed = new Map<Handle, number>();
  const isNew = ({ node, hops }: Label): boolean => hops < (passed.get(node) ?? Infinity);

  return {
    offer(label, part) {
      if (!isNew(label)) return;
      const strength = strengthOf(label);
      let rank = ranks.find((each) => each.strength === strength && each.hops === label.hops);
      if (rank === undefined) {
        rank = { strength, hops: label.hops, assets: new Map(), columns: new Map() };
        ranks.push(rank);
      }
      const known = rank[part].get(label.node);
      if (known === undefined || compareLabels(label, known, keyOf) < 0) rank[part].set(label.node, label);
    },
    best() {
      return ranks.toSorted((a, b) => a.strength - b.strength || a.hops - b.hops)[0];
    },
    take(rank, part) {
      const labels = [...rank[part].values()].filter(isNew);
      for (const { node, hops } of labels) passed.set(node, hops);
      return labels;
    },
    drop(rank) {
      ranks.splice(ranks.indexOf(rank), 1);
    },
  };
}
