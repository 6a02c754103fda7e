/** What answers must hold, found from the events without a catalog. */
import { type Pipeline, sourcesOf } from "./events.ts";

/** @param next the neighbours @returns what is at most so many hops away, without the begin */
function walk<T>(begin: T, depth: number, next: (from: T) => readonly T[]): Set<T> {
  const found = new Set([begin]);
  let edge = [begin];
  for (let hop = 0; hop < depth; hop++) {
    edge = [...new Set(edge.flatMap(next))].filter((node) => !found.has(node));
    for (const node of edge) found.add(node);
  }
  found.delete(begin);
  return found;
}

export function createReference(pipelines: readonly Pipeline[]) {
  const readers = pipelines.map((): number[] => []);
  for (const [at, { inputs }] of pipelines.entries()) for (const input of inputs) readers[input]?.push(at);
  const inputsOf = (table: number): readonly number[] => pipelines[table]?.inputs ?? [];
  const readersOf = (table: number): readonly number[] => readers[table] ?? [];
  const neighboursOf = (job: number): number[] => [
    ...readersOf(job),
    ...inputsOf(job),
    ...inputsOf(job).flatMap(readersOf),
  ];

  return {
    /** The tables upstream and downstream, so many tables away. */
    bothWays(table: number, depth: number): Set<number> {
      return walk(table, depth, inputsOf).union(walk(table, depth, readersOf));
    },
    /**
     * The tables of all jobs that are so many jobs away from the one that writes the table. Jobs that share any table are
     * neighbours, also two that only read it.
     */
    around(table: number, depth: number): Set<number> {
      const jobs = walk(table, depth, neighboursOf).add(table);
      return jobs.union(new Set([...jobs].flatMap(inputsOf)));
    },
    /** How many columns feed a column. All have the same index in their tables. */
    columnsAbove(table: number, column: number, depth: number): number {
      return walk(table, depth, (at) => sourcesOf(pipelines[at] ?? { inputs: [] }, column)).size;
    },
  };
}
