/** What a search finds, and in which order. */
import { expect, it } from "vitest";

import { type SearchPosition, TIER, parseSearch } from "../../../src/catalog/search.ts";
import type { NodeFacts } from "../../../src/catalog/statement.ts";
import type { NodeFilter } from "../../../src/graph/catalog-graph.ts";
import type { WorkspaceId } from "../../../src/ids.ts";
import { isFull } from "../../support/depth.ts";
import { allPages, columnOf, newWorkspace, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { present } from "../../support/present.ts";
import { createReferenceGraph } from "../../support/reference-graph.ts";
import type { OpenGraph } from "../catalog-graph.ts";

const ASSETS: NodeFilter = { types: "asset" };

export function describeSearch(open: OpenGraph): void {
  /** Writes one table for each set of facts. Their fqns only decide the order. */
  async function tables(...facts: Partial<NodeFacts>[]): Promise<WorkspaceId> {
    const w = newWorkspace();
    const nodes = facts.map((fact, i) => nodeOf(w, "table", String(i).padStart(2, "0"), fact));
    await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
    return w;
  }

  /** Every row that a search finds, read page by page. */
  function search(workspace: WorkspaceId, text: string, filter = ASSETS, limit = 2) {
    const query = present(parseSearch(text));
    return allPages(
      (after: SearchPosition | null) => open().searchNodes(workspace, filter, query, { after, limit }),
      (item) => item.position,
    );
  }

  async function found(workspace: WorkspaceId, text: string, filter = ASSETS, limit = 2): Promise<string[]> {
    const items = await search(workspace, text, filter, limit);
    return items.map((item) => item.node.name);
  }

  it("A search ranks by tier: exact name, exact fqn, start of the name, name, tags or columns, description", async () => {
    const w = await tables(
      { name: "t6", description: "Orders of the shop, as they came." },
      { name: "t6 in part", tags: ["shop"], description: "The orders." },
      { name: "t5 by column", columnNames: ["shop_id", "orders"] },
      { name: "t5 by tag", tags: ["shop orders"] },
      { name: "shop t5", tags: ["orders"] },
      { name: "all_orders_of_the_shop" },
      { name: "daily shop orders" },
      { name: "Shop.Orders_2024" },
      { name: "t2", fqn: "raw.shop.orders" },
      { name: "t2 whole", fqn: "Shop.Orders" },
      { name: "Shop.Orders" },
      { name: "shops", description: "nothing of the kind" },
    );
    const items = await search(w, "shop.orders");
    expect(items.map(({ node, position }) => [position.tier, node.name])).toEqual([
      [TIER.exactName, "Shop.Orders"],
      [TIER.exactFqn, "t2"],
      [TIER.exactFqn, "t2 whole"],
      [TIER.nameBegins, "Shop.Orders_2024"],
      [TIER.name, "all_orders_of_the_shop"],
      [TIER.name, "daily shop orders"],
      [TIER.tagsOrColumns, "t5 by column"],
      [TIER.tagsOrColumns, "t5 by tag"],
      [TIER.tagsOrColumns, "shop t5"],
      [TIER.description, "t6"],
      [TIER.description, "t6 in part"],
    ]);
    expect(items.every(({ position }) => position.mode === "all" && position.matched === 2)).toBe(true);
  });

  it("What has a label is found by the last part of its fqn, before all whose names only have the words", async () => {
    const w = await tables(
      { name: "Finance board", fqn: "bi.dash_finance" },
      { name: "dash_finance_day" },
      { name: "dash_finance" },
      { name: "other", fqn: "dash_finance.other" },
    );
    const items = await search(w, "dash_finance");
    expect(items.map(({ node, position }) => [position.tier, node.name])).toEqual([
      [TIER.exactName, "dash_finance"],
      [TIER.exactFqn, "Finance board"],
      [TIER.nameBegins, "dash_finance_day"],
    ]);
  });

  it("A search for a table and a column of it with a space between them finds the column first", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "shop.marts.fct_orders");
    const others = nodeOf(w, "table", "shop.marts.fct_orders_amount", { description: "amount" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders, columnOf(w, orders, "amount", 0), others]);
    const namesFor = async (text: string) => {
      const query = present(parseSearch(text));
      const { items } = await open().searchNodes(w, { types: "asset" }, query, { after: null, limit: 10 });
      return items.map(({ node, position: { tier } }) => `${tier} ${node.fqn}`);
    };
    const column = "2 shop.marts.fct_orders.amount";
    expect((await namesFor("fct_orders amount"))[0]).toBe(column);
    expect((await namesFor("FCT_Orders  Amount"))[0]).toBe(column);
    expect((await namesFor("marts fct_orders amount"))[0]).toBe(column);
    expect(await namesFor("marts fct_orders")).toEqual(["2 shop.marts.fct_orders"]);
    expect(await namesFor("orders amount")).not.toContain(column);
  });

  it("A search for a table and the beginning of a column finds the table's columns that begin so", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "shop.marts.fct_orders", { tags: ["net"] });
    const copy = nodeOf(w, "model", "copy.fct_orders");
    const others = nodeOf(w, "table", "shop.marts.fct_orders_net");
    const columns = ["net_revenue_eur", "net_revenue", "gross_revenue"].map((name, i) => columnOf(w, orders, name, i));
    const more = [columnOf(w, copy, "NET_TOTAL", 0), columnOf(w, others, "net_revenue", 0)];
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders, copy, others, ...columns, ...more]);
    const fqns = async (text: string, types: NodeFilter["types"] = "asset") =>
      (await search(w, text, { types }, 1)).map(({ node, position: { tier } }) => `${tier} ${node.fqn}`);
    const ofOrders = ["3 shop.marts.fct_orders.net_revenue", "3 shop.marts.fct_orders.net_revenue_eur"];
    const any = ["3 copy.fct_orders.NET_TOTAL", ...ofOrders, "5 shop.marts.fct_orders_net", "6 shop.marts.fct_orders"];
    expect(await fqns("fct_orders net")).toEqual(any);
    expect(await fqns("marts.fct_orders.net")).toEqual(ofOrders);
    expect(await fqns("fct_orders.net_revenue_e")).toEqual(ofOrders.slice(1));
    expect(await fqns("fct_orders net", ["column"])).toEqual(any.slice(0, 3));
    expect(await fqns("fct_orders net", ["table"])).toEqual(any.slice(3));
  });

  it("A search puts columns after assets that match, unless a column has exactly that name", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders", { columnNames: ["revenue_eur"] });
    const shop = nodeOf(w, "model", "shop_revenue");
    const told = nodeOf(w, "table", "told", { description: "Has the revenue of a day." });
    const columns = ["revenue_eur", "net_revenue", "total"].map((name, i) => columnOf(w, orders, name, i));
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders, shop, told, ...columns]);
    expect(await found(w, "revenues")).toEqual(["shop_revenue", "orders", "told", "net_revenue", "revenue_eur"]);
    const any = await found(w, "revenue unheard");
    expect([any.slice(0, 3), any.slice(3).toSorted()]).toEqual([
      ["shop_revenue", "orders", "told"],
      ["net_revenue", "revenue_eur"],
    ]);
    expect(await found(w, "net_revenue")).toEqual(["net_revenue"]);
    expect(await found(w, "revenue", { types: ["column"] })).toEqual(["revenue_eur", "net_revenue"]);
  });

  it("A search finds plurals by singulars, and owners by their names and addresses", async () => {
    const w = await tables(
      { name: "dim_ballparks", owner: "ada@example.com" },
      { name: "category_of_goods", ownerName: "Grace Hopper" },
    );
    expect(await found(w, "ballpark")).toEqual(["dim_ballparks"]);
    expect(await found(w, "categories goods")).toEqual(["category_of_goods"]);
    expect(await found(w, "ada@example.com")).toEqual(["dim_ballparks"]);
    expect(await found(w, "hopper")).toEqual(["category_of_goods"]);
  });

  it("A search puts certified nodes first within a tier, then owned ones, and deprecated ones last, each by key", async () => {
    const w = await tables(
      { name: "orders_deprecated_owned", certification: "deprecated", owner: "ada@example.com" },
      { name: "orders_deprecated", certification: "deprecated" },
      { name: "orders_none" },
      { name: "orders_certified_a", certification: "certified" },
      { name: "orders_pending", certification: "pending" },
      { name: "orders_owned_pending", certification: "pending", owner: "ada@example.com" },
      { name: "orders_owned_by_name", ownerName: "Grace Hopper" },
      { name: "orders_certified_b", certification: "certified" },
      { name: "orders_certified_owned", certification: "certified", owner: "ada@example.com" },
      { name: "my_orders_certified", certification: "certified" },
    );
    expect(await found(w, "orders")).toEqual([
      "orders_certified_a",
      "orders_certified_b",
      "orders_certified_owned",
      "orders_owned_pending",
      "orders_owned_by_name",
      "orders_none",
      "orders_pending",
      "orders_deprecated_owned",
      "orders_deprecated",
      "my_orders_certified",
    ]);
  });

  it("If no row has all terms, a search accepts rows with any, by certification and number of terms", async () => {
    const w = await tables(
      { name: "alpha" },
      { name: "x", description: "alpha beta" },
      { name: "beta alpha" },
      { name: "certified beta", certification: "certified" },
      { name: "y", tags: ["beta"], description: "alpha" },
      { name: "z", description: "nothing" },
    );
    const items = await search(w, "alpha beta gamma");
    expect(items.map(({ node, position }) => [position.tier, position.matched, node.name])).toEqual([
      [TIER.name, 1, "certified beta"],
      [TIER.name, 2, "beta alpha"],
      [TIER.name, 1, "alpha"],
      [TIER.tagsOrColumns, 2, "y"],
      [TIER.description, 2, "x"],
    ]);
    expect(items.every(({ position }) => position.mode === "any")).toBe(true);
  });

  it("If one row has all terms, a search leaves out rows that lack one", async () => {
    const w = await tables({ name: "alpha" }, { name: "beta alpha" }, { name: "beta" });
    expect(await found(w, "alpha beta")).toEqual(["beta alpha"]);
  });

  it("A search chooses between all and any term among the rows that pass the filter", async () => {
    const w = newWorkspace();
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [
      nodeOf(w, "table", "alpha"),
      nodeOf(w, "model", "alpha_beta"),
    ]);
    expect(await found(w, "alpha beta")).toEqual(["alpha_beta"]);
    expect(await found(w, "alpha beta", { types: ["table"] })).toEqual(["alpha"]);
    expect(await found(w, "alpha beta", { types: ["metric"] })).toEqual([]);
  });

  it("A search keeps its mode from page to page, even if rows are added and removed", async () => {
    const w = await tables({ name: "alpha 1" }, { name: "alpha 2" });
    const query = present(parseSearch("alpha beta"));
    const page = (after: SearchPosition | null, limit: number) =>
      open().searchNodes(w, ASSETS, query, { after, limit });
    const any = await page(null, 1);
    expect(any.items.map((item) => item.node.name)).toEqual(["alpha 1"]);

    const both = ["m", "n"].map((fqn) => nodeOf(w, "table", fqn, { name: `${fqn} alpha beta` }));
    await open().writeNodes(stampOf(w, "both", 1), "all", both);
    const anyOn = await page(any.items[0]?.position ?? null, 9);
    expect(anyOn.items.map((item) => [item.node.name, item.position.mode])).toEqual([["alpha 2", "any"]]);

    const all = await page(null, 1);
    expect(all.items.map((item) => [item.node.name, item.position.mode])).toEqual([["m alpha beta", "all"]]);
    await open().sweep(stampOf(w, "both", 2), "all");
    expect(await page(all.items[0]?.position ?? null, 9)).toEqual({ items: [], hasMore: false });
  });

  it("A search matches only the last term as a prefix", async () => {
    const w = await tables({ name: "daily_orders" }, { name: "customer_orders" }, { name: "dai_order" });
    expect(await found(w, "daily ord")).toEqual(["daily_orders"]);
    expect(await found(w, "dai ord")).toEqual(["dai_order"]);
    expect(await found(w, "o")).toEqual(["daily_orders", "customer_orders", "dai_order"]);
    expect(await found(w, "rders")).toEqual([]);
  });

  it("A search splits words at camel case, digits, underscores and dots", async () => {
    const w = await tables(
      { name: "a1", description: "HTTPServer" },
      { name: "a2", description: "customerOrders2024" },
      { name: "a3", description: "stg_payments.amount" },
    );
    for (const text of ["server", "http server", "http_server", "HttpServer", "httpServ"]) {
      expect(await found(w, text)).toEqual(["a1"]);
    }
    for (const text of ["orders", "2024", "customer 2024", "order2024 customer", "customer.orders"]) {
      expect(await found(w, text)).toEqual(["a2"]);
    }
    for (const text of ["payments", "stg amount", "stg_payments", "STG-AMOUNT"]) {
      expect(await found(w, text)).toEqual(["a3"]);
    }
  });

  it("A search finds text in any script, whatever its case, accents and width", async () => {
    const w = await tables(
      { name: "n0", description: "Größe der Übersicht" },
      { name: "n1", description: "ежедневные ЗАКАЗЫ" },
      { name: "n2", description: "顧客 注文" },
      { name: "n3", description: "طلبات العملاء" },
      { name: "n4", description: "cafe\u0301 ｆｕｌｌ width" },
      { name: "n5", description: "𝒜lgebra 𐐀𐐁" },
    );
    const expected: Record<string, string[]> = {
      grosse: [],
      große: ["n0"],
      GRÖSSE: [],
      ubersicht: ["n0"],
      ÜBERS: ["n0"],
      заказы: ["n1"],
      ЕЖЕДН: ["n1"],
      顧: ["n2"],
      "顧客 注文": ["n2"],
      العملاء: ["n3"],
      café: ["n4"],
      CAFE: ["n4"],
      full: ["n4"],
      algebra: ["n5"],
      𐐨: ["n5"],
    };
    for (const [text, names] of Object.entries(expected)) expect([text, await found(w, text)]).toEqual([text, names]);
  });

  it("A search takes the operators of all query languages as plain text", async () => {
    const w = await tables({ name: "orders" }, { name: "customers" }, { name: "near and not or" });
    const [orders, customers, words] = ["orders", "customers", "near and not or"];
    const expected: [text: string, names: string[]][] = [
      ["orders OR customers", [orders, customers, words]],
      ["orders AND customers", [orders, customers, words]],
      ["orders NOT customers", [orders, customers, words]],
      ["orders && customers", [orders, customers]],
      ["orders || customers", [orders, customers]],
      ["[orders TO customers]", [orders, customers]],
      ["NEAR(orders customers)", [orders, customers, words]],
      ["NOT OR AND NEAR", [words]],
      ["AND", [words]],
      ["NOT", [words]],
      ["OR", [orders, words]],
      ['or"ders', [words]],
      ["o_ders", []],
      ...[
        ['"orders"', "'orders'", "orders*", "^orders", "-orders", "+orders", "!orders", "(orders)", "((orders"],
        ["orders^", "orders~", "orders\\", "%orders%", "/orders/", "orders:", "{orders}", "$orders", "`orders`"],
        ["orders; --", "orders */", "orders\n", "*:orders", "-{orders} :"],
      ]
        .flat()
        .map((text): [string, string[]] => [text, [orders]]),
      ["name:orders", [orders]],
      ["orders~2", [orders]],
      ["orders; drop table nodes --", [orders]],
    ];
    for (const [text, names] of expected) expect([text, await found(w, text)]).toEqual([text, names]);
  });

  it("Punctuation alone finds only names that consist of it", async () => {
    const odd = ["%", "\\", '"', "'", "*", "😀", "-", "()", "\u0301", "\u200b"];
    const w = await tables({ name: "orders" }, { name: "customers", description: odd.join(" ") });
    for (const text of odd) expect([text, await found(w, text)]).toEqual([text, []]);

    const named = await tables(...odd.map((name) => ({ name })));
    for (const text of odd.slice(0, -2)) expect([text, await found(named, text)]).toEqual([text, [text]]);
    expect(await found(named, "😀😀")).toEqual([]);
  });

  it("A name is found by its first characters, punctuation included", async () => {
    const w = await tables({ name: "100%_done (😀 x)" }, { name: "100 done" }, { name: "100" });
    expect(await found(w, "100%_")).toEqual(["100%_done (😀 x)", "100 done", "100"]);
    expect(await found(w, "100%_DONE (😀")).toEqual(["100%_done (😀 x)", "100 done"]);
    expect((await search(w, "100%_DONE (😀")).map(({ position }) => position.tier)).toEqual([
      TIER.nameBegins,
      TIER.name,
    ]);
  });

  it("A search covers all of a description of 10,000 characters", async () => {
    const w = await tables({ name: "long", description: `${"word ".repeat(1_998)}lastword` }, { name: "short" });
    expect(await found(w, "lastword")).toEqual(["long"]);
    expect(await found(w, "word lastw")).toEqual(["long"]);
  });

  it("A query may have 256 characters and many terms", async () => {
    const terms = Array.from({ length: 85 }, (_, i) => String.fromCodePoint(97 + (i % 26), 97 + Math.floor(i / 26)));
    const w = await tables({ name: "all", description: terms.join(" ") }, { name: "one", description: "aa" });
    expect(await found(w, terms.join(" "))).toEqual(["all"]);
    expect(await found(w, "x".repeat(256))).toEqual([]);
  });

  it("Every filter applies to a search", async () => {
    const w = newWorkspace();
    const orders = nodeOf(w, "table", "orders", {
      tags: ["pii"],
      owner: "Ada@example.com",
      certification: "certified",
    });
    const model = nodeOf(w, "model", "orders_model", { tags: ["core"] });
    const metric = nodeOf(w, "metric", "orders_metric");
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [orders, model, metric]);
    await open().writeNodes(stampOf(w, "warehouse", 1), "all", [model]);
    expect(await found(w, "orders")).toEqual(["orders", "orders_model"]);
    expect(await found(w, "orders", { types: ["metric", "model"] })).toEqual(["orders_metric", "orders_model"]);
    expect(await found(w, "orders", { types: [] })).toEqual([]);
    expect(await found(w, "orders", { ...ASSETS, tag: "pii" })).toEqual(["orders"]);
    expect(await found(w, "orders", { ...ASSETS, owner: "ada@example.com" })).toEqual(["orders"]);
    expect(await found(w, "orders", { ...ASSETS, certification: "none" })).toEqual(["orders_model"]);
    expect(await found(w, "orders", { ...ASSETS, connector: "warehouse" })).toEqual(["orders_model"]);
    expect(await found(w, "orders", { ...ASSETS, connector: "warehouse", tag: "pii" })).toEqual([]);
  });

  it("A changed node is not found by its old text, and a removed node is not found at all", async () => {
    const w = newWorkspace();
    const before = nodeOf(w, "table", "t", {
      name: "before",
      description: "gone",
      tags: ["gone"],
      columnNames: ["gone"],
    });
    const after = nodeOf(w, "table", "t", { name: "after" });
    await open().writeNodes(stampOf(w, "dbt", 1), "all", [before]);
    await open().writeNodes(stampOf(w, "dbt", 2), "all", [after]);
    expect([await found(w, "before"), await found(w, "gone"), await found(w, "after")]).toEqual([[], [], ["after"]]);
    await open().sweep(stampOf(w, "dbt", 3), "all");
    expect(await found(w, "after")).toEqual([]);
    await open().writeNodes(stampOf(w, "dbt", 4), "all", [after]);
    expect(await found(w, "after")).toEqual(["after"]);
  });

  it("A search for a common word has no gap and no repeat, by pages of any size", async () => {
    const w = newWorkspace();
    const facts: Partial<NodeFacts>[] = [
      { name: "orders", certification: "certified" },
      { name: "orders_daily" },
      { name: "my_orders" },
      { name: "x", tags: ["orders"], certification: "deprecated" },
      { name: "x", description: "of orders" },
    ];
    const nodes = Array.from({ length: 60 }, (_, i) => nodeOf(w, "table", `t${i}`, facts[i % 5]));
    await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
    const whole = await search(w, "orders", ASSETS, 100);
    expect(whole.length).toBe(60);
    expect(await search(w, "orders", ASSETS, 7)).toEqual(whole);
    expect(await search(w, "orders", ASSETS, 1)).toEqual(whole);
  });

  it.runIf(isFull)(
    "A word that more than a thousand rows have is found page by page, in the order of results",
    async () => {
      const w = newWorkspace();
      const certifications = ["certified", null, "deprecated"] as const;
      const nodes = Array.from({ length: 1_500 }, (_, i) => {
        const name = i % 2 === 0 ? `orders_${i}` : `all_orders_${i}`;
        return nodeOf(w, "table", String(i).padStart(4, "0"), { name, certification: certifications[i % 3] ?? null });
      });
      await open().writeNodes(stampOf(w, "dbt", 1), "all", nodes);
      const reference = createReferenceGraph();
      await reference.writeNodes(stampOf(w, "dbt", 1), "all", nodes);
      const query = present(parseSearch("orders"));
      const expected = await reference.searchNodes(w, ASSETS, query, { after: null, limit: 2_000 });
      const pages = await search(w, "orders", ASSETS, 400);
      expect(pages.map(({ position }) => position)).toEqual(expected.items.map(({ position }) => position));
      const filter = { ...ASSETS, certification: "deprecated" } as const;
      expect((await search(w, "orders", filter, 300)).map(({ node }) => node.name)).toEqual(
        expected.items.flatMap(({ node }) => (node.certification === "deprecated" ? [node.name] : [])),
      );
    },
  );

  it("A search has no gap and no repeat while nodes are added and removed", async () => {
    const w = newWorkspace();
    const stay = ["a", "c", "e", "g"].map((fqn) => nodeOf(w, "table", fqn, { name: `orders_${fqn}` }));
    await open().writeNodes(stampOf(w, "stays", 1), "all", stay);
    const query = present(parseSearch("orders"));
    const seen: { name: string; position: SearchPosition }[] = [];
    for (const [i, fqns] of [["b"], ["0", "d"], [], ["f", "h"]].entries()) {
      const stamp = stampOf(w, "churns", i + 1);
      await open().writeNodes(
        stamp,
        "all",
        fqns.map((fqn) => nodeOf(w, "table", fqn, { name: `orders_${fqn}` })),
      );
      await open().sweep(stamp, "all");
      const after = seen.at(-1)?.position ?? null;
      const page = await open().searchNodes(w, ASSETS, query, { after, limit: 2 });
      seen.push(...page.items.map(({ node, position }) => ({ name: node.name, position })));
    }
    expect(seen.map(({ name }) => name)).toEqual(["a", "b", "c", "d", "e", "g", "h"].map((fqn) => `orders_${fqn}`));
  });
}
