/** Answers as they are saved and read again. */
import { describe, expect, it } from "vitest";

import { manifestImpact } from "../../../src/rest/openapi/manifest-examples.ts";
import { fromImpactJson, toImpactJson } from "../../../src/what-if/impact-json.ts";
import { impactReport } from "../../../src/what-if/impact-report.ts";

const id = "0".repeat(32);
const details = [{ kind: "column_removed", id, name: "amount", before: "numeric", after: null }];
const lineage = {
  nodes: [{ difference: "changed", id, type: "model", name: "orders v1.2", fqn: "shop.orders v1.2", details }],
  edges: [
    {
      difference: "removed",
      from: "shop.raw",
      from_id: id,
      from_type: "table",
      to: "shop.orders",
      to_id: id,
      to_type: "model",
      kinds: ["derives"],
    },
  ],
  truncated: true,
};

describe("A saved impact report", () => {
  it("is the same JSON after it was read", () => {
    const saved = impactReport.parse({ ...manifestImpact, lineage });
    expect(saved.lineage).toEqual(lineage);
    expect(toImpactJson(fromImpactJson(saved, "shop"), null).lineage).toEqual(lineage);
  });

  it("that has its lineage in another form is refused, and not read as if nothing differed", () => {
    const edges = [{ difference: "removed", from: "shop.raw", to: "shop.orders" }];
    expect(impactReport.safeParse({ ...manifestImpact, lineage: { ...lineage, edges } }).success).toBe(false);
  });
});
