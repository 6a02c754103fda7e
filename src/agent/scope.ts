/** What the caller's context leaves of the catalog to ask about. */
import { fold } from "../catalog/text.ts";
import { notFound } from "../errors.ts";
import type { AgentContext } from "./answer.ts";
import type { Thing } from "./catalog.ts";
import type { Lookup } from "./lookup.ts";

/** @throws AppError `not_found` for an id that is no asset's or metric's of this workspace, naming it */
export async function openScope({ assetIds, tags, workspaceArea }: AgentContext, lookup: Lookup) {
  const ids = [...new Set(assetIds)];
  const things = await lookup.load(ids);
  const unknown = ids.find((id) => things.every((thing) => thing.id !== id));
  if (unknown !== undefined) throw notFound("asset", unknown);
  const around = await findAround(things, lookup);
  const area = workspaceArea === null ? null : fold(workspaceArea.trim());
  const allows = (thing: Thing): boolean =>
    (ids.length === 0 || around.has(thing.id) || (thing.parentId !== null && around.has(thing.parentId))) &&
    (tags.length === 0 || tags.some((tag) => thing.tags.includes(tag))) &&
    (area === null || liesIn(area, thing));
  return {
    /** Ids of the assets that the context names: what "this" and "it" mean. */
    ids,
    /** Whether the context lets a question be about this one; null if it leaves nothing out. */
    allows: ids.length > 0 || tags.length > 0 || area !== null ? allows : null,
  };
}

function liesIn(area: string, { fqn, connectors }: Thing): boolean {
  const name = fold(fqn);
  return name === area || name.startsWith(`${area}.`) || connectors.some((each) => fold(each) === area);
}

/** The assets, the tables of those that are columns, and all that lineage connects with them. */
async function findAround(things: readonly Thing[], lookup: Lookup): Promise<ReadonlySet<string>> {
  const walks = await Promise.all(
    things.flatMap(({ id }) => [lookup.walk(id, "upstream"), lookup.walk(id, "downstream")]),
  );
  const own = things.flatMap(({ id, parentId }) => (parentId === null ? [id] : [id, parentId]));
  return new Set([...own, ...walks.flatMap(({ nodes }) => nodes.map(({ id }) => id))]);
}
