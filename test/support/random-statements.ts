/** Random statements of CTEs over two tables, with the columns that each one names. */
import fc from "fast-check";

import type { Relation } from "../../src/sql-lineage/request.ts";
import { relationOf } from "./sql-relation.ts";

const TABLES = [relationOf("a", ["a1", "a2", "a3"]), relationOf("b", ["b1", "b2", "b3"])] as const;

/** A number that chooses among the available items, modulo their number. */
const choice = fc.nat({ max: 11 });
const step = fc.record({
  source: choice,
  star: fc.boolean(),
  copies: fc.array(choice, { maxLength: 3 }),
  sums: fc.array(choice, { maxLength: 2 }),
  filter: fc.option(choice),
  order: fc.option(choice),
  exists: fc.option(fc.record({ source: choice, selected: choice, inner: choice, outer: choice })),
  join: fc.option(fc.record({ table: choice, key: choice, on: choice, column: choice })),
});

export interface RandomStatement {
  sql: string;
  relations: Relation[];
  /** As `a.a1`, sorted. */
  named: string[];
}

/** A table or CTE. Its columns by name, each with the column of a table that it copies, or null. */
interface Source {
  name: string;
  columns: ReadonlyMap<string, string | null>;
}

export const randomStatements: fc.Arbitrary<RandomStatement> = fc
  .array(step, { minLength: 1, maxLength: 5 })
  .map(write);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function pick<T>(items: readonly T[], number: number): T {
  const item = items[number % items.length];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

function write(steps: readonly Step[]): RandomStatement {
  const sources = TABLES.map(({ name, columns }): Source => {
    return { name, columns: new Map(columns.map((column) => [column, `${name}.${column}`])) };
  });
  const named = new Set<string>();
  const name = (source: Source, number: number, alias = source.name): string => {
    const [column, origin] = pick([...source.columns], number);
    if (origin !== null) named.add(origin);
    return `${alias}.${column}`;
  };
  const ctes = steps.map((each, i) => {
    const source = pick(sources, each.source);
    const columns = new Map<string, string | null>(each.star ? source.columns : []);
    const items = each.star ? [`${source.name}.*`] : [];
    const add = (expression: string, alias: string, origin: string | null): void => {
      items.push(`${expression} as ${alias}`);
      columns.set(alias, origin);
    };
    for (const [j, number] of each.copies.entries()) {
      const [, origin] = pick([...source.columns], number);
      add(name(source, number), `copy_${i}_${j}`, origin);
    }
    for (const [j, number] of each.sums.entries()) add(`${name(source, number)} + 1`, `sum_${i}_${j}`, null);
    let join = "";
    if (each.join !== null) {
      const table = pick(sources.slice(0, 2), each.join.table);
      const [, origin] = pick([...table.columns], each.join.column);
      add(name(table, each.join.column, "j"), `joined_${i}`, origin);
      join = ` join ${table.name} as j on ${name(table, each.join.key, "j")} = ${name(source, each.join.on)}`;
    }
    const filters = each.filter === null ? [] : [`${name(source, each.filter)} > 0`];
    if (each.exists !== null) {
      const { source: number, selected, inner, outer } = each.exists;
      const other = pick(sources, number);
      const condition = `${name(other, inner, "e")} = ${name(source, outer)}`;
      filters.push(`exists (select ${name(other, selected, "e")} from ${other.name} as e where ${condition})`);
    }
    const where = filters.length === 0 ? "" : ` where ${filters.join(" and ")}`;
    const order = each.order === null ? "" : ` order by abs(${name(source, each.order)})`;
    if (items.length === 0) add("1", `one_${i}`, null);
    const cte: Source = { name: `c${i}`, columns };
    sources.push(cte);
    return `${cte.name} as (select ${items.join(", ")} from ${source.name}${join}${where}${order})`;
  });
  const sql = `with ${ctes.join(",\n")}\nselect * from ${pick(sources, sources.length - 1).name}`;
  return { sql, relations: [...TABLES], named: [...named].toSorted() };
}
