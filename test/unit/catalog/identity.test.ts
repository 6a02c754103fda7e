import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type NodeRef, columnRef, nodeId, sortKey, toFqn } from "../../../src/catalog/identity.ts";
import { compareCodePoints, fold, isStorableName } from "../../../src/catalog/text.ts";

const orders: NodeRef = { platform: "postgres", instance: "", type: "table", parts: ["shop", "public", "orders"] };
const revenue: NodeRef = { platform: "dbt", instance: "", type: "metric", parts: ["revenue"] };

describe("nodeId", () => {
  it("never changes: catalogs are kept under these ids", () => {
    expect(nodeId("default", orders)).toBe("3db910ecd2b6e46e1b7297a9760e3e01");
    expect(nodeId("default", columnRef(orders, "id"))).toBe("c5dd553b348cf0fcc321308ca472c82e");
    expect(nodeId("default", revenue)).toBe("01d2787f03a6e788c065fefe67f001e9");
  });

  it("is the same in whatever case and composition a source names the node", () => {
    const shouted = { ...orders, platform: "Postgres", parts: ["SHOP", "Public", "ORDERS"] };
    expect(nodeId("default", shouted)).toBe(nodeId("default", orders));
    const composed = { ...orders, parts: ["caf\u00e9"] };
    expect(nodeId("default", { ...orders, parts: ["CAFE\u0301"] })).toBe(nodeId("default", composed));
  });

  it("differs by workspace, platform, instance, type and every part", () => {
    const ids = [
      nodeId("default", orders),
      nodeId("Default", orders),
      ...[
        { ...orders, platform: "snowflake" },
        { ...orders, instance: "eu" },
        { ...orders, instance: "EU" },
        { ...orders, type: "model" as const },
        { ...orders, parts: ["shop.public", "orders"] },
        { ...orders, parts: ["shop", "public", "orders", ""] },
        columnRef(orders, "id"),
        columnRef({ ...orders, type: "model" }, "id"),
      ].map((ref) => nodeId("default", ref)),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("columnRef and toFqn", () => {
  it("name a column by its table, and leave the table's type out of what people read", () => {
    const column = columnRef(orders, "Id");
    expect(column).toEqual({ ...orders, type: "column", parts: ["shop", "public", "orders", "table", "Id"] });
    expect(toFqn(column)).toBe("shop.public.orders.Id");
    expect(toFqn(orders)).toBe("shop.public.orders");
    expect(toFqn({ ...revenue, type: "dashboard", parts: ["Sales", "Q1"] })).toBe("Sales.Q1");
  });
});

/** How two texts compare: -1, 0 or 1. */
function compare([x, y]: [string, string]): number {
  return Math.sign(compareCodePoints(x, y));
}

describe("sortKey", () => {
  it("orders by folded fqn, then type, then id", () => {
    const name = fc.string({ unit: "binary", minLength: 1 }).filter(isStorableName);
    const node = fc.tuple(
      fc.oneof(name, fc.constantFrom("a", "A", "ab")),
      fc.constantFrom("table", "model"),
      fc.constantFrom("0", "f"),
    );
    fc.assert(
      fc.property(node, node, ([fqn1, type1, id1], [fqn2, type2, id2]) => {
        const byKey = compare([sortKey(fqn1, type1, id1), sortKey(fqn2, type2, id2)]);
        expect(byKey).toBe(compare([fold(fqn1), fold(fqn2)]) || compare([type1, type2]) || compare([id1, id2]));
      }),
    );
  });
});
