/** `tributary lineage ASSET --compare-with TIME`: how the lineage differs from an earlier time. */
import { z } from "zod";

import type { Client } from "./client.ts";
import { answersJson, printError, printItems, printResult } from "./print.ts";

const asset = z.looseObject({ fqn: z.string() });

const answered = z.object({
  lineageDiff: z.looseObject({
    before: z.string(),
    after: z.string(),
    nodes: z.array(
      z.looseObject({
        difference: z.string(),
        asset: asset.extend({ type: z.string() }),
        details: z.array(z.looseObject({ kind: z.string(), name: z.string() })),
      }),
    ),
    edges: z.array(z.looseObject({ difference: z.string(), from: asset, to: asset, after: z.array(z.string()) })),
    unchangedNodes: z.int(),
    unchangedEdges: z.int(),
    truncated: z.boolean(),
  }),
});

export async function printLineageDiff(client: Client, variables: Record<string, unknown>): Promise<void> {
  const { lineageDiff: diff } = await client.ask("ToolDiffLineage", variables, answered);
  if (answersJson()) return printResult("", diff);
  const nodes = diff.nodes.map(({ difference, asset: { type, fqn }, details }) => {
    const what = details.map(({ kind, name }) => (kind === "sql_changed" ? "sql changed" : `${words(kind)} ${name}`));
    return { difference, type, fqn, what: what.join(", ") };
  });
  const edges = diff.edges.map(({ difference, from, to, after }) => {
    return {
      difference,
      type: "edge",
      fqn: `${from.fqn} -> ${to.fqn}`,
      what: difference === "changed" ? after.join() : "",
    };
  });
  printItems([...nodes, ...edges], { DIFFERENCE: "difference", TYPE: "type", WHERE: "fqn", WHAT: "what" });
  printError(
    `Between ${diff.before} and ${diff.after}. The same: ${diff.unchangedNodes} assets, ${diff.unchangedEdges} edges.`,
  );
  if (diff.truncated) printError("Of what is there at both times, only the nearest were compared.");
}

function words(kind: string): string {
  return kind.replaceAll("_", " ");
}
