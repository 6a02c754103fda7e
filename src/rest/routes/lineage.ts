/** Walking the lineage. */
import { downstream, upstream } from "../examples.ts";
import { depth, id } from "../parameters.ts";
import { API_PREFIX, type Route } from "../route.ts";

const asset_id = id("The asset or metric to begin from.", upstream.root);

export const lineageRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${API_PREFIX}/lineage/upstream`,
    tag: "Lineage",
    summary: "Walk upstream",
    description:
      "What feeds an asset or metric, up to `depth` hops away. The root is not among the nodes; a node's `depth` is " +
      "its fewest hops from the root. Past 10,000 nodes the nearest are kept and `truncated` is true.",
    operation: "WalkUpstream",
    input: { query: { asset_id, depth } },
    absent: { noun: "asset", namedBy: "asset_id" },
    status: 200,
    example: upstream,
  },
  {
    method: "GET",
    path: `${API_PREFIX}/lineage/downstream`,
    tag: "Lineage",
    summary: "Walk downstream",
    description:
      "What an asset or metric feeds, up to `depth` hops away: tables, models, dashboards, exports and metrics. " +
      "Ordered and bounded as upstream.",
    operation: "WalkDownstream",
    input: { query: { asset_id, depth } },
    absent: { noun: "asset", namedBy: "asset_id" },
    status: 200,
    example: downstream,
  },
];
