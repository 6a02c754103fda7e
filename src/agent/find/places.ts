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
export function findPlaces(tokens: readonly Token[], nodes: readonly CatalogNode[]): ValueMention[] {
  const asks = tokens.findIndex(({ word }) => word.endsWith("s") && typesOf(word) !== null);
  if (asks < 0) return [];
  const places = new Set(nodes.flatMap((node) => placeOf(node) ?? []));
  const names = new Set(nodes.map(({ name }) => name.toLowerCase()));
  return tokens.flatMap((token, i) => {
    if (i < asks || names.has(token.word) || !comesAfterPlace(tokens, i)) return [];
    const found = [...places].filter((place) => {
      const schema = splitIdentifier(place.split(".").at(-2) ?? "");
      return token.words.length > 0 && token.words.every((word) => schema.includes(word));
    });
    const [value] = found;
    if (value === undefined || found.length > 1) return [];
    return [{ kind: "place" as const, whole: true, from: i, to: i + 1, value }];
  });
}

/** Words that may name a place, which its tables are looked up by. */
export function placeWords(tokens: readonly Token[]): string[] {
  const asks = tokens.findIndex(({ word }) => word.endsWith("s") && typesOf(word) !== null);
  if (asks < 0) return [];
  return tokens.flatMap(({ words, text }, i) =>
    i > asks && words.length > 0 && comesAfterPlace(tokens, i) ? [text] : [],
  );
}

function comesAfterPlace(tokens: readonly Token[], at: number): boolean {
  let before = at - 1;
  while (ARTICLE.test(tokens[before]?.word ?? "")) before--;
  return BEFORE_PLACE.test(tokens[before]?.word ?? "");
}

/** `shop.raw_stripe.` of the table `shop.raw_stripe.charges`; null for what is in no schema. */
function placeOf({ fqn, name, type }: CatalogNode): string | null {
  if ((type !== "table" && type !== "model") || !fqn.endsWith(`.${name}`)) return null;
  const place = fqn.slice(0, -name.length);
  return place.split(".").length > 2 ? place : null;
}
