/** The corpus of SQL texts with the parents of their columns. Its README explains the keys. */
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";

import { parse } from "yaml";

import type { LineageAnswer, LineageRequest, Relation, RelationPath } from "../../src/sql-lineage/request.ts";
import { relationOf } from "./sql-relation.ts";

export interface CorpusCase {
  title: string;
  dialect: string;
  request: LineageRequest;
  expected: Comparable;
  /** Names in the statement that do not change the answer. */
  unread: string[];
}

/** An answer with the parents as text, such as `AGGREGATION orders.amount`, sorted. */
interface Comparable {
  columns: { name: string; parents: string[]; unknown: string }[];
  incomplete: string;
  unresolved: string;
  /** Null if it is not compared. */
  named: string[] | null;
  unresolvedUse: string | null;
  unfound: string[] | null;
}

interface Entry {
  title: string;
  relations: Record<
    string,
    string[] | { columns: string[]; completeness?: Relation["completeness"]; inlined?: string }
  >;
  sql: string;
  columns?: Record<string, string[]>;
  rows?: string[];
  unknown?: Record<string, string>;
  incomplete?: string;
  unresolved?: string;
  unread?: string[];
  named?: string[];
  unresolved_use?: string;
  unfound?: string[];
}

/** `t.c` is short for `IDENTITY db.schema.t.c`. */
function toWords(parent: string, paths: readonly string[]): string {
  const [, word = "IDENTITY", column = ""] = /^(?:([A-Z_]+) )?(.*)$/.exec(parent) ?? [];
  const [name = ""] = column.split(".");
  const path = paths.find((known) => column.startsWith(`${known}.`) || known.split(".").at(-1) === name);
  if (path === undefined) throw new Error(`${parent} is of no relation`);
  return `${word} ${column.startsWith(`${path}.`) ? column : path + column.slice(name.length)}`;
}

function toExpected(entry: Entry): Comparable {
  const { relations, columns = {}, rows = [], unknown = {}, incomplete, unresolved, named, unfound } = entry;
  const paths = Object.keys(relations);
  const isKnown = [entry.unknown, incomplete, unresolved].every((stated) => stated === undefined);
  return {
    columns: Object.entries(columns).map(([name, parents]) => ({
      name,
      parents: [...new Set([...parents, ...rows].map((parent) => toWords(parent, paths)))].toSorted(),
      unknown: unknown[name] ?? "",
    })),
    incomplete: incomplete ?? "",
    unresolved: unresolved ?? "",
    named: named?.map((column) => toWords(column, paths).replace(/^IDENTITY /, "")).toSorted() ?? null,
    unresolvedUse: entry.unresolved_use ?? (isKnown ? "" : null),
    unfound: unfound ?? (isKnown ? [] : null),
  };
}

function reason(found: string | null, part: string | undefined): string {
  return found !== null && part !== undefined && part !== "" && found.includes(part) ? part : (found ?? "");
}

/** If a reason contains the expected part, only that part is kept. */
export function toComparable(answer: LineageAnswer, { relations }: LineageRequest, expected: Comparable): Comparable {
  const unfound = expected.unfound && answer.unfound.map(joined);
  if ("unresolved" in answer) {
    const { named, unresolvedUse } = expected;
    const unresolved = reason(answer.unresolved, expected.unresolved);
    return { columns: [], incomplete: "", unresolved, named, unresolvedUse, unfound };
  }
  const pathOf = (index: number): string => joined(relations[index] ?? { database: "", schema: "", name: "" });
  return {
    columns: answer.columns.map(({ name, parents, unresolved }, i) => ({
      name,
      parents: parents.map((p) => `${p.transformation} ${pathOf(p.relation)}.${p.column}`).toSorted(),
      unknown: reason(unresolved, expected.columns[i]?.unknown),
    })),
    incomplete: reason(answer.incomplete, expected.incomplete),
    unresolved: "",
    named: expected.named && answer.named.map((c) => `${pathOf(c.relation)}.${c.column}`).toSorted(),
    unresolvedUse: expected.unresolvedUse === null ? null : reason(answer.unresolvedUse, expected.unresolvedUse),
    unfound,
  };
}

function joined({ database, schema, name }: RelationPath): string {
  return [database, schema, name].filter((part) => part !== "").join(".");
}

function toRelation([path, stated]: [string, Entry["relations"][string]]): Relation {
  if (Array.isArray(stated)) return relationOf(path, stated);
  const { columns, completeness = "all", inlined = "" } = stated;
  return relationOf(path, columns, { completeness, inlinedAs: inlined });
}

export function readCorpus(): CorpusCase[] {
  return globSync("test/corpus/sql-lineage/*.yaml").flatMap((path) => {
    const [dialect = ""] = basename(path).split(".");
    const entries: Entry[] = parse(readFileSync(path, "utf8"));
    return entries.map((entry) => ({
      title: entry.title,
      dialect,
      request: {
        sql: entry.sql,
        dialect,
        relations: Object.entries(entry.relations).map(toRelation),
      },
      expected: toExpected(entry),
      unread: entry.unread ?? [],
    }));
  });
}
