/** Reads constraints. Each becomes a check, so that an impact shows which of them a change would break. */
import { z } from "zod";

import type { CheckStatement } from "../../catalog/check.ts";
import type { NodeRef } from "../../catalog/identity.ts";
import { PLAIN_CHECK } from "../connector.ts";
import type { Query } from "./session.ts";

/** Those of partitions repeat those of their parents. */
export const constraintsQuery = {
  row: z.object({
    relation: z.number(),
    name: z.string(),
    kind: z.enum(["p", "u", "f", "c"]),
    /** Whether all rows are known to obey it. */
    validated: z.boolean(),
    columns: z.array(z.string()),
    /** Only for a foreign key: the table that it refers to, or the one of which that is a partition. */
    target: z.number().nullable(),
    targetSchema: z.string(),
    targetName: z.string(),
    targetColumns: z.array(z.string()),
  }),
  text: `
    select k.conrelid as relation, k.conname::text as name, k.contype::text as kind, k.convalidated as validated,
      array(
        select a.attname::text from unnest(k.conkey) with ordinality as c(number, place)
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.number order by c.place
      ) as columns,
      t.oid as target, coalesce(n.nspname::text, '') as "targetSchema", coalesce(t.relname::text, '') as "targetName",
      array(
        select a.attname::text from unnest(k.confkey) with ordinality as c(number, place)
        join pg_attribute a on a.attrelid = k.confrelid and a.attnum = c.number order by c.place
      ) as "targetColumns"
    from pg_constraint k
    left join pg_class f on f.oid = k.confrelid
    left join pg_class t on t.oid = case when f.relispartition then pg_partition_root(f.oid) else f.oid end
    left join pg_namespace n on n.oid = t.relnamespace
    where k.conrelid = any($1::oid[]) and k.conparentid = 0 and k.contype in ('p', 'u', 'f', 'c')
    order by k.conrelid, k.conname`,
} satisfies Query;
export type ConstraintRow = z.infer<typeof constraintsQuery.row>;

const TESTS = { p: "primary_key", u: "unique", f: "relationships", c: "check" } as const;

/**
 * A constraint as a check. It passes as long as the database enforces it.
 * @param target the table that a foreign key refers to; null if it is not read
 */
export function toCheck(
  { name, kind, validated, columns, targetColumns }: ConstraintRow,
  own: NodeRef,
  target: NodeRef | null,
): CheckStatement {
  const assets = target === null ? [own] : [own, target];
  const named = columns.map((column) => ({ asset: own, name: quoted(column), type: "" }));
  const referred =
    target === null ? [] : targetColumns.map((column) => ({ asset: target, name: quoted(column), type: "" }));
  return {
    ...PLAIN_CHECK,
    object: [...own.parts, name].join("."),
    name,
    kind: "generic",
    test: TESTS[kind],
    result: validated ? { status: "pass", message: "PostgreSQL enforces it.", failures: null, ranAt: null } : null,
    assets,
    columns: [...named, ...referred],
  };
}

/** In quotes, so that a name with spaces is not read as an expression. */
function quoted(column: string): string {
  return column.includes('"') ? column : `"${column}"`;
}
