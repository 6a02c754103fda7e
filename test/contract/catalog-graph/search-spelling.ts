/** Searches with misspelt words. */
import fc from "fast-check";
import { expect, it } from "vitest";

import { parseSearch, type SearchPosition, splitIdentifier } from "../../../src/catalog/search.ts";
import type { NodeFacts } from "../../../src/catalog/statement.ts";
import type { NodeFilter } from "../../../src/graph/catalog-graph.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { propertyRuns } from "../../support/depth.ts";
import { allPages, columnOf, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import type { OpenGraph } from "../catalog-graph.ts";

const ASSETS: NodeFilter = { types: "asset" };

export function describeSearchSpelling(open: OpenGraph): void {
  async function tables(...facts: Partial<NodeFacts>[]): Promise<WorkspaceId> {
    const w = newWorkspace();
    const nodes = facts.map((fact, i) => nodeOf(w, "table", String(i).padStart(2, "0"), fact));
    await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
    return w;
  }

  function search(workspace: WorkspaceId, text: string, filter = ASSETS, limit = 2) {
    const query = present(parseSearch(text));
    return allPages(
      (after: SearchPosition | null) => open().searchNodes(workspace, filter, query, { after, limit }),
      (item) => item.position,
    );
  }

  async function found(workspace: WorkspaceId, text: string, filter = ASSETS): Promise<string[]> {
    return (await search(workspace, text, filter)).map(({ node }) => node.name);
  }

  it("A misspelt word finds the same as the correct word, in the same order", async () => {
    const w = await tables(
      { name: "told", description: "Has the revenue of a day." },
      { name: "net_revenue" },
      { name: "revenue_daily", certification: "deprecated" },
      { name: "revenue" },
      { name: "orders", tags: ["Revenue"] },
    );
    const expected = ["revenue", "revenue_daily", "net_revenue", "orders", "told"];
    for (const text of ["revenue", "revnue", "reveneu", "ervenue", "revenuee", "Revanue"]) {
      expect([text, await found(w, text)]).toEqual([text, expected]);
    }
    expect(await found(w, "revnues")).toEqual(await found(w, "revenues"));
    expect(await found(w, "net_revnue")).toEqual(["net_revenue"]);
  });

  it("A word of four to seven letters may have one typing error, a longer one two, and a shorter one none", async () => {
    const w = await tables({ name: "customers" }, { name: "payment" }, { name: "day" }, { name: "2024" });
    expect(await found(w, "cusotmres")).toEqual(["customers"]);
    expect(await found(w, "cusotmresx")).toEqual([]);
    expect(await found(w, "paymnet")).toEqual(["payment"]);
    expect(await found(w, "pamnet")).toEqual([]);
    expect(await found(w, "dya")).toEqual([]);
    expect(await found(w, "2042")).toEqual([]);
    expect(await found(w, "rayment")).toEqual([]);
  });

  it("A correction with fewer errors is preferred, then the term in more rows, then the order of the terms", async () => {
    const w = await tables(
      { name: "a order" },
      { name: "a older" },
      { name: "b older" },
      { name: "a border" },
      { name: "a column1" },
      { name: "a colums" },
    );
    expect(await found(w, "oder")).toEqual(["a older", "b older"]);
    expect(await found(w, "ordder")).toEqual(["a order"]);
    const even = await tables({ name: "x rate" }, { name: "x rake" });
    expect(await found(even, "rape")).toEqual(["x rake"]);
  });

  it("The next correction is taken if no row with the best one passes the filter", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "x", { name: "the order" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [
      orders,
      nodeOf(w, "model", "y", { name: "the older", tags: ["old"] }),
      columnOf(w, orders, "order", 0),
    ]);
    expect(await found(w, "oder")).toEqual(["order", "the order"]);
    expect(await found(w, "oder", { types: ["model"] })).toEqual(["the older"]);
    expect(await found(w, "oder", { types: ["metric"] })).toEqual([]);
    expect(await found(w, "oder", { ...ASSETS, tag: "old" })).toEqual(["the older"]);
  });

  it("A word that begins a term is not corrected, and no word is if one of them finds something", async () => {
    const w = newWorkspace();
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [
      nodeOf(w, "table", "a", { name: "customs_house" }),
      nodeOf(w, "model", "b", { name: "custody_daily" }),
    ]);
    expect(await found(w, "custo", { types: ["dashboard"] })).toEqual([]);
    expect(await found(w, "customs", { types: ["model"] })).toEqual([]);
    expect(await found(w, "custodi daily")).toEqual(["custody_daily"]);
    expect((await search(w, "custodi daily")).map(({ position }) => position.corrections)).toEqual([undefined]);
    expect(await found(w, "custodi dailly")).toEqual(["custody_daily"]);
  });

  it("A correction never comes from another workspace or a removed node", async () => {
    await tables({ name: "confidential" }, { name: "merger_confidential" });
    const w = await tables({ name: "orders" });
    expect(await found(w, "confidentail")).toEqual([]);
    await open().writeNodes(stampOf(w, "other", 1), "all", [nodeOf(w, "table", "x", { name: "confidant" })]);
    expect(await found(w, "confidnat")).toEqual(["confidant"]);
    await open().sweep(stampOf(w, "other", 2), "all");
    expect(await found(w, "confidnat")).toEqual([]);
  });

  it("Misspelt words are found in any script", async () => {
    const w = await tables({ name: "n1", description: "ежедневные ЗАКАЗЫ" }, { name: "Übersicht" }, { name: "𐐨𐐩𐐪𐐫𐐬" });
    expect(await found(w, "закзы")).toEqual(["n1"]);
    expect(await found(w, "ubersihct")).toEqual(["Übersicht"]);
    expect(await found(w, "𐐨𐐩𐐪𐐬𐐫")).toEqual(["𐐨𐐩𐐪𐐫𐐬"]);
  });

  it("Later pages use the corrections of the first page, even if other words become known", async () => {
    const names = ["revenue a", "revenue b", "revenue c", "revenue d"];
    const w = await tables(...names.map((name) => ({ name })));
    expect(await found(w, "revnue")).toEqual(names);
    const query = present(parseSearch("revnue"));
    const page = (after: SearchPosition | null) => open().searchNodes(w, ASSETS, query, { after, limit: 2 });
    const first = await page(null);
    expect(first.items.map(({ position }) => position.corrections)).toEqual([
      [["revnue", "revenue"]],
      [["revnue", "revenue"]],
    ]);
    const known = nodeOf(w, "table", "zz", { name: "revnue" });
    await open().writeNodes(stampOf(w, "other", 1), "all", [known]);
    const second = await page(first.items.at(-1)?.position ?? null);
    expect(second.items.map(({ node }) => node.name)).toEqual(names.slice(2));
    expect(second.hasMore).toBe(false);
    expect((await page(null)).items.map(({ node }) => node.name)).toEqual(["revnue"]);
  });

  it("Only a search that finds nothing is corrected, and the correction is the same as the reference's", async () => {
    const letter = fc.constantFrom(..."abcde");
    const word = fc.array(letter, { minLength: 3, maxLength: 9 }).map((letters) => letters.join(""));
    const near = fc
      .tuple(word, fc.nat(8), letter)
      .map(([text, at, put]) => [
        text,
        text.slice(0, at) + put + text.slice(at + 1),
        text.slice(0, at) + text.slice(at + 1),
      ]);
    const drawn = fc.record({
      pairs: fc.array(near, { minLength: 1, maxLength: 4 }),
      limit: fc.integer({ min: 1, max: 3 }),
      types: fc.constantFrom<NodeFilter["types"]>("asset", ["table"], ["model", "metric"]),
    });
    await fc.assert(
      fc.asyncProperty(drawn, async ({ pairs, limit, types }) => {
        const w = newWorkspace();
        const reference = createReferenceGraph();
        const nodes = pairs.map(([name = "", description = ""], i) =>
          nodeOf(w, i % 2 === 0 ? "table" : "model", `t${i}`, { name, description: i % 3 === 0 ? description : "" }),
        );
        for (const graph of [open(), reference]) await graph.writeNodes(stampOf(w, "dbt", 1), "all", nodes);
        for (const text of [...pairs.flat(), pairs.map(([, , typed]) => typed).join(" ")]) {
          const query = parseSearch(text);
          if (query === null) continue;
          const items = await search(w, text, { types }, limit);
          const expected = await reference.searchNodes(w, { types }, query, { after: null, limit: 100 });
          expect(items).toEqual(expected.items);
          const shown = nodes.filter(({ type }) => types === "asset" || types.includes(type));
          const terms = new Set(
            shown.flatMap(({ facts }) => splitIdentifier(`${facts.name} ${facts.description ?? ""}`)),
          );
          const corrected = items.filter(({ position }) => position.corrections !== undefined);
          expect(query.terms.some((term) => terms.has(term)) ? corrected : []).toEqual([]);
        }
      }),
      propertyRuns(30),
    );
  });
}
