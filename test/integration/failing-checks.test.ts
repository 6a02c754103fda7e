/** Results of dbt's tests that change between syncs: in the changes of the catalog, and in a webhook's body. */
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it } from "vitest";

import { startApp } from "../support/app.ts";
import { createTestClock, MINUTE_MS } from "../support/clock.ts";
import { runCommandHere } from "../support/command-line.ts";
import { crawlShop } from "../support/crawl-shop.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { callTool, connectByHttp } from "../support/mcp.ts";
import { openReceiver } from "../support/notices.ts";
import { at, createRestClient, type Json } from "../support/rest-client.ts";

const UNIQUE = "test.shop.unique_fct_orders_order_id.da4dc53dc8";
const NOT_NULL = "test.shop.not_null_fct_orders_order_id.c254c5c85b";
const WHY = "Got 3 results, configured to fail if != 0";
/** It fails in the sample. */
const REFUNDS = "test.shop.unique_fct_refunds_refund_id.ba1a79eb31";

it(
  "Tests that fail and pass again are changes of their assets, and one message a sync",
  { timeout: 300_000 },
  async () => {
    await using server = await openReceiver();
    await using folder = await mkdtempDisposable(join(tmpdir(), "tributary-failing-"));
    const clock = createTestClock("2026-11-02T10:00:00.000Z");
    const running = await startApp({ overrides: { clock }, env: { ALLOW_PRIVATE_SOURCES: "127.0.0.0/8" } });
    try {
      const query = createGraphqlClient(running);
      const crawl = await crawlShop(running, folder.path);
      clock.advance(MINUTE_MS);
      const input = {
        name: "alerts",
        channel: "webhook",
        url: server.url,
        kinds: ["check_failed", "check_passed"],
        aboutBy: "everything",
      };
      const { message } = await query(
        "mutation ($input: CreateNoticeRuleInput!) { createNoticeRule(input: $input) { noticeRule { id } } }",
        { input },
      );
      expect(message).toBe("");
      const told = async () => {
        clock.advance(MINUTE_MS);
        await running.app.notices.tell();
        await running.app.notices.tick();
        await running.app.notices.idle();
        return server.received.splice(0).map(({ body }) => at(JSON.parse(body) as Json, "data", "events") as Json[]);
      };
      await crawl(undefined, { [UNIQUE]: "fail", [NOT_NULL]: "fail" });
      const [events = [], ...more] = await told();
      expect(more).toEqual([]);
      expect(events).toHaveLength(2);
      expect(events[0]).toMatchObject({
        kind: "check_failed",
        name: "shop.marts.fct_orders",
        type: "model",
        actor: "connector shop",
        risk: "medium",
        note: `Risk: medium. not_null_fct_orders_order_id: ${WHY}`,
      });

      await crawl(undefined, { [UNIQUE]: "fail", [NOT_NULL]: "fail" });
      expect(await told()).toEqual([]);
      await crawl(undefined, { [UNIQUE]: "pass", [NOT_NULL]: "fail", [REFUNDS]: "pass" });
      expect((await told()).map((each) => each.map((event) => [at(event, "kind"), at(event, "name")]))).toEqual([
        [
          ["check_passed", "shop.finance.fct_refunds"],
          ["check_passed", "shop.marts.fct_orders"],
        ],
      ]);

      const { body } = await createRestClient(running)("/api/v1/changes?kinds=check_failed,check_passed");
      const shown = (at(body, "data") as Json[]).map((change) =>
        ["kind", "check", "before", "after", "cause", "risk"].map((key) => at(change, key)),
      );
      expect(shown).toEqual([
        ["check_passed", "unique_fct_refunds_refund_id", "fail", "pass", null, null],
        ["check_passed", "unique_fct_orders_order_id", "fail", "pass", null, null],
        ["check_failed", "not_null_fct_orders_order_id", "pass", "fail", WHY, "medium"],
        ["check_failed", "unique_fct_orders_order_id", "pass", "fail", WHY, "medium"],
      ]);
      const client = await connectByHttp(running);
      const items = at(await callTool(client, "get_changes", { kinds: ["check_failed"] }), "items") as Json[];
      await client.close();
      expect(items.map((item) => at(item, "check"))).toEqual([
        "not_null_fct_orders_order_id",
        "unique_fct_orders_order_id",
      ]);
      const environment = { TRIBUTARY_URL: running.url, TRIBUTARY_TOKEN: running.token };
      const { stdout } = await runCommandHere(["changes", "fct_orders", "--kind", "check_failed"], environment);
      expect(stdout).toMatch(
        /check failed +shop\.marts\.fct_orders +sync of shop +medium +not_null_fct_orders_order_id: Got 3/,
      );
    } finally {
      await running.close();
    }
  },
);
