/** Metrics whose certification lapsed and was not renewed. */
import { isMetric, type MetricNode } from "../catalog/asset.ts";
import { fold } from "../catalog/text.ts";
import type { GraphReader } from "../graph/catalog-graph.ts";
import type { WorkspaceId } from "../ids.ts";

const PAGE = 500;

export interface LapsedMetric {
  metric: MetricNode;
  /** ISO 8601, UTC. */
  at: string;
  /** What changed. */
  reason: string;
}

/**
 * The metrics whose certification lapsed, the last one first.
 * @param responsible only metrics that this person or team owns, or that this person had certified
 * @param beforePage is called before each page, for its rows
 */
export async function findLapsed(
  graph: Pick<GraphReader, "listNodes" | "loadTrails">,
  workspace: WorkspaceId,
  responsible: string | null,
  beforePage: (rows: number) => Promise<void>,
): Promise<LapsedMetric[]> {
  const lapsed: LapsedMetric[] = [];
  const filter = { types: ["metric"], certification: "pending" } as const;
  for (let after: string | null = null; ;) {
    await beforePage(PAGE);
    const { items, hasMore } = await graph.listNodes(workspace, filter, { after, limit: PAGE });
    const metrics = items.filter(isMetric);
    const trails = await graph.loadTrails(
      workspace,
      metrics.map(({ id }) => id),
    );
    for (const [i, metric] of metrics.entries()) {
      const steps = trails[i]?.steps ?? [];
      const last = steps.at(-1);
      if (last?.action !== "lapse") continue;
      const certifier = steps.findLast(({ to }) => to === "certified")?.actor ?? "";
      const people = [metric.owner, metric.ownerName, certifier].map(fold);
      if (responsible !== null && !people.includes(fold(responsible))) continue;
      lapsed.push({ metric, at: last.at, reason: last.note });
    }
    after = items.at(-1)?.key ?? null;
    if (!hasMore) return lapsed.toSorted((a, b) => b.at.localeCompare(a.at));
  }
}
