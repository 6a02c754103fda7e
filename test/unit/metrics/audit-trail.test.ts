import { expect, it } from "vitest";

import { openCertified } from "../../support/certified.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";

const STAGED_NET = "select gross, net, status from raw_payments where net > 0";

it("The audit trail has each certification, lapse and withdrawal of a metric once, with who did it", async () => {
  const { crawlPayments, certify, withdraw, auditTrail, store, workspace, idOf } = await openCertified();
  await crawlPayments();
  await certify("revenue", "As agreed.");
  await crawlPayments({ staging: STAGED_NET });
  await crawlPayments({ staging: STAGED_NET });
  await certify();
  await withdraw();
  // Events of one millisecond are in no order.
  expect((await auditTrail()).toSorted()).toEqual([
    "ada@example.com certification_withdrawn Revenue",
    "ada@example.com metric_certified Revenue",
    "ada@example.com metric_certified Revenue",
    "connector shop certification_lapsed Revenue",
  ]);
  const page = { after: null, limit: 10, action: "certification_lapsed" } as const;
  const { items } = await store.audit.list(workspace.id, page);
  expect(items).toMatchObject([
    { subject: idOf("revenue"), source: "service", details: { note: expect.stringContaining("`stg_payments`") } },
  ]);
});

it("A lapse is in the audit trail once, even if the service died between the two stores", async () => {
  const graph = createReferenceGraph();
  const { crawlPayments, certify, auditTrail, certificationOf } = await openCertified(graph);
  await crawlPayments();
  await certify();
  const { certify: write } = graph;
  graph.certify = () => Promise.reject(new Error("the power failed"));
  await crawlPayments({ staging: STAGED_NET }).catch(() => {});
  graph.certify = write;
  expect(await certificationOf()).toBe("certified");
  await crawlPayments({ staging: STAGED_NET });
  expect(await certificationOf()).toBe("pending");
  expect((await auditTrail()).toSorted()).toEqual([
    "ada@example.com metric_certified Revenue",
    "connector shop certification_lapsed Revenue",
  ]);
});

it("The audit trail has the certification that a metric's own source states, and its end", async () => {
  const { crawlPayments, auditTrail } = await openCertified();
  await crawlPayments({ revenueFacts: { certification: "certified", certifiedBy: "cfo@example.com" } });
  await crawlPayments();
  // The person that the source names did nothing here.
  expect((await auditTrail()).toSorted()).toEqual([
    "connector shop certification_withdrawn Revenue",
    "connector shop metric_certified Revenue",
  ]);
});
