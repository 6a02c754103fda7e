/** Reads relations and their columns. */
import { z } from "zod";

import { MAX_TEXT_CHARACTERS } from "../../catalog/limits.ts";
import type { Query } from "./session.ts";

/** A text may be a little longer than what is kept, so that its cut is noticed and reported. */
const MAX_READ = MAX_TEXT_CHARACTERS + 1;

/** Of the options, only those that name a relation of another PostgreSQL are read. Others may contain secrets. */
export const relationsQuery = {
  row: z.object({
    oid: z.number(),
    schema: z.string(),
    name: z.string(),
    /** `pg_class.relkind`. */
    kind: z.enum(["r", "p", "v", "m", "f"]),
    /** The planner's estimate; below 0 if it has none. */
    rows: z.number(),
    owner: z.string(),
    comment: z.string(),
    /** Such as `RANGE (ordered_at)`; "" if the table is not partitioned. */
    partitionKey: z.string(),
    partitions: z.number(),
    /** Only for a foreign table: its server, the server's wrapper, and the options of both, each as `name=value`. */
    server: z.string(),
    wrapper: z.string(),
    tableOptions: z.array(z.string()),
    serverOptions: z.array(z.string()),
  }),
  text: `
    select c.oid, n.nspname::text as schema, c.relname::text as name, c.relkind::text as kind, c.reltuples as rows,
      pg_get_userbyid(c.relowner)::text as owner, coalesce(left(d.description, ${MAX_READ}), '') as comment,
      case c.relkind when 'p' then coalesce(pg_get_partkeydef(c.oid), '') else '' end as "partitionKey",
      case c.relkind when 'p' then (select count(*)::int from pg_inherits i where i.inhparent = c.oid) else 0 end as partitions,
      coalesce(s.srvname::text, '') as server, coalesce(w.fdwname::text, '') as wrapper,
      case w.fdwname when 'postgres_fdw' then coalesce(t.ftoptions, '{}') else '{}' end as "tableOptions",
      case w.fdwname when 'postgres_fdw' then coalesce(s.srvoptions, '{}') else '{}' end as "serverOptions"
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    left join pg_description d on d.objoid = c.oid and d.classoid = 'pg_class'::regclass and d.objsubid = 0
    left join pg_foreign_table t on t.ftrelid = c.oid
    left join pg_foreign_server s on s.oid = t.ftserver
    left join pg_foreign_data_wrapper w on w.oid = s.srvfdw
    where c.oid = any($1::oid[])
    order by c.oid`,
} satisfies Query;
export type RelationRow = z.infer<typeof relationsQuery.row>;

export const columnsQuery = {
  row: z.object({
    relation: z.number(),
    number: z.number(),
    name: z.string(),
    type: z.string(),
    required: z.boolean(),
    comment: z.string(),
    /** Only for a foreign table: the name of the column that it shows, if an option has it; else "". */
    remoteName: z.string(),
    /** Only for a generated column: the columns that its expression uses, all of the same relation; else null. */
    generatedFrom: z.array(z.string()).nullable(),
  }),
  text: `
    select a.attrelid as relation, a.attnum as number, a.attname::text as name,
      format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as required,
      coalesce(left(d.description, ${MAX_READ}), '') as comment,
      coalesce((select substr(o, 13) from unnest(a.attfdwoptions) o where o like 'column\\_name=%'), '') as "remoteName",
      case when a.attgenerated <> '' then array(
        select u.attname::text
        from pg_depend n
        join pg_attribute u on u.attrelid = a.attrelid and u.attnum = n.refobjsubid
        -- Version 15 and later note it at the expression, the others at the column.
        where n.refclassid = 'pg_class'::regclass and n.refobjid = a.attrelid and u.attnum not in (0, a.attnum) and (
          n.classid = 'pg_class'::regclass and n.objid = a.attrelid and n.objsubid = a.attnum
          or n.classid = 'pg_attrdef'::regclass
            and n.objid = (select e.oid from pg_attrdef e where e.adrelid = a.attrelid and e.adnum = a.attnum)
        )
        order by u.attnum
      ) end as "generatedFrom"
    from pg_attribute a
    left join pg_description d on d.objoid = a.attrelid and d.classoid = 'pg_class'::regclass and d.objsubid = a.attnum
    where a.attrelid = any($1::oid[]) and a.attnum > 0 and not a.attisdropped
    order by a.attrelid, a.attnum`,
} satisfies Query;
export type ColumnRow = z.infer<typeof columnsQuery.row>;
