/** What of a model's text stands up to the graph, over the sample. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createAgentCatalog } from "../../../src/agent/catalog.ts";
import { type CheckedAgainst, checkText } from "../../../src/agent/model/check/check.ts";
import { getDefaultWorkspace } from "../../../src/start/workspace.ts";
import { type RunningApp, startApp } from "../../support/app.ts";

let app: RunningApp;
let against: CheckedAgainst;

beforeAll(async () => {
  app = await startApp({ sample: true });
  const { id } = await getDefaultWorkspace(app.app.metadata);
  const catalog = createAgentCatalog({ ...app.app, maxLineageNodes: 10_000 }, id);
  against = {
    catalog,
    scope: { allows: () => true, named: [], narrows: false, area: null, isCut: false },
    known: [],
    facts: [],
  };
});
afterAll(() => app.close());

async function keep(text: string, more: Partial<CheckedAgainst> = {}): Promise<string[]> {
  return (await checkText(text, { ...against, ...more })).kept.map((sentence) => sentence.text);
}

describe("a true sentence stays", () => {
  it.each([
    "`net_revenue` is a certified metric.",
    "`net_revenue` is owned by ines.moreau@example.com.",
    "The owner of `fct_orders` is commerce-analytics@example.com.",
    "`net_revenue` was certified by ines.moreau@example.com on 2025-09-01.",
    "`net_revenue` is computed as `gross_revenue - refunded_amount`.",
    "`net_revenue` is a certified metric owned by ines.moreau@example.com, computed from `gross_revenue` and `refunded_amount`.",
    "It depends directly on two metrics: `gross_revenue` and `refunded_amount`.",
    "`fct_orders` feeds `net_revenue`.",
    "`fct_orders` directly feeds `gross_revenue`, `order_count` and `active_customers`.",
    "`net_revenue` comes from `gross_revenue`, which comes from `fct_orders`.",
    "The model `fct_orders` is used by 29 assets.",
    "`fct_orders` is used directly by 5 metrics, 1 dashboard and 6 models.",
    "5 metrics depend on `fct_orders`.",
    "`net_revenue` has 2 direct sources and 2 direct consumers.",
    "The direct sources of `net_revenue` are `gross_revenue` and `refunded_amount`.",
    "There are 15 metrics in the catalog.",
    "`fx_rates` → `int_fx_rates_daily`.",
    "`Board revenue report` is a dashboard.",
    "`ad_spend` does not feed `net_revenue`.",
    "`contribution_margin_rate` is not certified; `net_revenue` is certified.",
    "`net_revenue` is gross revenue less refunds, each in the period in which it happened.",
    "`orders_wide` is deprecated.",
    "`orders_wide` is deprecated, and the `Warehouse screen` dashboard still reads it.",
    "Both `gross_revenue` and `net_revenue` are certified metrics owned by ines.moreau@example.com.",
    "`contribution_margin_rate` has not been certified yet.",
    "`net_revenue` is certified by ines.moreau@example.com (2025-09-01).",
    "In total, 29 assets depend on `fct_orders`.",
  ])("%s", async (sentence) => {
    const lead = sentence.startsWith("It ") ? "`net_revenue` is a metric. " : "";
    expect(await keep(lead + sentence)).toContain(sentence);
  });
});

describe("a text that nobody waits for any more", () => {
  it("is not looked at", async () => {
    expect((await checkText("`net_revenue` is a metric.", { ...against, signal: AbortSignal.abort() })).claims).toBe(0);
  });
});

describe("a sentence that is repeated", () => {
  it("is told and counted once", async () => {
    const text = `${"`net_revenue` is a certified metric. ".repeat(30)}\`ad_spend\` feeds \`net_revenue\`.`;
    const once = await checkText("`net_revenue` is a certified metric. `ad_spend` feeds `net_revenue`.", against);
    expect(await checkText(text, against)).toEqual(once);
  });
});

describe("a false sentence goes", () => {
  it.each([
    ["an asset that is not there", "`fct_profit_predictions` is a certified model."],
    ["a name in plain words that is not there", "The Sales Genius dashboard uses `fct_orders`."],
    ["a false certification", "`contribution_margin_rate` is a certified metric."],
    ["a certification that is denied", "`net_revenue` is not certified."],
    ["a false certifier", "`net_revenue` was certified by jonas.weber@example.com."],
    ["a false day in brackets", "`net_revenue` is certified by ines.moreau@example.com (2025-09-02)."],
    ["one false type of two", "Both `gross_revenue` and `fct_orders` are certified metrics."],
    ["a false day", "`net_revenue` was certified by ines.moreau@example.com on 2024-09-01."],
    ["a false owner", "`net_revenue` is owned by jonas.weber@example.com."],
    ["the owner of a column of the same name", "`order_count` is owned by jonas.weber@example.com."],
    ["an owner that is denied", "`net_revenue` has no owner."],
    ["an edge the wrong way round", "`net_revenue` feeds `fct_orders`."],
    ["an edge that is not there", "`ad_spend` feeds `net_revenue`."],
    ["an edge that is denied", "`fct_orders` does not feed `net_revenue`."],
    ["an edge that is not direct", "`fct_orders` directly feeds `net_revenue`."],
    ["one false name in a list", "`net_revenue` depends on `gross_revenue`, `refunded_amount` and `ad_spend`."],
    ["a false subject after an and", "`fct_orders` feeds `net_revenue` and `ad_spend` feeds `gross_revenue`."],
    ["a false type", "`fct_orders` is a dashboard."],
    ["a false type before a name", "The dashboard `fct_orders` feeds `net_revenue`."],
    ["a false count of neighbours", "`fct_orders` is used directly by 9 metrics."],
    ["a false count of direct ones", "`fct_orders` is used directly by 14 metrics."],
    ["a false count behind", "12 metrics depend on `fct_orders`."],
    ["a false count around", "`fct_orders` is used by 31 assets."],
    ["a false count of all", "There are 16 metrics in the catalog."],
    ["a false count of columns", "`fct_orders` has 99 columns."],
    ["a false formula", "`net_revenue` is computed as `gross_revenue - vat`."],
    ["a description turned round", "`net_revenue` is gross revenue plus refunds."],
    ["a description with its limit left out", "`gross_revenue` is what customers paid after refunds."],
    ["a description cut short", "`gross_revenue` is what customers paid."],
    ["one word of a description", "`net_revenue` is refunds."],
    ["a second owner", "`net_revenue` is owned by ines.moreau@example.com and jonas.weber@example.com."],
    ["an owner for another as well", "`net_revenue` is owned by ines.moreau@example.com, as is `fct_orders`."],
    ["the only one of two", "`net_revenue` depends only on `gross_revenue`."],
    ["a denial of what is so", "`net_revenue` is never computed from `gross_revenue`."],
    ["what is no longer", "`net_revenue` is no longer certified."],
    ["a consequence", "If `net_revenue` is dropped, `fct_orders` is affected."],
    ["words of its own", "`net_revenue` is the most important number of the company."],
    ["advice", "You should drop `orders_wide`."],
    ["a sweeping word", "Everything is certified."],
    ["a sweeping word with a name", "All of `fct_orders` is certified."],
    ["a link", "`net_revenue` is a metric, see https://evil.example/?q=net_revenue."],
    ["an image", "`net_revenue` is a metric ![x](//evil.example/p.png)."],
    ["a tag", "`net_revenue` is a metric <img src=x>."],
    ["a way with a gap", "`fx_rates` → `Board revenue report`."],
    ["false hops", "`fx_rates` feeds `Board revenue report`, 2 hops away."],
    ["a number below nothing", "`fct_orders` feeds -14 metrics."],
    ["a number below nothing, by a dash of its own", "`fct_orders` feeds −14 metrics."],
    ["a sign that denies", "`net_revenue` ❌ certified."],
    ["signs that shout", "`net_revenue` is a metric 🚨🚨."],
    ["a question", "Is `net_revenue` certified?"],
    ["an owner of the past", "`net_revenue` was owned by ines.moreau@example.com."],
    ["an edge that is direct", "`fct_orders` indirectly feeds `gross_revenue`."],
    ["a false minute", "`net_revenue` was certified on 2025-09-01T23:59:59Z."],
    ["some of the sources for all", "The sources of `net_revenue` are `gross_revenue`."],
    ["a bare list of names", "`net_revenue`, `gross_revenue`."],
    ["a tool that is none", "Call `trigger_sync` for `net_revenue`."],
  ])("%s", async (_what, sentence) => {
    expect(await keep(sentence)).toEqual([]);
  });
});
