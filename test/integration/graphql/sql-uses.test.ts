import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { columnOf, edgeOf, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at } from "../../support/rest-client.ts";

interface Uses {
  reason: string | null;
  columns: { column: { name: string; parent: { name: string } }; ranges: { start: number; end: number }[] }[];
}

const USES = "sql sqlUses { reason columns { column { name parent { name } } ranges { start end } } }";

let running: RunningApp;
let client: GraphqlClient;
beforeAll(async () => {
  running = await startApp({ sample: true });
  client = createGraphqlClient(running);
});
afterAll(() => running.close());

describe("the uses of columns in SQL", () => {
  it("The SQL of the sample's models shows where it names columns", async () => {
    const { data, codes } = await client(`{ assets(type: model, first: 30) { nodes { name ${USES} } } }`);
    expect(codes).toEqual([]);
    const models = at(data, "assets", "nodes") as unknown as {
      name: string;
      sql: string | null;
      sqlUses: Uses | null;
    }[];
    let found = 0;
    for (const { sql, sqlUses } of models) {
      if (sql === null || sqlUses === null) continue;
      for (const { column, ranges } of sqlUses.columns) {
        expect(ranges.length).toBeGreaterThan(0);
        // The first use names a column of the table itself. Later ones may name a copy.
        const [first] = ranges;
        const written = sql.slice(first?.start, first?.end).replaceAll('"', "");
        expect(written.toLowerCase()).toBe(column.name.toLowerCase());
        found += ranges.length;
      }
    }
    expect(found).toBeGreaterThan(100);
  });

  it("Columns with the same name are told apart by their tables, with the reason if some uses may be missing", async () => {
    const { id: workspace } = present(await running.app.metadata.workspaces.findByName("default"));
    const left = nodeOf(workspace, "table", "uses.raw.a");
    const right = nodeOf(workspace, "table", "uses.raw.b");
    const sql = "select a.id, b.id as other, b.gone from uses.raw.a join uses.raw.b on a.id = b.ref";
    const model = nodeOf(workspace, "model", "uses.marts.joined", { sql });
    const torn = nodeOf(workspace, "model", "uses.marts.torn", { sql: "select from where (" });
    const columns = [columnOf(workspace, left, "id", 0), columnOf(workspace, right, "id", 0)];
    const stamp = stampOf(workspace, "uses", 1);
    const ref = columnOf(workspace, right, "ref", 1);
    await running.app.graph.writeNodes(stamp, "all", [left, right, model, torn, ...columns, ref]);
    await running.app.graph.writeEdges(stamp, "all", [edgeOf(left, model, "derives"), edgeOf(right, model, "derives")]);
    const query = `query ($id: ID!) { asset(id: $id) { ${USES} } }`;
    const { data, codes } = await client(query, { id: model.id });
    expect(codes).toEqual([]);
    const range = (text: string, from = 0) => ({
      start: sql.indexOf(text, from),
      end: sql.indexOf(text, from) + text.length,
    });
    const inOn = sql.indexOf("on a.id");
    expect(at(data, "asset", "sqlUses")).toEqual({
      reason: expect.stringContaining("gone"),
      columns: [
        { column: { name: "id", parent: { name: "a" } }, ranges: [range("id"), range("id", inOn)] },
        { column: { name: "id", parent: { name: "b" } }, ranges: [range("id", sql.indexOf("b.id"))] },
        { column: { name: "ref", parent: { name: "b" } }, ranges: [range("ref")] },
      ],
    });
    expect(at((await client(query, { id: torn.id })).data, "asset", "sqlUses")).toEqual({
      reason: expect.any(String),
      columns: [],
    });
    expect(at((await client(query, { id: left.id })).data, "asset", "sqlUses")).toBeNull();
  });

  it("The uses of columns in SQL count against the cost of a query", async () => {
    const { codes, message } = await client(`{ assets(type: model, first: 200) { nodes { ${USES} } } }`);
    expect(codes).toEqual(["BAD_REQUEST"]);
    expect(message).toContain("cost");
  });
});
