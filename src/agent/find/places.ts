/** Which words of a question name a part of the warehouse: "how many tables do we pull from Stripe". */
import type { CatalogNode } from "../../catalog/asset.ts";
import { splitIdentifier } from "../../catalog/search.ts";
import type { Token } from "../understand/tokens.ts";
import { typesOf } from "../understand/vocabulary.ts";
import type { ValueMention } from "./people.ts";

const BEFORE_PLACE = /^(?:from|in|of|under|via|through|by)$/;
const ARTICLE = /^(?:the|our|a|schema|area|layer|folder)$/;

/**
 * Words behind "tables from" and the like that the name of one schema has, and no asset's own name as a whole. The value
 * is how the fqns of all in it begin.
 */
export function findPlaces(
  tokens: readonly Token[],
  { nodes, places }: { nodes: readonly CatalogNode[]; places: readonly string[] },
): ValueMention[] {
  const names = new Set(nodes.map(({ name }) => name.toLowerCase()));
  return placeTokens(tokens).flatMap((i) => {
    const words = tokens[i]?.words ?? [];
    const found = places.filter((place) => {
      const schema = splitIdentifier(place.split(".").at(-2) ?? "");
      return words.every((word) => schema.includes(word));
    });
    const [value] = found;
    if (value === undefined || found.length > 1 || names.has(tokens[i]?.word ?? "")) return [];
    return [{ kind: "place" as const, whole: true, from: i, to: i + 1, value }];
  });
}

/** Whether a part of the warehouse may be named. */
export function mayNamePlace(tokens: readonly Token[]): boolean {
  return placeTokens(tokens).length > 0;
}

/** Where such a name may stand: behind a type that is asked for, and a word such as "from". */
function placeTokens(tokens: readonly Token[]): number[] {
  const asks = tokens.findIndex(({ word }) => word.endsWith("s") && typesOf(word) !== null);
  if (asks < 0) return [];
  return tokens.flatMap(({ words, word }, i) =>
    i > asks && words.length > 0 && !ARTICLE.test(word) && comesAfterPlace(tokens, i) ? [i] : [],
  );
}

function comesAfterPlace(tokens: readonly Token[], at: number): boolean {
  let before = at - 1;
  while (ARTICLE.test(tokens[before]?.word ?? "")) before--;
  return BEFORE_PLACE.test(tokens[before]?.word ?? "");
}

/** `shop.raw_stripe.` of the table `shop.raw_stripe.charges`, each once; nothing of what is in no schema. */
export function placesOf(nodes: readonly CatalogNode[]): string[] {
  const places = nodes.flatMap(({ fqn, name }) => (fqn.endsWith(`.${name}`) ? [fqn.slice(0, -name.length)] : []));
  return [...new Set(places)].filter((place) => place.split(".").length > 2);
}
