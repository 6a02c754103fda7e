/** What dbt makes of a snapshot's SQL: a row for each version of a row, with columns that tell the version. */
import { type AssetStatement, OWN_SQL } from "../../catalog/statement.ts";
import type { Relation } from "./shapes.ts";

/**
 * The columns that dbt adds, and the statement that they come from. It stands for the statements of dbt, which compare the
 * rows with those of the snapshot's own table:
 * https://docs.getdbt.com/docs/build/snapshots
 * https://docs.getdbt.com/reference/resource-configs/snapshot_meta_column_names
 */
export function stateSnapshot({ config }: Relation): Pick<AssetStatement, "columnsAdded" | "runsAs" | "readsMore"> {
  const { snapshot_meta_column_names: names, hard_deletes: deletes, unique_key: keys, strategy } = config;
  const nameOf = (column: string): string => names[column] ?? column;
  const begins = beginningOf(config);
  const added = {
    dbt_scd_id: `md5(concat(${[...keys, begins].join(", ")}))`,
    dbt_updated_at: begins,
    dbt_valid_from: begins,
    dbt_valid_to: `lead(${begins}) over (${partitionBy(keys)} order by ${begins})`,
    ...(deletes === "new_record" && { dbt_is_deleted: "'False'" }),
  };
  const columnsAdded = Object.keys(added).map((column) => unquote(nameOf(column)));
  if (begins === null) return { columnsAdded, readsMore: `dbt's snapshot strategy "${strategy}" is not known` };
  const select = Object.entries(added).map(([name, value]) => `${value} as ${nameOf(name)}`);
  return { columnsAdded, runsAs: `select *, ${select.join(", ")} from ${OWN_SQL}` };
}

/** When a version begins. Null if the strategy does not tell. */
function beginningOf({ strategy, updated_at: updatedAt, check_cols: checked, unique_key: keys }: Relation["config"]) {
  if (strategy === "timestamp") return updatedAt || null;
  if (strategy !== "check" || checked.length === 0) return null;
  // `all` compares whole rows.
  const compared = checked.length === 1 && checked[0] === "all" ? [OWN_SQL] : checked;
  const changed = compared.map((column) => `${column} <> lag(${column}) over (${partitionBy(keys)})`);
  return `case when ${changed.join(" or ")} then ${updatedAt || "current_timestamp"} end`;
}

/** The name of a column without the quotes that it has in SQL. */
function unquote(name: string): string {
  const [, double, backtick, bracket] = /^(?:"(.+)"|`(.+)`|\[(.+)\])$/.exec(name) ?? [];
  return double?.replaceAll('""', '"') ?? backtick ?? bracket ?? name;
}

function partitionBy(keys: readonly string[]): string {
  return keys.length === 0 ? "" : `partition by ${keys.join(", ")}`;
}
