/** The payments, crawled by a scripted connector, with people who certify metrics on them. */
import { certifyMetric, withdrawCertification } from "../../src/metrics/certify.ts";
import { nodeId } from "../../src/catalog/identity.ts";
import type { CatalogGraph } from "../../src/graph/catalog-graph.ts";
import { openCrawlBench } from "./crawl-bench.ts";
import { metricRef, type Payments, payments } from "./payments.ts";
import { present } from "./present.ts";

export async function openCertified(graph?: CatalogGraph) {
  const bench = await openCrawlBench(graph);
  const { workspace, clock } = bench;
  const parts = { graph: bench.graph, clock };
  const idOf = (name: string): string => nodeId(workspace.name, metricRef(name));
  const requestOf = (name: string, note: string, by: string) => ({
    workspace: workspace.id,
    id: idOf(name),
    actor: by,
    by,
    note,
  });
  return {
    ...bench,
    idOf,
    crawlPayments: (change: Partial<Payments> = {}) => bench.crawl(payments(change)),
    certify: (name = "revenue", note = "", by = "ada@example.com") => certifyMetric(parts, requestOf(name, note, by)),
    withdraw: (name = "revenue", note = "", by = "ada@example.com") =>
      withdrawCertification(parts, requestOf(name, note, by)),
    certificationOf: async (name = "revenue") => present(await bench.find(idOf(name))).certification,
    stepsOf: async (name = "revenue") => present((await bench.graph.loadTrails(workspace.id, [idOf(name)]))[0]).steps,
    /** Action and note of the newest step. */
    async lastOf(name = "revenue") {
      const [trail] = await bench.graph.loadTrails(workspace.id, [idOf(name)]);
      const step = trail?.steps.at(-1);
      return step === undefined ? null : `${step.action}: ${step.note}`;
    },
  };
}
