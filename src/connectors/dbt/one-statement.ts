/** Puts together what several dbt resources say of one relation, such as a seed that the project reads as a source too. */
import type { AssetStatement, ColumnStatement } from "../../catalog/statement.ts";
import { compareCodePoints, fold } from "../../catalog/text.ts";

/** What builds a relation knows it best. */
const BY_PRECEDENCE = ["model", "snapshot", "seed", "source"];

/** The resource type in a unique id: `seed` of `seed.shop.orders`. */
export function resourceType(uniqueId: string): string {
  return uniqueId.slice(0, uniqueId.indexOf("."));
}

/**
 * Joins all statements into one, whatever their order. A fact comes from the resource that builds the relation, else from the
 * others. Tags, resource types and metadata are those of all.
 * @param statements at least one, with their `sourceId`
 */
export function toOneStatement(statements: readonly AssetStatement[]): AssetStatement {
  const ordered = statements.toSorted((a, b) => rankOf(a) - rankOf(b) || compareCodePoints(idOf(a), idOf(b)));
  const [first] = ordered;
  if (first === undefined) throw new Error("nothing is stated");
  const facts = ordered.map((each) => each.facts);
  const {
    certification = null,
    certifiedBy = null,
    certifiedAt = null,
  } = facts.find((each) => each.certification) ?? {};
  const { owner = "", ownerName = "" } = facts.find((each) => each.owner || each.ownerName) ?? {};
  return {
    ...first,
    facts: {
      ...first.facts,
      description: facts.find(({ description }) => description)?.description ?? "",
      gap: facts.find(({ gap }) => gap)?.gap ?? "",
      tags: unique(facts.flatMap(({ tags = [] }) => tags)),
      resourceTypes: unique(facts.flatMap(({ resourceTypes = [] }) => resourceTypes)),
      certification,
      certifiedBy,
      certifiedAt,
      owner,
      ownerName,
      meta: Object.assign({}, ...facts.toReversed().map(({ meta }) => meta)) as Record<string, unknown>,
    },
    ...toOneList(ordered),
  };
}

function idOf({ facts }: AssetStatement): string {
  return facts.sourceId ?? "";
}

function rankOf(statement: AssetStatement): number {
  return BY_PRECEDENCE.indexOf(resourceType(idOf(statement)));
}

/** The columns that the warehouse has, if any statement knows them, each with what all say of it; else all documented. */
function toOneList(ordered: readonly AssetStatement[]) {
  const seen = ordered.find(({ columnsSeen }) => columnsSeen);
  const all = ordered.flatMap(({ columns, columnsUnseen = [] }) => [...columns, ...columnsUnseen]);
  const byName = Map.groupBy(all, ({ name }) => fold(name));
  const whole = (columns: readonly ColumnStatement[]): ColumnStatement[] =>
    columns.map((column) => toOneColumn(column, byName.get(fold(column.name)) ?? []));
  const firsts = [...byName.values()].flatMap(([column]) => column ?? []);
  if (seen === undefined) return { columns: whole(firsts), columnsSeen: false, columnsUnseen: [] };
  const listed = new Set(seen.columns.map(({ name }) => fold(name)));
  return {
    columns: whole(seen.columns),
    columnsSeen: true,
    columnsUnseen: whole(firsts.filter(({ name }) => !listed.has(fold(name)))),
  };
}

function toOneColumn(column: ColumnStatement, said: readonly ColumnStatement[]): ColumnStatement {
  const alikeNames = unique(said.flatMap((each) => each.alikeNames ?? []));
  const documentedTypes = said.flatMap(({ documentedType }) => documentedType ?? []);
  return {
    name: column.name,
    dataType: column.dataType || (said.find(({ dataType }) => dataType)?.dataType ?? ""),
    description: column.description || (said.find(({ description }) => description)?.description ?? ""),
    tags: unique(said.flatMap(({ tags }) => tags)),
    ...(documentedTypes.length > 0 && { documentedType: documentedTypes.find((type) => type !== "") ?? "" }),
    ...(alikeNames.length > 0 && { alikeNames }),
  };
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
