/** Reading and writing an asset's properties. */
import { isInt } from "neo4j-driver";
import { describe, expect, it } from "vitest";

import { toFacts } from "../../../../src/catalog/statement.ts";
import { nodeColumns, toNode } from "../../../../src/graph/memgraph/asset-row.ts";
import type { Run } from "../../../../src/graph/memgraph/bolt.ts";
import { rangesAfter, rangesOfFqn } from "../../../../src/graph/memgraph/list-ranges.ts";
import { mergeNodes } from "../../../../src/graph/core/merge-nodes.ts";
import { createRowStore } from "../../../../src/graph/memgraph/row-store.ts";
import { sortNodes } from "../../../../src/graph/memgraph/sort-nodes.ts";
import { ASSET_PROPERTIES, toAsset } from "../../../../src/graph/memgraph/stored-asset.ts";
import { integer, oneOf, text } from "../../../../src/graph/memgraph/values.ts";
import type { NodeRow } from "../../../../src/graph/rows.ts";
import { toConnectorId, toNodeId, toWorkspaceId } from "../../../../src/ids.ts";
import { present } from "../../../support/present.ts";

const W = toWorkspaceId("w");
const IDENTITY = { id: toNodeId("1f"), workspace: W, platform: "postgres", parentId: toNodeId("2e") } as const;
const AT = "2026-01-01T00:00:00.000Z";
const LATER = "2026-01-02T00:00:00.000Z";
const USAGE = { users: 3, queries: 12, views: null, until: AT };
const CLAIM = {
  nodeId: IDENTITY.id,
  connectorId: toConnectorId("c"),
  connectorName: "dbt",
  scope: "all",
  precedence: 1,
  lineagePrecedence: 1,
  connectorCreatedAt: "",
  type: "column",
  existence: "held",
  syncId: "sync",
  firstSyncId: null,
  since: AT,
  changedBy: null,
} as const;

async function merge(facts: Parameters<typeof toFacts>[0], before: NodeRow | null = null) {
  const claims = [{ ...CLAIM, facts: JSON.stringify(toFacts(facts)) }];
  const past = before ?? { identity: IDENTITY, createdAt: AT, curation: {} };
  const at = before === null ? AT : LATER;
  const merged = await mergeNodes(
    createRowStore(async () => [], W, null),
    [{ past, before, claims, at }],
  );
  return present(merged[0]);
}

async function column(facts: Parameters<typeof toFacts>[0]) {
  return toAsset(await merge(facts));
}

/** Returns the row that Memgraph would return for these properties; a missing property is null. */
function rowOf(
  properties: Record<string, unknown>,
  names: readonly string[] = nodeColumns("a").match(/(?<=AS )\w+/g) ?? [],
): unknown[] {
  return names.map((name) => {
    const value = properties[name] ?? null;
    return isInt(value) ? value.toNumber() : value;
  });
}

describe("Assets", () => {
  it("An asset's properties are read back as the node that was shown", async () => {
    const { properties } = await column({
      name: "Id",
      fqn: "Shop.Orders.Id",
      ordinal: 0,
      dataType: "int",
      inferred: true,
      tags: ["pii"],
      usage: USAGE,
    });
    expect(toNode(W, rowOf(properties))).toEqual({
      ...IDENTITY,
      type: "column",
      existence: "held",
      key: "shop.orders.id\u00011f",
      name: "Id",
      fqn: "Shop.Orders.Id",
      ordinal: 0,
      dataType: "int",
      inferred: true,
      description: "",
      tags: ["pii"],
      certification: "none",
      certifiedBy: null,
      certifiedAt: null,
      owner: "",
      ownerName: "",
      sourceConnector: "dbt",
      connectors: ["dbt"],
      lineageConnector: "",
      url: null,
      sql: null,
      columnLineage: null,
      gap: "",
      materialization: "",
      resourceTypes: [],
      meta: {},
      metric: null,
      usage: USAGE,
      createdAt: AT,
      updatedAt: AT,
    });
  });

  it("An asset's properties include a metric's definition", async () => {
    const metric = {
      displayName: "Revenue",
      kind: "simple" as const,
      expression: "sum(total)",
      grain: "",
      dimensions: ["country"],
      filters: [],
    };
    const { properties } = await column({ name: "revenue", fqn: "revenue", metric });
    expect(toNode(W, rowOf(properties)).metric).toEqual(metric);
  });

  it("An asset is read from a row with further columns before its own", async () => {
    const { properties } = await column({ name: "id", fqn: "orders.id" });
    expect(toNode(W, [7, ["derives"], ...rowOf(properties)]).name).toBe("id");
  });

  it("A sorted list reads each node and the value by which it is sorted", async () => {
    const { properties } = await column({ name: "id", fqn: "orders.id" });
    // The row has what the statement returns, in its order.
    const run: Run = async (statement) => {
      const names = statement.slice(statement.lastIndexOf("RETURN")).match(/(?<=AS )\w+/g) ?? [];
      return [rowOf({ ...properties, place: "id" }, names)];
    };
    const { items } = await sortNodes(run, W, { types: ["table"] }, "name", { after: null, limit: 1 });
    expect(items).toEqual([{ node: toNode(W, rowOf(properties)), place: { value: "id", key: properties["key"] } }]);
  });

  it("A new asset has all properties", async () => {
    const { properties } = await column({
      name: "id",
      fqn: "orders.id",
      ordinal: 1,
      url: "https://example.com",
      sql: "select 1",
      owner: "ada@example.com",
      ownerName: "Ada",
      certification: "certified",
      certifiedBy: "ada",
      certifiedAt: AT,
      columnLineage: { status: "known", reason: "" },
      metric: { displayName: "", kind: "simple", expression: "", grain: "", dimensions: [], filters: [] },
      usage: USAGE,
    });
    // Columns are in no other order than that of keys, and what the first moment wrote is in no index of beginnings.
    const others = new Set(["byName", "byUpdate", "byDownstream", "byUsage", "usageRank", "beganAt"]);
    const own = ASSET_PROPERTIES.filter((name) => !others.has(name));
    expect(Object.keys(properties).toSorted()).toEqual([...own, "workspace"].toSorted());
  });

  it("An asset's properties contain no null, and whole numbers as integers", async () => {
    const { properties } = await column({ name: "id", fqn: "orders.id", ordinal: 3 });
    expect(Object.values(properties)).not.toContain(null);
    expect(isInt(properties["ordinal"])).toBe(true);
    expect(properties).not.toHaveProperty("url");
  });

  it("An asset changes if a shown or searched value changes, and only then", async () => {
    const { now: before } = await merge({ name: "id", fqn: "orders.id" });
    const again = (facts: object) => merge({ name: "id", fqn: "orders.id", ...facts }, before);
    expect(await again({})).toMatchObject({ isChanged: false, isStale: false, now: { updatedAt: AT } });
    expect(await again({ description: "Key." })).toMatchObject({
      isChanged: true,
      now: { createdAt: AT, updatedAt: LATER },
    });
    expect(await again({ columnNames: ["x"] })).toMatchObject({ isChanged: true });
  });
});

describe("Values of a result", () => {
  it("A value of a result is refused if it has another type", () => {
    expect(() => text(null)).toThrow(TypeError);
    expect(() => integer(1.5)).toThrow(TypeError);
    expect(() => oneOf(["a", "b"], "c")).toThrow("expected one of a, b, not c");
  });
});

describe("Ranges of the index", () => {
  it("Ranges of the index contain one type of one workspace each, after a key", () => {
    expect(rangesAfter(W, { types: ["table", "table"] }, "k")).toEqual([
      { type: "table", after: "w\u0001table\u0001k", before: "w\u0001table\u0002" },
    ]);
    expect(rangesAfter(W, { types: "asset" }, null).map(({ type }) => type)).not.toContain("metric");
    expect(rangesAfter(W, { types: [] }, null)).toEqual([]);
  });

  it("A range for an fqn matches it in any case, and no longer fqn", () => {
    const [bounds] = rangesOfFqn(W, "Shop.Orders", "table");
    const on = (key: string): boolean => {
      const entry = `w\u0001table\u0001${key}`;
      return bounds !== undefined && entry > bounds.after && entry < bounds.before;
    };
    expect(on("shop.orders\u0001table\u00011f")).toBe(true);
    expect(on("shop.orders.id\u0001table\u00011f")).toBe(false);
    expect(on("shop.orders_old\u0001table\u00011f")).toBe(false);
    expect(rangesOfFqn(W, "x", undefined)).toHaveLength(6);
  });
});
