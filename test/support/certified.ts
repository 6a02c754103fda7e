/** The payments, crawled by a scripted connector, with people who certify metrics on them. */
import type { NodeId } from "../../src/ids.ts";
import { certifyMetric, withdrawCertification } from "../../src/metrics/certify.ts";
import { nodeId } from "../../src/catalog/identity.ts";
import { systemRandom } from "../../src/clock.ts";
import { defineMetric, removeMetric, updateMetric } from "../../src/metrics/define.ts";
import type { GivenMetric } from "../../src/metrics/metric-input.ts";
import type { CatalogGraph } from "../../src/graph/catalog-graph.ts";
import { THE_SERVICE } from "../../src/work/caller.ts";
import { openCrawlBench } from "./crawl-bench.ts";
import { originAs } from "./origin.ts";
import { metricRef, type Payments, payments } from "./payments.ts";
import { present } from "./present.ts";

const MARGIN: GivenMetric = {
  name: "margin",
  displayName: "Margin",
  kind: "simple",
  expression: "sum(amount)",
  grain: "",
  dimensions: [],
  filters: [],
  description: "",
  owner: "",
  tags: [],
  sources: [],
};

export async function openCertified(graph?: CatalogGraph) {
  const bench = await openCrawlBench(graph);
  const { workspace, admin, clock, store } = bench;
  const parts = { graph: bench.graph, store, audit: store.audit, clock };
  const idOf = (name: string): NodeId => nodeId(workspace.name, metricRef(name));
  const requestOf = (name: string, note: string, by: string) => ({
    origin: originAs(workspace, admin, by),
    id: idOf(name),
    by,
    note,
  });
  const definitions = { ...parts, sqlLineage: bench.sqlLineage, caller: THE_SERVICE, random: systemRandom };
  const origin = { workspace, actor: "ada@example.com" };
  return {
    ...bench,
    idOf,
    tableIdOf: bench.idOf,
    define: (said: Partial<GivenMetric>) => defineMetric(definitions, origin, { ...MARGIN, ...said }),
    update: (id: NodeId, change: Partial<GivenMetric>) => updateMetric(definitions, origin, id, change),
    remove: (id: NodeId) => removeMetric(definitions, origin, id),
    certifyById: (id: NodeId) => certifyMetric(parts, { ...requestOf("", "", "ada@example.com"), id }),
    lastOfId: async (id: NodeId) => {
      const [trail] = await bench.graph.loadTrails(workspace.id, [id]);
      const step = trail?.steps.at(-1);
      return step === undefined ? null : `${step.actor} ${step.action}: ${step.note}`;
    },
    /** The names of upstream neighbours, each with the transformations by which it is used. */
    async sourcesOf(id: NodeId, level: "asset" | "column") {
      const query = { id, level, direction: "upstream", first: 50, after: null } as const;
      const [found] = await bench.graph.loadNeighbours(workspace.id, [query]);
      return found?.items.map(({ node, uses }) =>
        [node.name, ...uses.map(({ transformation }) => transformation)].join(" "),
      );
    },
    crawlPayments: (change: Partial<Payments> = {}) => bench.crawl(payments(change)),
    certify: (name = "revenue", note = "", by = "ada@example.com") => certifyMetric(parts, requestOf(name, note, by)),
    withdraw: (name = "revenue", note = "", by = "ada@example.com") =>
      withdrawCertification(parts, requestOf(name, note, by)),
    certificationOf: async (name = "revenue") => present(await bench.find(idOf(name))).certification,
    stepsOf: async (name = "revenue") => present((await bench.graph.loadTrails(workspace.id, [idOf(name)]))[0]).steps,
    /** The audit trail of the workspace, oldest first, as "actor action metric". */
    async auditTrail() {
      const { items } = await bench.store.audit.list(workspace.id, { after: null, limit: 100 });
      return items.toReversed().map(({ actor, action, details }) => `${actor} ${action} ${String(details["metric"])}`);
    },
    /** What changed upstream since a time and can have changed the value, the nearest first. */
    async causesOf(id: NodeId, since: string) {
      const span = { since, until: clock.now().toISOString(), offset: 0, limit: 100 };
      return present(await bench.graph.findCauses(workspace.id, { ...span, target: id }));
    },
    /** Action and note of the newest step. */
    async lastOf(name = "revenue") {
      const [trail] = await bench.graph.loadTrails(workspace.id, [idOf(name)]);
      const step = trail?.steps.at(-1);
      return step === undefined ? null : `${step.action}: ${step.note}`;
    },
  };
}
