/**
 * Reads which relations a view or a table with children gets its rows from, and which functions a view calls, if they may
 * read tables that are not known.
 */
import { z } from "zod";

import type { Query } from "./session.ts";

/**
 * All functions that views need: those in their SQL, those of its operators, and those that these functions need. The
 * server does not note what it calls of its own functions.
 */
const CALLED = `
  called (reader, function) as (
    select r.ev_class, coalesce(o.oprcode::oid, d.refobjid)
    from pg_rewrite r
    join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
      and d.refclassid in ('pg_proc'::regclass, 'pg_operator'::regclass)
    left join pg_operator o on d.refclassid = 'pg_operator'::regclass and o.oid = d.refobjid
    where r.ev_class = any($1::oid[]) and r.rulename = '_RETURN'
    union
    select called.reader, d.refobjid
    from called
    join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = called.function
      and d.refclassid = 'pg_proc'::regclass
  )`;

/**
 * The functions that may read tables. An immutable one promises that it does not. A function in C or of an extension reads
 * none, unless it returns rows: `crosstab` and `dblink` run a query that they get as a text. If the server has parsed the
 * body of a function, its catalog says what the function reads. Versions before 14 do not have the column.
 */
export const functionsQuery = {
  row: z.object({ /** The view. */ reader: z.number(), schema: z.string(), name: z.string() }),
  text: `
    with recursive ${CALLED}
    select distinct called.reader, n.nspname::text as schema, p.proname::text as name
    from called
    join pg_proc p on p.oid = called.function
    join pg_namespace n on n.oid = p.pronamespace
    join pg_language l on l.oid = p.prolang
    where case
      when to_jsonb(p) ->> 'prosqlbody' is not null then exists (
        select from pg_depend d
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.refclassid = 'pg_class'::regclass
      )
      when p.provolatile = 'i' then false
      when p.proretset then true
      else l.lanname not in ('internal', 'c') and not exists (
        select from pg_depend d
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.refclassid = 'pg_extension'::regclass
          and d.deptype = 'e'
      )
    end
    order by called.reader, schema, name`,
} satisfies Query;
export type FunctionRow = z.infer<typeof functionsQuery.row>;

/** Why a view may read more than its SQL names; "" if it does not. */
export function describeCalls([first, ...others]: readonly FunctionRow[]): string {
  if (first === undefined) return "";
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `its SQL calls ${first.schema}.${first.name}${more}, and which tables and columns a function reads is not known`;
}

const NAME = `("[^"]+"|[[:alpha:]_][[:alnum:]_$]*)`;
const DOT = "[[:space:]]*[.][[:space:]]*";

function nameIn(place: 1 | 2): string {
  return `case when m.names[${place}] like '"%' then btrim(m.names[${place}], '"') else lower(m.names[${place}]) end`;
}

/**
 * The sources of a view or materialised view are what its rule depends on, and what the functions read that the rule calls. If
 * the server has not parsed the body of one, that is what the body, a text in any language, names with its schema: a name without
 * one depends on who calls it. Many views call one function, so its body is looked at once. A partition stands for its table. The
 * sources of a table are the tables that inherit from it, because a query of the parent reads the children too.
 */
export const sourcesQuery = {
  row: z.object({
    /** The relation that gets the rows. */
    reader: z.number(),
    oid: z.number(),
    schema: z.string(),
    name: z.string(),
    /** The number of a column that is read; 0 for the relation as a whole. */
    column: z.number(),
    /** Whether only a function reads it that the reader calls: the SQL of the reader does not name it. */
    isCalled: z.boolean(),
  }),
  text: `
    with recursive ${CALLED},
    bodies as materialized (
      select oid, prosrc from pg_proc where oid in (select function from called) and prolang not in (
        select l.oid from pg_language l where l.lanname in ('internal', 'c')
      )
    ),
    named as materialized (
      select distinct b.oid as function, f.oid
      from bodies b
      cross join lateral regexp_matches(b.prosrc, '${NAME}${DOT}${NAME}', 'g') as m (names)
      join pg_namespace s on s.nspname = ${nameIn(1)}
      join pg_class f on f.relnamespace = s.oid and f.relname = ${nameIn(2)}
    ),
    read as (
      select r.ev_class as reader, d.refobjid as oid, d.refobjsubid as number, false as is_called
      from pg_rewrite r
      join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
        and d.refclassid = 'pg_class'::regclass and d.refobjid <> r.ev_class
      where r.ev_class = any($1::oid[]) and r.rulename = '_RETURN'
      union
      select called.reader, d.refobjid, 0, true
      from called
      join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = called.function
        and d.refclassid = 'pg_class'::regclass
      union
      select called.reader, named.oid, 0, true from called join named on named.function = called.function
      union
      select i.inhparent, i.inhrelid, 0, false from pg_inherits i where i.inhparent = any($1::oid[])
    )
    select read.reader, s.oid, n.nspname::text as schema, s.relname::text as name,
      case when s.oid = c.oid then read.number else 0 end as column, bool_and(read.is_called) as "isCalled"
    from read
    join pg_class c on c.oid = read.oid
    join pg_class s on s.oid = case when c.relispartition then pg_partition_root(c.oid) else c.oid end
    join pg_namespace n on n.oid = s.relnamespace
    where s.relkind in ('r', 'p', 'v', 'm', 'f') and s.oid <> read.reader
    group by 1, 2, 3, 4, 5
    order by read.reader, s.oid, "column"`,
} satisfies Query;
export type SourceRow = z.infer<typeof sourcesQuery.row>;
