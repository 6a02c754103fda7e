/** The form of the changes of the lineage in the impact report as JSON. */
import { z } from "zod";

import { CHANGE_ENTRY_KINDS } from "../catalog/changes/change.ts";
import { DIFFERENCES } from "../catalog/changes/lineage-diff.ts";
import { EDGE_KINDS } from "../catalog/edge.ts";
import { NODE_TYPES } from "../catalog/node-types.ts";

const nodeId = z.string().brand<"NodeId">();
const text = (description: string) => z.string().describe(description);

const differingNode = z.object({
  difference: z.enum(DIFFERENCES),
  id: nodeId,
  type: z.enum(NODE_TYPES),
  name: z.string(),
  fqn: z.string(),
  details: z
    .array(
      z.object({
        kind: z.enum(CHANGE_ENTRY_KINDS),
        id: nodeId,
        name: z.string(),
        before: z.string().nullable(),
        after: z.string().nullable(),
      }),
    )
    .describe("What changes if it stays: SQL, a metric's definition, columns."),
});

const differingEdge = z.object({
  difference: z.enum(["added", "removed"]),
  from: text("The upstream end's name."),
  from_id: nodeId,
  from_type: z.enum(NODE_TYPES),
  to: text("The downstream end's name."),
  to_id: nodeId,
  to_type: z.enum(NODE_TYPES),
  kinds: z.array(z.enum(EDGE_KINDS)).describe("What the edge means."),
});

export const lineage = z
  .object({
    nodes: z.array(differingNode),
    edges: z.array(differingEdge).describe("Those between assets that are not removed."),
    truncated: z.boolean().describe("True if there are more than 1,000 of either, or more than 5,000 details."),
  })
  .describe("How the manifest changes the lineage of its project. What is not new has its present id and name.");
