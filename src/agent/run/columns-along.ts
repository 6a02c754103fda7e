/** Columns along something that is no column: along its own columns, or those that a metric is computed from. */
import type { Thing } from "../catalog.ts";
import { CannotTell, type Lookup } from "../lookup.ts";
import { idsOf, isColumn } from "./conditions.ts";
import type { Found, Narrowed } from "./found.ts";

/** Columns from each of which lineage is walked. */
const MAX_COLUMNS = 200;
const NO_COLUMNS =
  "The catalog knows which columns feed a column or a metric. Of what else uses them it knows the tables.";
interface Walk {
  way: "upstream" | "downstream";
  depth: number | undefined;
}

export async function columnsAlong(
  { things, isExact, isComplete }: Found,
  { way, depth }: Walk,
  lookup: Lookup,
): Promise<Narrowed> {
  const isKnown = ({ type }: Thing): boolean =>
    type === "table" || type === "model" || (type === "metric" && way === "upstream");
  if (!things.every((thing) => isKnown(thing) || isColumn(thing.type))) throw new CannotTell(NO_COLUMNS);
  const metrics = things.filter(({ type }) => type === "metric");
  const read = (await Promise.all(metrics.map(({ id }) => lookup.sourceColumns(id)))).flat();
  const holders = things.filter(({ type }) => type === "table" || type === "model");
  const own = idsOf(await lookup.columns(holders.map(({ id }) => id)));
  for (const { id, type } of things) if (isColumn(type)) own.add(id);
  const roots = [...own, ...read].slice(0, MAX_COLUMNS);
  const walks = await Promise.all(roots.map((id) => lookup.walk(id, way, depth)));
  const reached = walks.flatMap(({ nodes }) => nodes.filter(({ type }) => isColumn(type)).map(({ id }) => id));
  return {
    ids: new Set([...read, ...reached]),
    isExact: isExact && own.size + read.length <= MAX_COLUMNS && walks.every(({ isCut }) => !isCut),
    isComplete: isComplete && walks.every((walk) => walk.isComplete),
  };
}
