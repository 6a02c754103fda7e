import { describe, expect, it } from "vitest";

import type { AssetStatement } from "../../../src/catalog/statement.ts";
import type { CrawlEvent } from "../../../src/connectors/connector.ts";
import { openColumnCrawl } from "../../support/column-crawl.ts";
import { edge, scope, table } from "../../support/scripted-connector.ts";
import { getSharedGraph } from "../../support/shared-graph.ts";

const SUM = "select id, sum(amount) as total from payments group by id";
const UNTOLD = "the manifest has no compiled SQL of it";

/** `totals`, which is made from `payments`, and `copies`, which is made from `totals`. */
function made(facts: AssetStatement["facts"], more: Partial<AssetStatement> = {}): CrawlEvent[] {
  const { asset } = table("totals", facts, []);
  const all = [table("payments", {}, ["id", "amount"]), { kind: "asset" as const, asset: { ...asset, ...more } }];
  const copies = table("copies", { sql: "select total from totals" });
  return scope("all", [...all, copies, edge("payments", "totals"), edge("totals", "copies")]);
}
const told = made({ sql: SUM, codeHash: "a" });
const untold = (codeHash: string) => made({ codeHash }, { sqlUntold: UNTOLD });

async function openChanges() {
  const bench = await openColumnCrawl(await getSharedGraph());
  const { graph, workspace } = bench;
  const listChanges = async () => {
    const query = { since: null, until: "9999-01-01T00:00:00.000Z" };
    const { items } = await graph.listChanges(workspace.id, query, { after: null, limit: 100 });
    return items.map(({ kind, node }) => `${kind} ${node.fqn}`);
  };
  return { ...bench, listChanges };
}

describe("SQL that a source does not tell this time", () => {
  it("An asset keeps its SQL and lineage while its code is the same, and nothing has changed", async () => {
    const { crawl, find, idOf, lineageOf, sourcesOf, columnsOf, listChanges } = await openChanges();
    await crawl(told);
    const before = [await lineageOf("totals"), await lineageOf("totals", "total"), await lineageOf("copies")];
    for (let times = 0; times < 2; times++) {
      expect(await crawl(untold("a"))).toMatchObject({ status: "completed", errors: [], assetsUpdated: 0 });
    }
    expect(await find(idOf("totals"))).toMatchObject({ sql: SUM, gap: "" });
    expect([await lineageOf("totals"), await lineageOf("totals", "total"), await lineageOf("copies")]).toEqual(before);
    expect(await sourcesOf("totals", "total")).toContain("amount DIRECT AGGREGATION SUM(amount)");
    expect(await columnsOf("totals")).toEqual(["id", "total"]);
    expect(await listChanges()).toEqual([]);
  });

  it("An asset keeps its SQL if its code has changed, and its lineage is only partly known until the SQL is told", async () => {
    const { crawl, find, idOf, lineageOf, columnsOf, listChanges } = await openChanges();
    await crawl(told);
    const reason = `${UNTOLD}, and its code may have changed since an earlier manifest had it`;
    for (let times = 0; times < 2; times++) {
      const { errors } = await crawl(untold("b"));
      expect(errors).toMatchObject([{ code: "sql_untold", severity: "error", object: "shop.public.totals" }]);
      expect(await lineageOf("totals")).toMatchObject({ status: "partial", reason });
      expect(await lineageOf("totals", "total")).toMatchObject({ status: "partial", reason });
    }
    expect(await find(idOf("totals"))).toMatchObject({ sql: SUM, gap: reason });
    expect(await columnsOf("totals")).toEqual(["id", "total"]);
    expect(await listChanges()).toEqual([]);
    expect(await crawl(untold("a"))).toMatchObject({ errors: [] });
    expect(await lineageOf("totals")).toMatchObject({ status: "known" });
    await crawl(made({ sql: "select id, max(amount) as total from payments group by id", codeHash: "b" }));
    expect(await lineageOf("totals")).toMatchObject({ status: "known" });
    expect(await listChanges()).toEqual(["sql_changed shop.public.totals"]);
  });

  it("An asset whose SQL was never told has unknown lineage, a gap and an error", async () => {
    const { crawl, find, idOf, lineageOf } = await openColumnCrawl();
    const { errors } = await crawl(untold("a"));
    expect(errors).toMatchObject([
      {
        code: "sql_untold",
        severity: "error",
        object: "shop.public.totals",
        message: `The SQL of shop.public.totals is not known: ${UNTOLD}.`,
      },
    ]);
    expect(await lineageOf("totals")).toEqual({ status: "unknown", reason: UNTOLD });
    expect(await find(idOf("totals"))).toMatchObject({ sql: null, gap: UNTOLD });
    await crawl(told);
    expect(await lineageOf("totals")).toMatchObject({ status: "known" });
  });
});
