/** The official client over HTTP and stdio, with the newest revision of the protocol and the one before. */
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { TOOLS } from "../../../src/tools/tools.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { atDepth } from "../../support/depth.ts";
import { callToTheEnd, callTool, connectByHttp, connectByStdio, type Era } from "../../support/mcp.ts";
import { at, type Json } from "../../support/rest-client.ts";

let running: RunningApp;
beforeAll(async () => {
  running = await startApp({ sample: true });
});
afterAll(() => running.close());

const WAYS: Record<string, (era: Era) => Promise<Client>> = {
  "over HTTP": (era) => connectByHttp(running, era),
  "on stdio, over the data folder": (era) => connectByStdio([], { DATA_DIR: running.app.settings.dataDir }, era),
  "on stdio, over a service elsewhere": (era) =>
    connectByStdio(["--server", running.url], { TRIBUTARY_TOKEN: running.token }, era),
};

const CASES = Object.keys(WAYS).flatMap((way) =>
  (["auto", "legacy"] as const).map((era) => [way, era, era === "auto" ? "2026-07-28" : "2025-11-25"] as const),
);

// The fast project tries both revisions over HTTP, and one on stdio.
describe.each(atDepth(CASES.slice(0, 3), CASES))(
  "a client %s, %s: revision %s",
  { timeout: 300_000 },
  (way, era, revision) => {
    let client: Client;
    beforeAll(async () => {
      client = await (WAYS[way] ?? connectByHttp.bind(null, running))(era);
    });
    afterAll(() => client.close());

    it("A client agrees with the service on the revision, and gets the instructions", () => {
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect(client.getServerVersion()).toMatchObject({ name: "tributary", title: "Tributary" });
      expect(client.getInstructions()).toContain("search_assets");
    });

    it("A client lists the tools, and each one is marked as read-only", async () => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
      expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual(tools.map(() => true));
      expect(tools.filter(({ annotations }) => annotations?.openWorldHint).map(({ name }) => name)).toEqual(["ask"]);
    });

    it("A client finds what has no owner by null, and whatever the owner is without that argument", async () => {
      const types = ["table", "column"];
      const unowned = at(await callTool(client, "search_assets", { types, owner: null }), "total");
      expect(unowned).toBeGreaterThan(0);
      expect(at(await callTool(client, "search_assets", { types }), "total")).toBeGreaterThan(Number(unowned));
    });

    // The client itself checks each answer against the tool's output schema.
    it("A client goes from a name to its lineage, impact, columns, paths and an answer", async () => {
      const found = await callTool(client, "search_assets", { search: "fct_orders", types: ["model"] });
      const id = at(found, "items", 0, "id");
      expect(at(found, "items", 0, "fqn")).toBe("shop.marts.fct_orders");
      const board = at(
        await callTool(client, "search_assets", { search: "board revenue", types: ["dashboard"] }),
        "items",
        0,
        "id",
      );

      const named = { ids: [id], names: ["SHOP.marts.fct_orders", "shop.marts.dim_customers", "shop.nope"] };
      expect(await callTool(client, "get_assets", named)).toMatchObject({
        total: 2,
        missing: ["shop.nope"],
        items: [{ id }, { fqn: "shop.marts.dim_customers", certification: "certified" }],
      });
      const columns = await callTool(client, "list_columns", { id, search: "net_revenue" });
      expect(columns).toMatchObject({ total: 1, items: [{ name: "net_revenue_eur" }] });
      const walked = await callTool(client, "walk_lineage", { id, direction: "upstream", depth: 1 });
      expect(walked).toMatchObject({
        root: id,
        total: 3,
        reached: 3,
        deeper: true,
        truncated: false,
        completeness: { complete: true },
      });
      expect(await callTool(client, "find_paths", { from: id, to: board })).toMatchObject({ direction: "downstream" });
      expect(await callTool(client, "find_paths", { from: board, to: id })).toMatchObject({ direction: "upstream" });
      const impact = await callTool(client, "assess_impact", {
        id: at(columns, "items", 0, "id"),
        changeType: "column_drop",
      });
      expect(at(impact, "counts", "total")).toBe(at(impact, "total"));
      const dashboards = await callTool(client, "assess_impact", {
        id: at(columns, "items", 0, "id"),
        changeType: "column_drop",
        types: ["dashboard"],
      });
      expect(dashboards).toMatchObject({
        total: 3,
        counts: { total: 3, columns: 0, types: [{ type: "dashboard", count: 3 }] },
        items: [{ type: "dashboard" }, { type: "dashboard" }, { type: "dashboard" }],
      });
      expect(await callTool(client, "list_metrics", { search: "revenue" })).toMatchObject({ truncated: false });
      const answer = await callTool(client, "ask", { question: "Who owns fct_orders?" });
      expect(at(answer, "answer")).toContain("commerce-analytics@example.com");
      expect(at(answer, "readAs")).toContain("fct_orders");
      expect(at(answer, "items", 0, "assetId")).toBe(id);
    });

    it("A client reads an asset as a resource, and nothing else", async () => {
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual(["tributary://asset/{id}"]);
      const id = at(
        await callTool(client, "search_assets", { search: "fct_orders", types: ["model"] }),
        "items",
        0,
        "id",
      );
      const { contents } = await client.readResource({ uri: `tributary://asset/${String(id)}` });
      const [{ text } = { text: "" }] = contents as { text: string }[];
      expect(JSON.parse(text)).toMatchObject({ id, fqn: "shop.marts.fct_orders", columnsTruncated: false });
      for (const uri of ["tributary://asset/00", "tributary://asset/", "file:///etc/passwd", "no uri"]) {
        await expect(client.readResource({ uri })).rejects.toThrow(/not found/);
      }
    });

    it("A client gets the prompts, with its arguments filled in", async () => {
      const { prompts } = await client.listPrompts();
      expect(prompts.map(({ name }) => name)).toEqual(["what_breaks_if", "where_does_this_number_come_from"]);
      const { messages } = await client.getPrompt({ name: "what_breaks_if", arguments: { change: "drop x" } });
      expect(messages).toMatchObject([{ role: "user", content: { type: "text" } }]);
      expect(JSON.stringify(messages)).toContain("drop x");
      await expect(client.getPrompt({ name: "what_breaks_if", arguments: {} })).rejects.toThrow("1 to 1000 characters");
      await expect(client.getPrompt({ name: "nope" })).rejects.toThrow('There is no prompt "nope"');
    });

    it("A client learns what was wrong with a call, in words that a model can act on", async () => {
      await expect(callTool(client, "walk_lineage", { id: "x", depth: 99 })).rejects.toThrow(
        /^bad_request: id: must be an id from an earlier answer \(get_assets .*\); direction: .*; depth: /,
      );
      await expect(callTool(client, "get_assets", { ids: ["00"], asset: "y" })).rejects.toThrow(
        "asset: is no argument of this tool",
      );
      await expect(callTool(client, "list_columns", { id: "00" })).rejects.toThrow('not_found: No asset with id "00"');
      await expect(callTool(client, "assess_impact", { id: "00", changeType: "deprecate" })).rejects.toThrow(
        "not_found",
      );
      await expect(callTool(client, "search_assets", { cursor: "x" })).rejects.toThrow(
        "bad_request: cursor: is not a cursor",
      );
      await expect(callTool(client, "get_assets", {})).rejects.toThrow("ids: give 1 to 100 ids or names");
      await expect(callTool(client, "nope", {})).rejects.toThrow('There is no tool "nope"');
    });
  },
);

const ids = (of: Json): Json[] => (Array.isArray(of) ? of.map((item) => at(item, "id")) : []);

it("The least bound has room for an assessment: its pages have every item, and what stands beside them is cut", async () => {
  const client = await connectByHttp(running);
  const found = await callTool(client, "search_assets", { search: "fct_orders", types: ["model"] });
  const given = { id: at(found, "items", 0, "id"), changeType: "asset_drop", maxCharacters: 2_000 };
  const whole = await callTool(client, "assess_impact", { ...given, maxCharacters: 100_000, limit: 200 });
  const { items, pages } = await callToTheEnd(client, "assess_impact", given);
  expect(ids(items)).toEqual(ids(at(whole, "items")));
  for (const page of pages) {
    expect(JSON.stringify(page).length).toBeLessThanOrEqual(2_000);
    expect(at(page, "ownersTotal")).toBe(at(whole, "ownersTotal"));
    expect(at(page, "asset", "id")).toBe(given.id);
  }
  await client.close();
});
