import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { NodeType } from "../../../src/catalog/node-types.ts";
import { type ConnectorLayer, type NodeIdentity, showNode } from "../../../src/catalog/layers.ts";
import { type NodeFacts, toFacts } from "../../../src/catalog/statement.ts";
import { toConnectorId, toNodeId, toWorkspaceId } from "../../../src/ids.ts";

const node: NodeIdentity = { id: toNodeId("1"), workspace: toWorkspaceId("w"), platform: "postgres", parentId: null };

function layer(connector: string, precedence: number, facts: Partial<NodeFacts> = {}, scope = "all"): ConnectorLayer {
  return {
    lineagePrecedence: 10,
    connectorCreatedAt: "2026-01-01T00:00:00.000Z",
    type: "table",
    existence: "held",
    connectorId: toConnectorId(`id of ${connector}`),
    connectorName: connector,
    scope,
    precedence,
    facts: toFacts({ name: "orders", fqn: "shop.orders", ...facts }),
  };
}

function saying(connector: string, lineagePrecedence: number, type: NodeType): ConnectorLayer {
  return { ...layer(connector, 10, { sql: connector }), lineagePrecedence, type };
}

/** The certification that is shown for a node with these facts of one connector. */
function certified(type: NodeType, certification: NodeFacts["certification"]): string {
  return showNode(node, [{ ...layer("dbt", 10, { certification }), type }], {}).certification;
}

describe("showNode", () => {
  it("showNode takes each fact from the first connector that knows it", () => {
    const high = layer("warehouse", 20, { name: "ORDERS", fqn: "SHOP.ORDERS", dataType: "text", ordinal: 3 });
    const low = layer("dbt", 10, {
      description: "Orders.",
      dataType: "varchar",
      ordinal: 0,
      url: "https://x",
      sql: "s",
    });
    expect(showNode(node, [low, high], {})).toMatchObject({
      name: "ORDERS",
      fqn: "SHOP.ORDERS",
      key: "shop.orders\u00011",
      dataType: "text",
      ordinal: 3,
      description: "Orders.",
      url: "https://x",
      sql: "s",
      sourceConnector: "warehouse",
      connectors: ["warehouse", "dbt"],
    });
  });

  it("showNode takes owner and materialization from the tool that builds the table, not from the warehouse", () => {
    const facts = { ownerName: "etl_role", materialization: "table", dataType: "integer" };
    const warehouse = { ...layer("warehouse", 100, facts), lineagePrecedence: 100 };
    const built = { owner: "ada@example.com", materialization: "incremental", dataType: "number" };
    const dbt = { ...layer("dbt", 50, built), lineagePrecedence: 300 };
    expect(showNode(node, [warehouse, dbt], {})).toMatchObject({ ...built, ownerName: "", dataType: "integer" });
    const silent = { ...dbt, facts: toFacts({ name: "orders", fqn: "shop.orders" }) };
    expect(showNode(node, [warehouse, silent], {})).toMatchObject({ ...facts, owner: "" });
  });

  it("showNode takes SQL and lineage from the first connector that knows them, before one that says why it does not", () => {
    const unknown = { columnLineage: { status: "unknown", reason: "it is not compiled" } as const };
    const dbt = { ...layer("dbt", 50, unknown), lineagePrecedence: 300 };
    const warehouse = { ...layer("warehouse", 100, { sql: "select 1" }), lineagePrecedence: 100 };
    expect(showNode(node, [dbt, warehouse], {})).toMatchObject({
      lineageConnector: "warehouse",
      sql: "select 1",
      gap: "",
    });
    expect(showNode(node, [dbt], {})).toMatchObject({ lineageConnector: "dbt", gap: "it is not compiled" });
  });

  it("showNode takes the owner from anybody before the role that owns a table in its database", () => {
    const role: Partial<NodeFacts> = { owner: "etl@example.com", ownedByRole: true };
    const warehouse = { ...layer("warehouse", 100, role), lineagePrecedence: 100 };
    const other = { ...layer("catalog", 45, { ownerName: "Sales" }), lineagePrecedence: 90 };
    expect(showNode(node, [warehouse, other], {})).toMatchObject({ owner: "", ownerName: "Sales" });
    expect(showNode(node, [warehouse], {})).toMatchObject({ owner: "etl@example.com", ownerName: "" });
  });

  it("showNode takes the lineage of a model from those who know it as one, and of these from its own tool", () => {
    const all = [
      saying("dbt", 300, "table"),
      saying("a catalog that read dbt", 90, "model"),
      saying("events", 200, "table"),
      saying("warehouse", 100, "table"),
      saying("a catalog that read the warehouse", 90, "table"),
    ];
    const believed = all.map((_, i) => showNode(node, all.slice(i).toReversed(), {}).lineageConnector);
    expect(believed).toEqual(all.map(({ connectorName }) => connectorName));
  });

  it("showNode merges meta key by key, with the higher precedence first", () => {
    const own = JSON.parse('{"__proto__": "a name like any other"}') as Record<string, unknown>;
    const high = layer("warehouse", 20, { meta: { tier: "gold", ...own } });
    const low = layer("dbt", 10, { meta: { tier: "silver", reviewed: [true] } });
    const { meta } = showNode(node, [low, high], {});
    expect(Object.entries(meta).toSorted()).toEqual([
      ["__proto__", "a name like any other"],
      ["reviewed", [true]],
      ["tier", "gold"],
    ]);
  });

  it("showNode does not depend on the order in which layers arrive", () => {
    const layers = [
      layer("b", 10, { tags: ["x"] }),
      layer("a", 10, { sql: "a" }),
      layer("a", 10, { sql: "z" }, "other"),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(layers, { minLength: 3 }), (shuffled) => {
        expect(showNode(node, shuffled, {})).toEqual(showNode(node, layers, {}));
      }),
    );
    expect(showNode(node, layers, {})).toMatchObject({ sql: "a", connectors: ["a", "b"] });
  });

  it("showNode joins all connectors' tags, each once, in order", () => {
    const layers = [layer("a", 10, { tags: ["z", "pii"] }), layer("b", 20, { tags: ["pii", "a"] })];
    expect(showNode(node, layers, {}).tags).toEqual(["a", "pii", "z"]);
  });

  it("showNode takes owner and name from one connector, and certification and certifier from one connector", () => {
    const high = layer("high", 20, { owner: "", ownerName: "The team", certification: "pending" });
    const low = layer("low", 10, {
      owner: "ada@example.com",
      ownerName: "Ada",
      certification: "certified",
      certifiedBy: "ada@example.com",
      certifiedAt: "2026-01-01T00:00:00.000Z",
    });
    expect(showNode(node, [high, low], {})).toMatchObject({
      owner: "",
      ownerName: "The team",
      certification: "pending",
      certifiedBy: null,
      certifiedAt: null,
    });
  });

  it("showNode prefers a person's edits to what connectors report", () => {
    const said = layer("dbt", 10, {
      description: "theirs",
      tags: ["theirs"],
      owner: "ada@example.com",
      ownerName: "Ada",
      certification: "certified",
      certifiedBy: "ada@example.com",
    });
    const curation = {
      description: "",
      tags: ["z", "a"],
      owner: "bob@example.com",
      certification: "deprecated" as const,
    };
    expect(showNode(node, [said], curation)).toMatchObject({ ...curation, ownerName: "", certifiedBy: null });
  });

  it("showNode shows a metric as certified or pending, and an asset that nobody certified as none", () => {
    expect([certified("table", null), certified("table", "deprecated")]).toEqual(["none", "deprecated"]);
    expect([certified("metric", null), certified("metric", "deprecated")]).toEqual(["pending", "pending"]);
    expect(certified("metric", "certified")).toBe("certified");
  });

  it("showNode throws for a node without a layer", () => {
    expect(() => showNode(node, [], {})).toThrow("no layer");
  });
});
