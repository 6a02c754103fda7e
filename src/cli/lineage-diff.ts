/** `tributary lineage ASSET --compare-with TIME` or `--saved-impact ID`: how the lineage differs from an earlier time, or would with a manifest. */
import type { Client } from "./client.ts";
import { answersJson, printError, printItems, printResult } from "./print.ts";

export async function printLineageDiff(client: Client, variables: Record<string, unknown>): Promise<void> {
  const { lineageDiff: diff } = await client.ask("ToolDiffLineage", variables);
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
  printItems(
    [...nodes, ...edges],
    { DIFFERENCE: "difference", TYPE: "type", WHERE: "fqn", WHAT: "what" },
    "No differences.",
  );
  const sides =
    diff.after === null
      ? `With the manifest for ${diff.connector} that was saved at ${diff.before}`
      : `Between ${diff.before} and ${diff.after}`;
  printError(`${sides}. The same: ${diff.unchangedNodes} assets, ${diff.unchangedEdges} edges.`);
  if (!diff.truncated) return;
  printError(
    diff.after === null
      ? "The manifest changes more than was saved: only the first changes are compared."
      : "Of what is there at both times, only the nearest were compared.",
  );
}

function words(kind: string): string {
  return kind.replaceAll("_", " ");
}
