/** The wording of what is computed otherwise. */
import { quote } from "../catalog/impact/words.ts";
import { countOf, formatTypes, joinWords, nameFirst } from "./counted-words.ts";
import type { Rewritten, RewrittenAsset } from "./rewritten.ts";

/** Such as "1 model computes something otherwise: `orders`"; "" if nothing is computed otherwise. */
export function describeRewritten({ assets, truncated }: Rewritten): string {
  if (assets.length === 0) return "";
  const nouns = (["model", "metric"] as const).flatMap((noun) => {
    const count = assets.filter(({ type }) => (type === "metric") === (noun === "metric")).length;
    return count === 0 ? [] : [countOf(count, noun)];
  });
  const verb = assets.length === 1 ? "computes" : "compute";
  return `${truncated ? "at least " : ""}${joinWords(nouns)} ${verb} something otherwise: ${nameFirst(assets)}`;
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
  if (type === "metric") return "another expression";
  if (hasOtherRows) return "other rows";
  return columns.length === 0 ? "reads other relations" : columns.map(quote).join(", ");
}
