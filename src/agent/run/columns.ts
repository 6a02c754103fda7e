/** The columns from which metrics are computed. */
import type { Thing } from "../catalog.ts";
import { CannotTell, type Lookup } from "../lookup.ts";
import { isColumn } from "./conditions.ts";

const NO_COLUMNS =
  "The catalog knows which columns feed a column or a metric. Of what else uses them it knows the tables.";

/** The columns from which the metrics among the things are computed. */
export async function loadRead(things: readonly Thing[], way: string, lookup: Lookup): Promise<Thing[]> {
  const others = things.filter(({ type }) => type !== "table" && type !== "model" && !isColumn(type));
  if (others.some(({ type }) => type !== "metric" || way !== "upstream")) throw new CannotTell(NO_COLUMNS);
  const ids = await Promise.all(others.map(({ id }) => lookup.sourceColumns(id)));
  return lookup.load(ids.flat());
}
