import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type NodeRef, columnRef, nodeId, sortKey, toFqn } from "../../../src/catalog/identity.ts";
import { compareCodePoints, fold, isStorableName } from "../../../src/catalog/text.ts";
import { toNodeId, toWorkspaceName } from "../../../src/ids.ts";

const DEFAULT = toWorkspaceName("default");
const orders: NodeRef = { platform: "postgres", instance: "", type: "table", parts: ["shop", "public", "orders"] };
const revenue: NodeRef = { platform: "dbt", instance: "", type: "metric", parts: ["revenue"] };

describe("nodeId", () => {
  it("The id of a node never changes, because catalogs store it", () => {
    expect(nodeId(DEFAULT, orders)).toBe("29165667c5ca93cb234beb6dc6efc1dc");
    expect(nodeId(DEFAULT, columnRef(orders, "id"))).toBe("c9fd9f4fc3723abafb2434bac56b00a5");
    expect(nodeId(DEFAULT, revenue)).toBe("279c3749fa0affcf0ad4aef17ed24610");
  });

  it("The id of a node ignores the case and Unicode composition of its names", () => {
    const shouted = { ...orders, platform: "Postgres", parts: ["SHOP", "Public", "ORDERS"] };
    expect(nodeId(DEFAULT, shouted)).toBe(nodeId(DEFAULT, orders));
    const composed = { ...orders, parts: ["caf\u00e9"] };
    expect(nodeId(DEFAULT, { ...orders, parts: ["CAFE\u0301"] })).toBe(nodeId(DEFAULT, composed));
  });

  it("A relation has the same id as a table and as a model", () => {
    const model: NodeRef = { ...orders, type: "model" };
    expect(nodeId(DEFAULT, model)).toBe(nodeId(DEFAULT, orders));
    expect(nodeId(DEFAULT, columnRef(model, "id"))).toBe(nodeId(DEFAULT, columnRef(orders, "id")));
  });

  it("An ephemeral model's id depends on its own identifier, not on its schema", () => {
    const ephemeral: NodeRef = { ...orders, type: "model", identifiedBy: ["shop", "model.shop.orders"] };
    const elsewhere = { ...ephemeral, parts: ["dev", "public", "orders"] };
    expect(nodeId(DEFAULT, elsewhere)).toBe(nodeId(DEFAULT, ephemeral));
    expect(nodeId(DEFAULT, columnRef(elsewhere, "id"))).toBe(nodeId(DEFAULT, columnRef(ephemeral, "id")));
    expect(nodeId(DEFAULT, columnRef(ephemeral, "id"))).not.toBe(nodeId(DEFAULT, columnRef(orders, "id")));
  });

  it("The id of a node depends on workspace, platform, instance, kind and every part of its name", () => {
    const ids = [
      nodeId(DEFAULT, orders),
      nodeId(toWorkspaceName("Default"), orders),
      ...[
        { ...orders, platform: "snowflake" },
        { ...orders, instance: "eu" },
        { ...orders, instance: "EU" },
        { ...orders, type: "pipeline" as const },
        { ...orders, identifiedBy: ["shop", "model.shop.orders"] },
        { ...orders, parts: ["shop.public", "orders"] },
        { ...orders, parts: ["shop", "public", "orders", ""] },
        columnRef(orders, "id"),
        columnRef(orders, "total"),
      ].map((ref) => nodeId(DEFAULT, ref)),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("columnRef and toFqn", () => {
  it("columnRef and toFqn name a column by its table", () => {
    const column = columnRef(orders, "Id");
    expect(column).toEqual({ ...orders, type: "column", parts: ["shop", "public", "orders", "Id"] });
    expect(toFqn(column)).toBe("shop.public.orders.Id");
    expect(toFqn(orders)).toBe("shop.public.orders");
    expect(toFqn({ ...revenue, parts: ["Sales", "Q1"] })).toBe("Sales.Q1");
  });
});

/** How two texts compare: -1, 0 or 1. */
function compare([x, y]: [string, string]): number {
  return Math.sign(compareCodePoints(x, y));
}

describe("sortKey", () => {
  it("sortKey orders by folded fqn, then id", () => {
    const name = fc.string({ unit: "binary", minLength: 1 }).filter(isStorableName);
    const node = fc.tuple(fc.oneof(name, fc.constantFrom("a", "A", "ab")), fc.constantFrom("0", "f"));
    fc.assert(
      fc.property(node, node, ([fqn1, id1], [fqn2, id2]) => {
        const byKey = compare([sortKey(fqn1, toNodeId(id1)), sortKey(fqn2, toNodeId(id2))]);
        expect(byKey).toBe(compare([fold(fqn1), fold(fqn2)]) || compare([id1, id2]));
      }),
    );
  });
});
