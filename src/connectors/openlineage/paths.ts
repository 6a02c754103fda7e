/**
 * Paths that are also tables. An event may name a path without saying which table it is, because another event said it.
 * So a subject that names a path writes a note to the path's own subject, which answers with the table.
 */
import { compareCodePoints } from "../../catalog/text.ts";
import type { Kept, NoteTo, SubjectStatements } from "../connector.ts";
import type { NamedTable } from "./kept.ts";
import { type DatasetName, isPath, nameKey } from "./naming.ts";

/** The subject of everything that is said about the name of a path. */
export const PATH = "path:";

/** Paths that one subject asks about. */
const MAX_PATHS = 2_000;

type Told = Pick<NamedTable, "at" | "table">;

/** The table of each path, by the key of the path. */
export type Tables = ReadonlyMap<string, DatasetName>;

/** The notes of a subject that names these datasets and knows these tables. */
export function notesToPaths(named: readonly DatasetName[], known: readonly NamedTable[]): NoteTo[] {
  const told = new Map(known.map((each) => [nameKey(each), each]));
  const all = new Map([...known, ...named].map((each) => [nameKey(each), each]));
  return [...all]
    .filter(([, name]) => isPath(name))
    .slice(0, MAX_PATHS)
    .map(([key]) => {
      const { at = "", table = null } = told.get(key) ?? {};
      return { subject: `${PATH}${key}`, body: JSON.stringify({ at, table } satisfies Told) };
    });
}

/** The tables that the paths answered. For a path without an answer, the table that the subject knows. */
export function tablesOf(kept: readonly Kept[], known: readonly NamedTable[]): Tables {
  const own = known.map((each) => [nameKey(each), each.table] as const);
  const answered = kept
    .filter(({ key }) => key.startsWith(PATH))
    // Only `statePath` writes them.
    .map(({ key, body }) => [key.slice(PATH.length), JSON.parse(body) as DatasetName | null] as const);
  const last = new Map([...own, ...answered]);
  return new Map([...last].flatMap(([key, table]) => (table === null ? [] : [[key, table]])));
}

/** Answers each subject that names the path with its table, by the latest note. It states no asset. */
export function statePath(subject: string, kept: readonly Kept[]): SubjectStatements {
  const notes = kept.map(({ key, body }) => ({ key, told: JSON.parse(body) as Told }));
  const last = notes
    .map(({ told }) => told)
    .toSorted((a, b) => compareCodePoints(a.at, b.at) || compareCodePoints(JSON.stringify(a), JSON.stringify(b)))
    .at(-1);
  const body = JSON.stringify(last?.table ?? null);
  const unaware = notes.filter(({ told }) => JSON.stringify(told.table) !== body);
  return { events: [], needed: null, notes: unaware.map(({ key }) => ({ subject: key, body })), expiresAt: null };
}
