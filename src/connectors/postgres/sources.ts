/** Reads which relations a view or a table with children gets its rows from. */
import { z } from "zod";

import { CALLED } from "./functions.ts";
import type { Query } from "./session.ts";

const sourceRow = z.object({
  /** The relation that gets the rows. */
  reader: z.number(),
  oid: z.number(),
  schema: z.string(),
  name: z.string(),
  /** The number of a column that is read; 0 for the relation as a whole. */
  column: z.number(),
});
export type SourceRow = z.infer<typeof sourceRow>;

/**
 * The sources of a view or materialised view are what its rule depends on, and what the functions depend on that the rule calls,
 * if the server has parsed their bodies. A partition stands for its table. The sources of a table are the tables that inherit
 * from it, because a query of the parent reads the children too.
 */
export const sourcesQuery: Query<SourceRow> = {
  text: `
    with recursive ${CALLED},
    read as (
      select r.ev_class as reader, d.refobjid as oid, d.refobjsubid as number
      from pg_rewrite r
      join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
        and d.refclassid = 'pg_class'::regclass and d.refobjid <> r.ev_class
      where r.ev_class = any($1::oid[]) and r.rulename = '_RETURN'
      union
      select called.reader, d.refobjid, 0
      from called
      join pg_depend d on d.classid = 'pg_proc'::regclass and d.objid = called.function
        and d.refclassid = 'pg_class'::regclass
      union
      select i.inhparent, i.inhrelid, 0 from pg_inherits i where i.inhparent = any($1::oid[])
    )
    select distinct read.reader, s.oid, n.nspname::text as schema, s.relname::text as name,
      case when s.oid = c.oid then read.number else 0 end as column
    from read
    join pg_class c on c.oid = read.oid
    join pg_class s on s.oid = case when c.relispartition then pg_partition_root(c.oid) else c.oid end
    join pg_namespace n on n.oid = s.relnamespace
    where s.relkind in ('r', 'p', 'v', 'm', 'f') and s.oid <> read.reader
    order by read.reader, s.oid, "column"`,
  row: sourceRow,
};
