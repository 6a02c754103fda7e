/**
 * Which columns are left out because of their names. This is known before any relation is stated, because views may read
 * them.
 */
import { z } from "zod";

import { pickSpelling } from "../../catalog/spelling.ts";
import { fold, isStorableName } from "../../catalog/text.ts";
import type { Query, Session } from "./session.ts";

export interface LeftOutColumn {
  /** `pg_attribute.attnum`. */
  number: number;
  name: string;
  /** Another column has this name in another case, or it contains characters that cannot be stored. */
  code: "alike_name" | "invalid_name";
  /** The number of the column of this name that is kept; null if there is none. */
  kept: number | null;
}

/** How many relations are looked at in one query. */
const BATCH = 500;

/**
 * The columns of relations with a name that may be left out: names in ASCII that differ only in case, and all others. In
 * the collation C, the server knows the case of ASCII only, whatever its locale.
 */
const suspectsQuery = {
  row: z.object({ relation: z.number(), number: z.number(), name: z.string() }),
  text: `
    select a.attrelid as relation, a.attnum as number, a.attname::text as name
    from pg_attribute a
    where a.attnum > 0 and not a.attisdropped and a.attrelid in (
      select s.attrelid
      from pg_attribute s
      where s.attrelid = any($1::oid[]) and s.attnum > 0 and not s.attisdropped
      group by s.attrelid
      having count(distinct lower(s.attname::text collate "C")) < count(*)
        or bool_or(s.attname::text collate "C" !~ '^[ -~]*$')
    )
    order by a.attrelid, a.attnum`,
} satisfies Query;
type ColumnName = z.infer<typeof suspectsQuery.row>;

/** @returns by the oid of their relation */
export async function findLeftOutColumns(
  session: Session,
  relations: readonly number[],
): Promise<Map<number, LeftOutColumn[]>> {
  const found = new Map<number, LeftOutColumn[]>();
  for (let start = 0; start < relations.length; start += BATCH) {
    const suspects = await session.rows(suspectsQuery, [relations.slice(start, start + BATCH)]);
    for (const [oid, columns] of Map.groupBy(suspects, ({ relation }) => relation)) {
      const left = leaveOut(columns);
      if (left.length > 0) found.set(oid, left);
    }
  }
  return found;
}

/** Of names that differ only in case, only one keeps the id: the one that SQL without quotes means. */
function leaveOut(columns: readonly ColumnName[]): LeftOutColumn[] {
  const storable = columns.filter(({ name }) => isStorableName(name));
  const unstorable = columns.filter(({ name }) => !isStorableName(name));
  const alike = [...Map.groupBy(storable, ({ name }) => fold(name)).values()].flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined || others.length === 0) return [];
    const kept = pickSpelling("postgres", [first, ...others], ({ name }) => [name]);
    const left = group.filter((column) => column !== kept);
    return left.map(({ number, name }): LeftOutColumn => ({ number, name, code: "alike_name", kept: kept.number }));
  });
  const others = unstorable.map(({ number, name }): LeftOutColumn => {
    return { number, name, code: "invalid_name", kept: null };
  });
  return [...alike, ...others];
}
