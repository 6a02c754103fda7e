/** Examples of lineage events and of what is answered to them. */

const producer = "https://github.com/example/nightly";

export const lineageEvent = {
  eventType: "COMPLETE",
  eventTime: "2026-02-03T09:29:40.000Z",
  producer,
  schemaURL: "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
  run: { runId: "0190b1a6-4d1c-7c51-9d6e-5f0e7a2b9c31" },
  job: { namespace: "nightly", name: "load_orders" },
  inputs: [{ namespace: "s3://landing", name: "orders" }],
  outputs: [{ namespace: "postgres://db.example.com:5432", name: "shop.raw.orders" }],
};

export const receipt = {
  status: "success",
  summary: { received: 1, successful: 1, failed: 0, retriable: 0, non_retriable: 0 },
  failed_events: [],
};

export const partialReceipt = {
  status: "partial_success",
  summary: { received: 2, successful: 1, failed: 1, retriable: 0, non_retriable: 1 },
  failed_events: [{ index: 1, reason: "run.runId: must be a UUID", retriable: false }],
};
