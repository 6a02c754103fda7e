/** What a search for a set has found. */
import type { Thing, Walked } from "../catalog.ts";

/** What a search leaves open. */
export interface Doubts {
  isExact: boolean;
  /** Whether the lineage that was walked is known without gaps. */
  isComplete: boolean;
}

export interface Found extends Doubts {
  things: readonly Thing[];
  /** How many there are: exactly, if `isExact`, else at least. */
  total: number;
}

export interface Narrowed extends Doubts {
  ids: ReadonlySet<string>;
}

/** What a walk leaves open. */
export function doubtsOf({ truncated, completeness }: Walked): Doubts {
  return { isExact: !truncated, isComplete: completeness.complete };
}

/** Adds what one part of a search leaves open. */
export function addDoubts<Part extends Doubts>(doubts: Doubts, part: Part): Part {
  doubts.isExact &&= part.isExact;
  doubts.isComplete &&= part.isComplete;
  return part;
}
