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

/** Without a table, it asks. */
type Told = Pick<NamedTable, "at"> & Partial<Pick<NamedTable, "table">>;

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
      const { at, table }: Told = told.get(key) ?? { at: "" };
      return { subject: `${PATH}${key}`, body: JSON.stringify({ at, ...(table !== undefined && { table }) }) };
    });
}

/**
 * What a subject states until all paths that it names have answered. What it stated before stays, so that the asset of a path
 * that is a table is not added and removed again. Null if no answer is missing.
 * @param paths the notes to them
 */
export function askPaths(
  paths: readonly NoteTo[],
  kept: readonly Kept[],
  { needed, notes, expiresAt }: Omit<SubjectStatements, "events">,
): SubjectStatements | null {
  const answered = new Set(kept.map(({ key }) => key));
  const asks = paths.some(
    ({ subject, body }) => !answered.has(subject) && (JSON.parse(body) as Told).table === undefined,
  );
  return asks ? { events: [], needed, notes: [...paths, ...notes], expiresAt, isAsking: true } : null;
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
