/** Walking the lineage, and what a change would do along it. */
import { z } from "zod";

import { CHANGE_TYPES } from "../../catalog/impact.ts";
import { change, downstream, impact, upstream } from "../examples.ts";
import { depth, id } from "../parameters.ts";
import { API_PREFIX, type Route } from "../route.ts";

const asset_id = id("The asset or metric to begin from.", upstream.root);

const change_type = z.enum(CHANGE_TYPES).meta({
  description:
    "What would be done. `column_rename`, `column_drop` and `type_change` are for columns; of a table or model they " +
    "mean the worst of its columns. `deprecate` is for everything.",
  examples: [change.change_type],
});

const new_type = z
  .string("must be text")
  .optional()
  .meta({ description: "With `type_change`: the data type that a column would get. Without it, the change narrows." });

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
  {
    method: "POST",
    path: `${API_PREFIX}/lineage/impact`,
    tag: "Lineage",
    summary: "Assess the impact of a change",
    description:
      "What a change to an asset or metric would affect, however far downstream: by risk, then by hops, then by name. " +
      "Each risk is derived from the change, the evidence on the path and what is affected; `reason` says it in a " +
      "sentence. `summary` is exact; past 10,000 the first of `affected` are kept and `truncated` is true.",
    operation: "AssessImpact",
    input: {
      body: { asset_id: id("The asset or metric that would be changed.", change.asset_id), change_type, new_type },
    },
    absent: { noun: "asset", namedBy: "asset_id" },
    status: 200,
    example: impact,
  },
];
