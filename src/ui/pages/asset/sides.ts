/** The two sides of an asset's lineage. */
import type { ResultOf } from "../../graphql/graphql.ts";
import { DOWNSTREAM, UPSTREAM } from "./documents.ts";

export const SIDES = {
  up: { query: UPSTREAM, icon: "up", title: "Made from", empty: "It is made from nothing that the catalog knows." },
  down: { query: DOWNSTREAM, icon: "arrow-down", title: "Feeds", empty: "Nothing that the catalog knows uses it." },
} as const;

export type Side = keyof typeof SIDES;

type Answer = ResultOf<typeof UPSTREAM> | ResultOf<typeof DOWNSTREAM>;

/** The answer's list. Only nodes of the catalog have one. */
export function neighboursOf({ node }: Answer) {
  return node && "neighbours" in node ? { ...node.neighbours, nodes: node.neighbours.edges } : undefined;
}
