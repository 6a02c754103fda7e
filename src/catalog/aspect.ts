/**
 * What others say about entities, such as the tables of a recipe of DataHub: one row for each aspect of an entity. What is
 * said later replaces what was said before, so the order in which it comes does not count.
 */
import type { Unkept } from "./crawl.ts";
import { compareCodePoints } from "./text.ts";

/** Of a urn, and of an aspect's name. Both are in one key of an index; DataHub permits 512. */
export const MAX_NAME_BYTES = 600;

export interface AspectRow {
  /** What the entity is, such as `dataset`. */
  entity: string;
  /** Names the entity. */
  urn: string;
  aspect: string;
  /** Tells values of one aspect apart that are kept beside each other, such as those of several days. Usually "". */
  part: string;
  /** When it was said, in milliseconds. 0: not known. The store then takes the time at which it came, and also if it is in the future. */
  at: number;
  /** Text that the connector itself reads again. Null: the aspect was deleted, or is not kept. */
  body: string | null;
  /** Why it is not kept, or not all of it; "" if it is kept. */
  unkept: "" | Unkept["why"];
}

/** What a sync reads: all that was said to one connector. */
export interface AspectReader {
  /**
   * All rows in the order of their urns, some entities at a time.
   * @param wanted aspects whose bodies are read; those of the others may be null
   */
  pages(wanted: readonly string[]): AsyncIterable<AspectRow[]>;
  /** The rows of these entities. */
  load(urns: readonly string[]): Promise<AspectRow[]>;
  /** Deletes rows that do not count any more, unless they have changed since they were read. */
  remove(rows: readonly AspectRow[]): Promise<void>;
}

/** Adds a row by its key, unless a later one is there. */
export function keepLatest(rows: Map<string, AspectRow>, row: AspectRow): void {
  const key = JSON.stringify([row.urn, row.aspect, row.part]);
  const known = rows.get(key);
  if (known === undefined || isLater(row, known)) rows.set(key, row);
}

/** Two of the same moment are ordered by their text. */
function isLater(a: AspectRow, b: AspectRow): boolean {
  return a.at === b.at ? compareCodePoints(a.body ?? "", b.body ?? "") > 0 : a.at > b.at;
}
