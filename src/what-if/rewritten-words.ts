/** The wording of what is computed otherwise. */
import { isDataset } from "../catalog/node-types.ts";
import { quote } from "../catalog/impact/words.ts";
import { countOf, formatTypes, joinWords, nameFirst } from "./counted-words.ts";
import type { Rewritten, RewrittenAsset } from "./rewritten.ts";

/** Each thing is told by one verb. A table that SQL builds is a model. */
const TOLD = [
  { nouns: ["model", "metric"], verbs: ["computes", "compute"], what: "something otherwise" },
  { nouns: ["dashboard", "pipeline"], verbs: ["reads", "read"], what: "other relations" },
] as const;

/** Such as "1 model computes something otherwise: `orders`"; "" if nothing is computed otherwise. */
export function describeRewritten({ assets, truncated }: Rewritten): string {
  const byNoun = Map.groupBy(assets, ({ type }) => (isDataset(type) ? "model" : type));
  return TOLD.flatMap(({ nouns, verbs, what }) => {
    const own = nouns.map((noun) => ({ noun, all: byNoun.get(noun) ?? [] })).filter(({ all }) => all.length > 0);
    const all = own.flatMap((each) => each.all);
    const counts = own.map((each) => countOf(each.all.length, each.noun));
    const verb = verbs[all.length === 1 ? 0 : 1];
    return all.length === 0
      ? []
      : [`${truncated ? "at least " : ""}${joinWords(counts)} ${verb} ${what}: ${nameFirst(all)}`];
  }).join("; ");
}

/** Such as `2 dashboards, 3 metrics read other values`; "" if nobody looks at it. */
export function describeReaders({ readers, truncated }: Rewritten): string {
  if (readers.length === 0) return "";
  const types = (["dashboard", "metric"] as const).flatMap((type) => {
    const count = readers.filter((reader) => reader.type === type).length;
    return count === 0 ? [] : [{ type, count }];
  });
  const verb = readers.length === 1 ? "reads" : "read";
  return `${truncated ? "at least " : ""}${formatTypes(types)} ${verb} other values`;
}

/** What an asset computes otherwise, in words. */
export function describeHow({ type, hasOtherRows, columns }: RewrittenAsset): string {
  if (type === "metric") return "another definition";
  if (hasOtherRows) return "other rows";
  return columns.length === 0 ? "reads other relations" : columns.map(quote).join(", ");
}
