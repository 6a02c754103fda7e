import { describe, expect, it } from "vitest";

import type { AffectedNode } from "../../../../src/catalog/impact.ts";
import {
  compareAffected,
  countAssets,
  groupAssets,
  listAssets,
  listOwners,
} from "../../../../src/catalog/impact/affected-assets.ts";
import { toNodeId } from "../../../../src/ids.ts";

function affected(id: string, rest: Partial<AffectedNode>): AffectedNode {
  const known = { name: id, fqn: id, reason: "", hops: 1, path: [], evidence: [], ownerName: "", usage: null };
  const usual = {
    parentId: null,
    type: "model",
    certification: "none",
    risk: "high",
    owner: "ada@example.com",
  } as const;
  return { id: toNodeId(id), ...known, ...usual, ...rest };
}

const orders = toNodeId("orders");
const IMPACT = [
  affected("orders", {}),
  affected("orders.a", { type: "column", parentId: orders }),
  affected("orders.b", { type: "column", parentId: orders, risk: "medium", owner: "bob@example.com" }),
  affected("board", { type: "dashboard", risk: "medium", owner: "Bob@example.com" }),
  affected("totals", { risk: "medium" }),
  affected("revenue", { type: "metric", risk: "medium" }),
  affected("lost.c", { type: "column", parentId: toNodeId("lost"), risk: "low", owner: "" }),
];
const groups = groupAssets(IMPACT);

describe("affected assets", () => {
  it("Affected assets are counted by assets and metrics, with columns beside them", () => {
    expect(countAssets(groups)).toEqual({
      total: 5,
      high: 1,
      medium: 3,
      low: 1,
      columns: 2,
      types: [
        { type: "dashboard", count: 1 },
        { type: "metric", count: 1 },
        { type: "model", count: 2 },
        { type: "column", count: 1 },
      ],
    });
  });

  it("Affected assets begin with dashboards and metrics, then come by risk, each with its columns", () => {
    expect(listAssets(IMPACT).map(({ impact, columns }) => [impact, ...columns].map(({ name }) => name))).toEqual([
      ["board"],
      ["revenue"],
      ["orders", "orders.a", "orders.b"],
      ["totals"],
      ["lost.c"],
    ]);
  });

  it("Of assets at one risk and one distance, the most used comes first; of those with one use, the order stays", () => {
    const until = "2026-01-31T00:00:00.000Z";
    const usedBy = (users: number) => ({ usage: { users, queries: 1, views: null, until } });
    const given = [
      affected("a", {}),
      affected("b", usedBy(2)),
      affected("c", { ...usedBy(9), hops: 2 }),
      affected("d", { ...usedBy(9), risk: "medium" }),
      affected("e", usedBy(3)),
      affected("f", usedBy(2)),
    ];
    expect(listAssets(given.toSorted(compareAffected)).map(({ impact }) => impact.name)).toEqual([
      "e",
      "b",
      "f",
      "a",
      "c",
      "d",
    ]);
  });

  it.each([
    { filter: { types: ["model"] }, names: ["orders", "totals"], columns: 2 },
    { filter: { risks: ["high"] }, names: ["orders"], columns: 2 },
    { filter: { owner: "bob@example.com" }, names: ["board"], columns: 0 },
    { filter: { owner: "" }, names: ["lost.c"], columns: 0 },
    { filter: { types: ["column"] }, names: ["orders.a", "orders.b", "lost.c"], columns: 0 },
    { filter: { types: ["dashboard"], risks: ["high"] }, names: [], columns: 0 },
  ] as const)(
    "Affected assets are counted as they are listed under the filter $filter",
    ({ filter, names, columns }) => {
      expect(listAssets(IMPACT, filter).map(({ impact }) => impact.name)).toEqual(names);
      expect(countAssets(groups, filter)).toMatchObject({ total: names.length, columns });
      expect(listOwners(groups, filter).reduce((sum, { total }) => sum + total, 0)).toBe(names.length);
    },
  );
});
