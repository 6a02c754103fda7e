/** What a search for a set has found. */
import type { Thing } from "../catalog.ts";

export interface Found {
  things: Thing[];
  /** How many there are: exactly, if `isExact`, else at least. */
  total: number;
  isExact: boolean;
  /** Whether the lineage that was walked is known without gaps. */
  isComplete: boolean;
}

export interface Narrowed {
  /** Their ids, or the filter of a list. */
  ids?: ReadonlySet<string>;
  isExact: boolean;
  isComplete: boolean;
}
