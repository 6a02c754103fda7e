/** Finds what recipes name instead of its urn: domains and terms. */
import { type AspectRow, keepLatest } from "../../catalog/aspect.ts";
import { fold } from "../../catalog/text.ts";
import { toEntities } from "./entity.ts";
import { lastPart } from "./urn.ts";

/** The kinds of entities that can be found by their names. */
export const NAMED: ReadonlySet<string> = new Set(["domain", "glossaryTerm"]);

/**
 * Yields while it reads long values.
 * @param rows what all recipes said about the entities of one kind
 * @returns urns, first the one whose id is the name
 */
export function* findNamed(rows: readonly AspectRow[], name: string): Generator<void, string[]> {
  const latest = new Map<string, AspectRow>();
  for (const row of rows) keepLatest(latest, row);
  const [byId, byName]: [string[], string[]] = [[], []];
  for (const entity of toEntities([...latest.values()])) {
    yield;
    if (entity === null || entity.aspects.status?.removed === true) continue;
    const { domainProperties: domain, glossaryTermInfo: term } = entity.aspects;
    if (lastPart(entity.urn) === name) byId.push(entity.urn);
    else if (fold(domain?.name ?? term?.name ?? "") === fold(name)) byName.push(entity.urn);
  }
  return [...byId, ...byName];
}
