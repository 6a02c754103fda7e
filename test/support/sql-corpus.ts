/** The corpus of SQL texts with the parents of their columns; its README says what the keys mean. */
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";

import { parse } from "yaml";

import type { LineageAnswer, LineageRequest } from "../../src/sql-lineage/request.ts";
import { relationOf } from "./sql-relation.ts";

export interface CorpusCase {
  title: string;
  dialect: string;
  request: LineageRequest;
  expected: Comparable;
  /** Columns that the statement names without any effect. */
  unread: string[];
}

/** An answer with the parents in words, such as `AGGREGATION orders.amount`, in the order of the alphabet. */
interface Comparable {
  columns: { name: string; parents: string[]; unknown: string }[];
  incomplete: string;
  unresolved: string;
}

interface Entry {
  title: string;
  relations: Record<string, string[]>;
  sql: string;
  columns?: Record<string, string[]>;
  rows?: string[];
  unknown?: Record<string, string>;
  incomplete?: string;
  unresolved?: string;
  unread?: string[];
}

/** `t.c` is short for `IDENTITY db.schema.t.c`. */
function toWords(parent: string, paths: readonly string[]): string {
  const [, word = "IDENTITY", column = ""] = /^(?:([A-Z_]+) )?(.*)$/.exec(parent) ?? [];
  const [name = ""] = column.split(".");
  const path = paths.find((known) => column.startsWith(`${known}.`) || known.split(".").at(-1) === name);
  if (path === undefined) throw new Error(`${parent} is of no relation`);
  return `${word} ${column.startsWith(`${path}.`) ? column : path + column.slice(name.length)}`;
}

function toExpected({ relations, columns = {}, rows = [], unknown = {}, incomplete, unresolved }: Entry): Comparable {
  const paths = Object.keys(relations);
  return {
    columns: Object.entries(columns).map(([name, parents]) => ({
      name,
      parents: [...new Set([...parents, ...rows].map((parent) => toWords(parent, paths)))].toSorted(),
      unknown: unknown[name] ?? "",
    })),
    incomplete: incomplete ?? "",
    unresolved: unresolved ?? "",
  };
}

function reason(found: string | null, part: string | undefined): string {
  return found !== null && part !== undefined && part !== "" && found.includes(part) ? part : (found ?? "");
}

/** Of a reason that holds the expected part only that part is kept. */
export function toComparable(answer: LineageAnswer, { relations }: LineageRequest, expected: Comparable): Comparable {
  if ("unresolved" in answer) {
    return { columns: [], incomplete: "", unresolved: reason(answer.unresolved, expected.unresolved) };
  }
  const pathOf = (index: number): string => {
    const { database = "", schema = "", name = "" } = relations[index] ?? {};
    return [database, schema, name].filter((part) => part !== "").join(".");
  };
  return {
    columns: answer.columns.map(({ name, parents, unresolved }, i) => ({
      name,
      parents: parents.map((p) => `${p.transformation} ${pathOf(p.relation)}.${p.column}`).toSorted(),
      unknown: reason(unresolved, expected.columns[i]?.unknown),
    })),
    incomplete: reason(answer.incomplete, expected.incomplete),
    unresolved: "",
  };
}

export function readCorpus(): CorpusCase[] {
  return globSync("test/corpus/sql-lineage/*.yaml").flatMap((path) => {
    const dialect = basename(path, ".yaml");
    const entries: Entry[] = parse(readFileSync(path, "utf8"));
    return entries.map((entry) => ({
      title: entry.title,
      dialect,
      request: {
        sql: entry.sql,
        dialect,
        relations: Object.entries(entry.relations).map(([name, columns]) => relationOf(name, columns)),
      },
      expected: toExpected(entry),
      unread: entry.unread ?? [],
    }));
  });
}
