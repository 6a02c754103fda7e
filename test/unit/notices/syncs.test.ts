/** Connectors that fail and recover, and what one sync finds. */
import { expect, it } from "vitest";

import type { CrawlOutcome } from "../../../src/metadata/records.ts";
import { MINUTE_MS, SECOND_MS } from "../../support/clock.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";
import { NO_GRAPH, PUBLIC_URL } from "../../support/no-graph.ts";
import { openNotices, openReceiver } from "../../support/notices.ts";
import { present } from "../../support/present.ts";
import { enqueue, SUCCESS } from "../../support/syncs.ts";

const FAILURE: CrawlOutcome = {
  ...SUCCESS,
  status: "failed",
  errorsTotal: 1,
  errors: [
    {
      code: "unreachable",
      message: "The source <https://here> & there cannot be reached.",
      object: "",
      stage: "connect",
      severity: "error",
      retryable: true,
      occurredAt: "2026-01-01T00:00:00.000Z",
    },
  ],
};

async function setUp() {
  const metadata = await openTestMetadata();
  const { store, clock, workspace } = metadata;
  const shop = await metadata.addConnector("shop");
  const notices = openNotices({ ...metadata, graph: NO_GRAPH });
  const begin = async () => {
    clock.advance(MINUTE_MS);
    await enqueue(metadata, shop);
    return present(await store.leases.claim({ workerId: "w", now: clock.now(), until: clock.now() }));
  };
  return {
    ...metadata,
    ...notices,
    shop,
    begin,
    async sync(outcome: CrawlOutcome) {
      const { id } = await begin();
      await store.leases.finish(id, "w", outcome, clock.now());
    },
    lapse: (number: number, syncId?: Awaited<ReturnType<typeof begin>>["id"]) =>
      store.audit.append(
        {
          workspaceId: workspace.id,
          action: "certification_lapsed",
          actor: "connector shop",
          source: "service",
          subject: `metric ${number}`,
          details: { metric: `Metric ${number} <b> & |`, note: "It changed." },
        },
        `lapse ${number}`,
        { syncId },
      ),
  };
}

interface Message {
  text: string;
}

it("A connector that fails again and again is told of once, and once more when it works again", async () => {
  await using server = await openReceiver();
  const { addRule, work, sync, shop } = await setUp();
  await addRule({ url: server.url });
  for (const outcome of [SUCCESS, FAILURE, FAILURE, FAILURE, SUCCESS, SUCCESS]) {
    await sync(outcome);
    await work();
  }
  const events = server.received.map(({ body }) => (JSON.parse(body) as { data: { events: unknown[] } }).data.events);
  expect(events).toMatchObject([
    [{ kind: "sync_failed", name: "shop", subject: shop.id, url: `${PUBLIC_URL}/connectors/${shop.id}` }],
    [{ kind: "connector_recovered", name: "shop", note: "" }],
  ]);
});

it("A sync that is tried again is not told of, and its last failure is", async () => {
  await using server = await openReceiver();
  const { addRule, work, begin, store, clock } = await setUp();
  await addRule({ url: server.url });
  const { id } = await begin();
  await store.leases.tryAgain(id, "w", FAILURE, new Date(clock.now().getTime() + SECOND_MS));
  await work();
  expect(server.received).toHaveLength(0);
  clock.advance(MINUTE_MS);
  await store.leases.claim({ workerId: "w", now: clock.now(), until: clock.now() });
  await store.leases.finish(id, "w", FAILURE, clock.now());
  await work();
  expect(server.received).toHaveLength(1);
});

it("A sync whose workers died is told of as failed", async () => {
  await using server = await openReceiver();
  const { addRule, work, begin, store, clock } = await setUp();
  await addRule({ url: server.url });
  await begin();
  clock.advance(MINUTE_MS);
  const [error] = FAILURE.errors;
  await store.leases.endAbandoned({ now: clock.now(), until: clock.now() }, 1, present(error));
  await work();
  expect(server.received).toHaveLength(1);
});

it("Slack gets one message for a sync, when it has ended, with ten events and the number of the others", async () => {
  await using server = await openReceiver();
  const { addRule, work, begin, lapse, store, clock } = await setUp();
  await addRule({ url: server.url, channel: "slack" });
  const { id } = await begin();
  for (let number = 0; number < 22; number++) await lapse(number, id);
  await work();
  expect(server.received).toHaveLength(0);
  await store.leases.finish(id, "w", SUCCESS, clock.now());
  await work();
  expect(server.received).toHaveLength(1);
  const { text } = JSON.parse(present(server.received[0]).body) as Message;
  const lines = text.split("\n");
  expect(lines).toHaveLength(12);
  expect(lines[0]).toBe("*Tributary: default*");
  expect(lines.at(-1)).toBe("and 12 more");
  expect(text).toContain(
    `• <${PUBLIC_URL}/metrics/metric%203|The certification of Metric 3 &lt;b&gt; &amp; ¦ lapsed.> It changed.`,
  );
  expect(server.received[0]?.headers["webhook-id"]).toBeUndefined();
});

it("A webhook gets every event of a large sync, 25 a notice", async () => {
  await using server = await openReceiver();
  const { addRule, work, begin, lapse, store, clock } = await setUp();
  await addRule({ url: server.url });
  const { id } = await begin();
  for (let number = 0; number < 60; number++) await lapse(number, id);
  await store.leases.finish(id, "w", SUCCESS, clock.now());
  await work();
  const sizes = server.received.map(
    ({ body }) => (JSON.parse(body) as { data: { events: unknown[] } }).data.events.length,
  );
  expect(sizes).toEqual([25, 25, 10]);
});

it("Teams gets an Adaptive Card, whose Markdown no name can change", async () => {
  await using server = await openReceiver();
  const { addRule, work, sync } = await setUp();
  await addRule({ url: server.url, channel: "teams" });
  await sync(FAILURE);
  await work();
  expect(JSON.parse(present(server.received[0]).body)).toMatchObject({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        content: {
          type: "AdaptiveCard",
          body: [
            { text: "Tributary: default" },
            { text: expect.stringContaining("The source \\<https://here\\> & there cannot be reached.") },
          ],
        },
      },
    ],
  });
});

it.each([
  ["the connector that failed", "shop", 1],
  ["another one", "lake", 0],
])("A rule about one connector is asked about %s", async (_what, name, count) => {
  await using server = await openReceiver();
  const { addRule, work, sync, shop, addConnector } = await setUp();
  const about = name === "shop" ? shop.id : (await addConnector(name)).id;
  await addRule({ url: server.url, aboutBy: "connector", about });
  await sync(FAILURE);
  await work();
  expect(server.received).toHaveLength(count);
});

it("A rule takes the name of a connector for its id, and refuses one that there is not", async () => {
  await using server = await openReceiver();
  const { addRule, shop } = await setUp();
  expect(await addRule({ url: server.url, aboutBy: "connector", about: "shop" })).toMatchObject({
    rule: { about: shop.id },
  });
  const refused = addRule({ url: server.url, name: "other", aboutBy: "connector", about: "nope" });
  await expect(refused).rejects.toMatchObject({ code: "bad_request", details: [{ field: "about" }] });
});

it("Nothing is kept for notices while a workspace has no rule", async () => {
  const { sync, lapse, runSql } = await setUp();
  await sync(FAILURE);
  await lapse(1);
  expect(await runSql("select id from notice_events")).toEqual([]);
});
