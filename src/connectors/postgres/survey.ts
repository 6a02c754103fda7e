/** The first pass over a database: which relations are read, and what is left out because of its name. */
import { z } from "zod";

import { pickSpelling } from "../../catalog/spelling.ts";
import { fold, isStorableName } from "../../catalog/text.ts";
import type { CrawlEvent } from "../connector.ts";
import { errorEvent } from "../faults.ts";
import { findLeftOutColumns, type LeftOutColumn } from "./left-out-columns.ts";
import type { PostgresOptions } from "./options.ts";
import { isWantedSchema } from "./schema-patterns.ts";
import type { Query, Session } from "./session.ts";

/** How many names are read at once. */
const PAGE = 5_000;

export interface Survey {
  /** Names of all schemas of the database. */
  schemas: string[];
  /** In the order in which they are read: tables first, then views. */
  relations: { oid: number; columns: number }[];
  /** Relations that are wanted but left out because of their names, by their oids, as people know them. */
  leftOut: ReadonlyMap<number, string>;
  /** Columns that are left out because of their names, by the oid of their relation. */
  leftOutColumns: ReadonlyMap<number, readonly LeftOutColumn[]>;
  /** The relations that are left out for another one, because their names differ only in case, by the other one's oid. */
  alike: ReadonlyMap<number, readonly string[]>;
  errors: CrawlEvent[];
}

const schemasQuery = {
  text: "select oid, nspname::text as name from pg_namespace",
  row: z.object({ oid: z.number(), name: z.string() }),
} satisfies Query;

/**
 * Tables, partitioned tables, views, materialised views and foreign tables. Partitions belong to their parents. What
 * belongs to an extension is part of that product.
 */
const namesQuery = {
  text: `
    select c.oid, c.relnamespace as schema, c.relname::text as name, c.relnatts::int as columns, c.relkind in ('v', 'm') as view
    from pg_class c
    where c.relnamespace = any($1::oid[]) and c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
      and c.oid > $2::oid
      and not exists (
        select from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.objsubid = 0 and d.deptype = 'e'
      )
    order by c.oid
    limit ${PAGE}`,
  row: z.object({ oid: z.number(), schema: z.number(), name: z.string(), columns: z.number(), view: z.boolean() }),
} satisfies Query;
type Name = z.infer<typeof namesQuery.row>;

/** Reads the names of everything that is wanted. Only numbers and folded names are kept of them. */
export async function surveyDatabase(session: Session, options: PostgresOptions): Promise<Survey> {
  const schemas = await session.rows(schemasQuery, []);
  const wanted = new Map(
    schemas.filter(({ name }) => isWantedSchema(name, options)).map(({ oid, name }) => [oid, name]),
  );
  const found: Pick<Name, "oid" | "columns" | "view">[] = [];
  const byName = new Map<string, number[]>();
  const leftOut = new Map<number, string>();
  const errors: CrawlEvent[] = [];
  for await (const { oid, schema: schemaOid, name, columns, view } of readNames(session, [...wanted.keys()])) {
    const schema = wanted.get(schemaOid) ?? "";
    if (![schema, name].every(isStorableName)) {
      leftOut.set(oid, JSON.stringify(`${schema}.${name}`));
      errors.push(unstorableName(session, `${schema}.${name}`));
      continue;
    }
    found.push({ oid, columns, view });
    const key = `${fold(schema)}\u0001${fold(name)}`;
    byName.getOrInsertComputed(key, () => []).push(oid);
  }
  const alikeNames = new Map<number, string[]>();
  for (const oids of byName.values()) {
    if (oids.length === 1) continue;
    const rows = await session.rows(spellingsQuery, [oids]);
    const names = rows.map(({ oid, schema, name }) => ({ oid, parts: [schema, name] }));
    const [first, ...others] = names;
    if (first === undefined) continue;
    const kept = pickSpelling("postgres", [first, ...others], ({ parts }) => parts);
    const left = names.filter((each) => each !== kept);
    for (const { oid, parts } of left) {
      const other = parts.join(".");
      alikeNames.getOrInsertComputed(kept.oid, () => []).push(other);
      leftOut.set(oid, other);
      errors.push(alikeName(session, other, kept.parts.join("."), options));
    }
  }
  const relations = found.filter(({ oid }) => !leftOut.has(oid)).toSorted((a, b) => Number(a.view) - Number(b.view));
  const leftOutColumns = await findLeftOutColumns(
    session,
    relations.map(({ oid }) => oid),
  );
  return { schemas: schemas.map(({ name }) => name), relations, leftOut, leftOutColumns, alike: alikeNames, errors };
}

async function* readNames(session: Session, schemas: readonly number[]): AsyncGenerator<Name> {
  let after = 0;
  for (;;) {
    const names = await session.rows(namesQuery, [schemas, after]);
    yield* names;
    const last = names.at(-1);
    if (last === undefined || names.length < PAGE) return;
    after = last.oid;
  }
}

const spellingsQuery = {
  text: `
    select c.oid, n.nspname::text as schema, c.relname::text as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.oid = any($1::oid[])
    order by c.oid`,
  row: z.object({ oid: z.number(), schema: z.string(), name: z.string() }),
} satisfies Query;

function unstorableName({ source }: Session, name: string): CrawlEvent {
  const object = `${source.database}.${name}`;
  const message = `${JSON.stringify(object)} is left out: its name contains characters that cannot be stored.`;
  return errorEvent({ code: "invalid_name", object: JSON.stringify(object), stage: "parse", message });
}

function alikeName(
  { source }: Session,
  name: string,
  kept: string,
  { alike_names: severity }: PostgresOptions,
): CrawlEvent {
  const object = `${source.database}.${name}`;
  const message = `${object} differs from ${source.database}.${kept} only in case; it is left out.`;
  return errorEvent({ code: "alike_name", object, stage: "resolve", message, severity });
}
