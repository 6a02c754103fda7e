/** Which assets have nearly the identity of another one, so that people can see why they are two. */
import type { CatalogNode } from "./asset.ts";
import { NODE_TYPE_TABLE } from "./node-types.ts";
import { fold } from "./text.ts";

/** What to search for to find them: the last two parts of the name, which both of them have. */
export function nearMissSearch({ fqn }: Pick<CatalogNode, "fqn">): string {
  return fqn.split(".").slice(-2).join(".");
}

/**
 * Whether two assets of one kind have the same name, or one has a part of the other's name: `public.orders` and
 * `shop.public.orders`. They are two assets because of their platform, their instance, or the missing part.
 */
export function isNearMiss(
  one: Pick<CatalogNode, "id" | "fqn" | "type">,
  other: Pick<CatalogNode, "id" | "fqn" | "type">,
): boolean {
  if (one.id === other.id || NODE_TYPE_TABLE[one.type].identity !== NODE_TYPE_TABLE[other.type].identity) return false;
  const [a, b] = [fold(one.fqn), fold(other.fqn)];
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}
