/** The parts of an asset's SQL that name columns. The SQL is read again to find them. */
import type { CatalogNode } from "../catalog/asset.ts";
import { isDataset } from "../catalog/node-types.ts";
import { fold } from "../catalog/text.ts";
import { type LineageAnswer, MAX_REFERENCES, type Relation } from "../sql-lineage/request.ts";
import { builder, listOf, objectType, typed, typedOrNull } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";
import { takeNestedUnit } from "./loaders.ts";
import { neighboursOf } from "./neighbours.ts";
import { AssetObject, columnsOf } from "./refs.ts";

/** So a query can have two pages of fifty. Each SQL that is read also counts as a request against the rate limit. */
const READING_COST = 1_500;
/** The assumed length of lists in a query's cost. */
const ASSUMED_COLUMNS = 20;
const ASSUMED_RANGES = 3;
/** How many tables and models of a statement are looked at. Hardly any statement reads more. */
const MAX_RELATIONS = 200;
/** The prefix of the CTE by which dbt puts an ephemeral model into the SQL of its readers. */
const EPHEMERAL_CTE = "__dbt__cte__";

interface TextRange {
  start: number;
  end: number;
}

interface UsedColumn {
  column: CatalogNode;
  ranges: TextRange[];
}

interface SqlUses {
  columns: UsedColumn[];
  reason: string | null;
}

const TextRangeType = objectType<TextRange>(
  "TextRange",
  "A part of a text, in UTF-16 code units, as JavaScript counts them.",
).with({
  start: typed("Int", "Where it begins, from 0."),
  end: typed("Int", "Where it ends. The character at this place is not part of it."),
});

const UsedColumnType = objectType<UsedColumn>("SqlColumnUse", "A column that an asset's SQL names, and where.").with({
  column: typed(AssetObject, "The column."),
  ranges: listOf(
    TextRangeType,
    "The places in `sql` that have its name, or the name of an unchanged copy of it, in order.",
    ASSUMED_RANGES,
  ),
});

const SqlUsesType = objectType<SqlUses>(
  "SqlUses",
  "Where an asset's SQL names the columns of the tables and models that it reads.",
).with({
  columns: listOf(UsedColumnType, "The columns, in the order in which the SQL names them first.", ASSUMED_COLUMNS),
  reason: typedOrNull("String", "Why places may be missing; null if all of the SQL was read."),
});

builder.objectField(AssetObject, "sqlUses", (t) =>
  t.field({
    type: SqlUsesType,
    nullable: true,
    description:
      "The places in `sql` that name columns, to highlight them. The SQL is read again for this, which counts as one request " +
      "against the rate limit. Null if there is no SQL.",
    complexity: READING_COST,
    resolve: (asset, _args, context) => (asset.sql === null ? null : readUses(asset, asset.sql, context)),
  }),
);

async function readUses(asset: CatalogNode, sql: string, context: GraphqlContext): Promise<SqlUses> {
  const { budget, caller, oneByOne, services } = context;
  await takeNestedUnit(context);
  const query = { id: asset.id, direction: "upstream", level: "asset", first: MAX_RELATIONS, after: null } as const;
  const { items, hasMore } = await neighboursOf(context).load(query);
  const sources = items.map(({ node }) => node).filter(({ type }) => isDataset(type));
  const columns = await Promise.all(sources.map(({ id }) => columnsOf(context).load(id)));
  const relations = sources.map((source, i) => toRelation(source, columns[i] ?? []));
  const request = { sql, dialect: asset.platform, relations, references: true };
  const answer = await oneByOne(() => services.sqlLineage.resolve(request, caller));
  const uses = toUses(answer, columns);
  budget.draw(
    "rows",
    uses.columns.reduce((sum, { ranges }) => sum + 1 + ranges.length, 0),
  );
  const cut = hasMore ? `it reads more than ${MAX_RELATIONS} tables and models` : null;
  return { ...uses, reason: uses.reason ?? cut };
}

function toRelation(
  { fqn, name, materialization, columnLineage }: CatalogNode,
  columns: readonly CatalogNode[],
): Relation {
  const [table = "", schema = "", database = ""] = fqn.split(".").toReversed();
  return {
    database,
    schema,
    name: table,
    columns: columns.map((column) => column.name),
    completeness: columnLineage?.status === "known" ? "all" : "some",
    inlinedAs: materialization === "ephemeral" ? `${EPHEMERAL_CTE}${name}` : "",
  };
}

/** @param columns the columns of each relation, in the order of the request */
function toUses(answer: LineageAnswer, columns: readonly CatalogNode[][]): SqlUses {
  if ("unresolved" in answer) return { columns: [], reason: answer.unresolved };
  const { references, unresolvedUse } = answer;
  if (references == null) return { columns: [], reason: "the SQL could only be read after it was rewritten" };
  const named = columns.map((all) => new Map(all.map((column) => [fold(column.name), column])));
  const uses = new Map<string, UsedColumn>();
  let unknown = references.length < MAX_REFERENCES ? null : `the SQL names columns in ${MAX_REFERENCES} places or more`;
  for (const { relation, column, start, end } of references) {
    const node = named[relation]?.get(fold(column));
    if (node === undefined) {
      unknown ??= `the column ${column} is not in the catalog`;
      continue;
    }
    const use = uses.get(node.id) ?? { column: node, ranges: [] };
    use.ranges.push({ start, end });
    uses.set(node.id, use);
  }
  return { columns: [...uses.values()], reason: unresolvedUse ?? unknown };
}
