/** What a question says that the catalog can be filtered by: owners, tags, connectors and parts of the warehouse. */
import { splitIdentifier } from "../../catalog/search.ts";
import { readingsOf } from "../understand/match.ts";
import type { Token } from "../understand/tokens.ts";
import type { Candidates } from "./candidates.ts";
import type { Mention } from "./mentions.ts";
import { findConnectors, findOwners, findTags, type ValueMention } from "./people.ts";
import { findPlaces } from "./places.ts";
import { speaksOf } from "./topics.ts";

/** Owners by their whole names first, then tags and connectors; then owners of whom a part is said. */
export async function readValues(
  tokens: readonly Token[],
  candidates: Candidates,
  known: { tags: readonly string[]; owners: readonly string[]; runs: Parameters<typeof findConnectors>[1] },
  nextTurn: () => Promise<void>,
): Promise<ValueMention[]> {
  const named = new Set(candidates.nodes.flatMap(({ name }) => splitIdentifier(name)));
  const owners = await findOwners(tokens, known.owners, nextTurn);
  const found = [
    ...owners.filter(({ whole }) => whole),
    ...findTags(tokens, known.tags, named),
    ...findConnectors(tokens, known.runs),
    ...findPlaces(tokens, candidates),
    ...owners.filter(({ whole }) => !whole),
  ];
  return found.filter((value, i) => found.slice(0, i).every(({ from, to }) => value.to <= from || value.from >= to));
}

/** Whether a tag stands right before the name of what carries it, or is told by it, as in "the monthly costs". */
export function isPartOfName({ kind, to, value }: ValueMention, named: readonly Mention[]): boolean {
  return (
    kind === "tag" &&
    named.some(({ from, node }) => from === to && (node.tags.includes(value) || speaksOf(readingsOf(value), node)))
  );
}
