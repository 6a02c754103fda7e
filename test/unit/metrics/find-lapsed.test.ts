import { expect, it } from "vitest";

import { findLapsed } from "../../../src/metrics/find-lapsed.ts";
import { certifiedAt, certifying, metricOf, pendingSince } from "../../contract/catalog-graph/certification.ts";
import { newWorkspace, nodeOf, stampOf, timeOf } from "../../support/graph-writes.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";

it("finds the metrics whose certification lapsed, for the owner and for the person who had certified them", async () => {
  const graph = createReferenceGraph();
  const w = newWorkspace();
  const { metric } = metricOf(w).facts;
  const [lapsed, withdrawn, certified, pending] = ["lapsed", "withdrawn", "certified", "pending"].map((name) =>
    nodeOf(w, "metric", name, { metric, owner: "owner@example.com" }),
  );
  if (!lapsed || !withdrawn || !certified || !pending) throw new Error("four metrics are made");
  await graph.writeNodes(stampOf(w, "dbt", 1), "all", [lapsed, withdrawn, certified, pending]);
  for (const { id } of [lapsed, withdrawn, certified]) await graph.certify(w, id, certifying(2));
  await graph.certify(w, lapsed.id, pendingSince(3, certifiedAt(2, 1), "its source certifies it again"));
  await graph.certify(w, withdrawn.id, pendingSince(3, certifiedAt(2, 1), "a person certifies it"));

  const pages: number[] = [];
  const of = async (responsible: string | null) => {
    const found = await findLapsed(graph, w, responsible, async (rows) => void pages.push(rows));
    return found.map(({ metric: { name }, at }) => [name, at]);
  };
  expect(await of(null)).toEqual([["lapsed", timeOf(3)]]);
  expect(await of("Owner@example.com")).toEqual([["lapsed", timeOf(3)]]);
  expect(await of("ada@example.com")).toEqual([["lapsed", timeOf(3)]]);
  expect(await of("eve@example.com")).toEqual([]);
  expect(pages).toHaveLength(4);
});
