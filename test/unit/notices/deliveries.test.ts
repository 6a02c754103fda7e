/** Receivers that fail, are slow, or lie, and workers that die. The test moves the clock. */
import { expect, it } from "vitest";

import type { NoticeEvent } from "../../../src/metadata/notice-records.ts";
import { rotateNoticeSecret, testNoticeRule, resendNotice } from "../../../src/notices/rules.ts";
import { createSourceAddresses } from "../../../src/connectors/http/source-addresses.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../support/clock.ts";
import { openTestMetadata } from "../../support/metadata-store.ts";
import { NO_GRAPH } from "../../support/no-graph.ts";
import { openNotices, openReceiver, type Received } from "../../support/notices.ts";
import { present } from "../../support/present.ts";

const HOUR_MS = 60 * MINUTE_MS;

async function setUp(network: Parameters<typeof openNotices>[1] = {}) {
  const metadata = await openTestMetadata();
  const notices = openNotices({ ...metadata, graph: NO_GRAPH }, network);
  const { store, workspace } = metadata;
  return {
    ...metadata,
    ...notices,
    /** Lets a certification lapse. */
    happen: (name: string) =>
      store.audit.append({
        workspaceId: workspace.id,
        action: "certification_lapsed",
        actor: "connector shop",
        source: "service",
        subject: `asset ${name}`,
        details: { metric: name, note: "" },
      }),
    listNotices: async (rule: Awaited<ReturnType<typeof notices.addRule>>["rule"]) =>
      (await store.notices.list(workspace.id, rule.id, { after: null, limit: 50 })).items,
  };
}

interface Body {
  data: { events: Pick<NoticeEvent & { name: string }, "name">[] };
}

function namesOf(received: readonly Received[]): string[] {
  return received.flatMap(({ body }) => (JSON.parse(body) as Body).data.events.map(({ name }) => name));
}

it("Every notice arrives in order, with one id each, when a receiver that was down for an hour comes back", async () => {
  await using server = await openReceiver();
  const { addRule, work, happen, clock, listNotices } = await setUp();
  const { rule } = await addRule({ url: server.url });
  server.receiver.answer = (_request, response) => response.writeHead(503).end("down\u0007for now");
  for (const name of ["a", "b", "c"]) {
    await happen(name);
    await work();
  }
  for (let minute = 0; minute < 60; minute++) {
    clock.advance(MINUTE_MS);
    await work();
  }
  const tries = server.received.length;
  expect(tries).toBeGreaterThan(3);
  expect(new Set(server.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  server.received.length = 0;
  server.receiver.answer = (_request, response) => response.writeHead(204).end();
  // A pause is up to a tenth longer.
  clock.advance(2 * HOUR_MS);
  await work();
  expect(namesOf(server.received)).toEqual(["a", "b", "c"]);
  const [last, , first] = await listNotices(rule);
  expect(last).toMatchObject({ status: "delivered", triesTotal: 1 });
  expect(first).toMatchObject({ status: "delivered", triesTotal: tries + 1 });
  expect(first?.tries[0]).toMatchObject({ status: 503, answer: "down\\u0007for now" });
});

it("A rule whose receiver answers 500 for a day is switched off, and the audit trail says so", async () => {
  await using server = await openReceiver();
  const { addRule, work, happen, clock, store, workspace, listNotices } = await setUp();
  const { rule } = await addRule({ url: server.url });
  server.receiver.answer = (_request, response) => response.writeHead(500).end();
  await happen("a");
  await happen("b");
  for (let hour = 0; hour < 30; hour++) {
    await work();
    clock.advance(HOUR_MS);
  }
  const found = present(await store.noticeRules.findById(workspace.id, rule.id));
  expect(found.disabledReason).toBe("No notice arrived for a day: the address answers 500.");
  expect((await listNotices(rule)).map(({ status }) => status)).toEqual(["failed"]);
  const { items } = await store.audit.list(workspace.id, { after: null, limit: 1 });
  expect(items).toMatchObject([{ action: "notice_rule_switched_off", subject: rule.id, actor: "tributary" }]);
  const count = server.received.length;
  await happen("c");
  clock.advance(DAY_MS);
  await work();
  expect(server.received).toHaveLength(count);
});

it("A rule is switched off at once if its receiver answers 410", async () => {
  await using server = await openReceiver();
  const { addRule, work, happen, store, workspace } = await setUp();
  const { rule } = await addRule({ url: server.url });
  server.receiver.answer = (_request, response) => response.writeHead(410).end();
  await happen("a");
  await work();
  expect(await store.noticeRules.findById(workspace.id, rule.id)).toMatchObject({
    disabledReason: "The receiver wants no more notices: the address answers 410.",
  });
});

it("A redirect to a metadata address is not followed, and counts as a failure", async () => {
  await using server = await openReceiver();
  const { addRule, work, happen, listNotices } = await setUp();
  const { rule } = await addRule({ url: server.url });
  server.receiver.answer = (_request, response) =>
    response.writeHead(307, { location: "http://169.254.169.254/latest/meta-data" }).end();
  await happen("a");
  await work();
  expect(await listNotices(rule)).toMatchObject([{ status: "waiting", tries: [{ status: 307 }] }]);
});

it.each([
  "http://169.254.169.254/latest/meta-data",
  "https://10.0.0.1/hook",
  "https://[::1]/hook",
  "https://2130706433/hook",
  "ftp://example.com/hook",
  "https://user:word@example.com/hook",
  "not an address",
])("The address %s is refused when a rule is added", async (url) => {
  const { addRule } = await setUp({ addresses: createSourceAddresses([]) });
  await expect(addRule({ url })).rejects.toMatchObject({ code: "bad_request", details: [{ field: "url" }] });
});

it("A name that leads to a private address is not posted to", async () => {
  await using server = await openReceiver();
  const addresses = createSourceAddresses([], (_name, _options, answer) =>
    answer(null, [{ address: "127.0.0.1", family: 4 }]),
  );
  const { addRule, work, happen, listNotices } = await setUp({ addresses, insecureHosts: ["inside.example"] });
  const { rule } = await addRule({ url: server.url.replace("127.0.0.1", "inside.example") });
  await happen("a");
  await work();
  expect(server.received).toHaveLength(0);
  const [notice] = await listNotices(rule);
  expect(notice?.tries[0]).toMatchObject({ status: null, answer: expect.stringContaining("private address") });
});

it("An answer of 10 MB is read for its beginning alone", async () => {
  await using server = await openReceiver();
  let written = 0;
  server.receiver.answer = (_request, response) => {
    response.writeHead(200, { "content-length": 10_000_000 });
    const more = (): void => {
      for (; written < 10_000_000 && !response.destroyed; written += 10_000) {
        if (!response.write("x".repeat(10_000))) return void response.once("drain", more);
      }
    };
    more();
  };
  const { addRule, work, happen, listNotices } = await setUp();
  const { rule } = await addRule({ url: server.url });
  await happen("a");
  await work();
  const [notice] = await listNotices(rule);
  expect(notice).toMatchObject({ status: "delivered", tries: [{ status: 200, answer: `${"x".repeat(200)}…` }] });
  expect(written).toBeLessThan(10_000_000);
});

it("A receiver that never answers holds up no other, and its notice is tried again", async () => {
  await using slow = await openReceiver();
  await using quick = await openReceiver();
  slow.receiver.answer = () => {};
  const time = new AbortController();
  const { addRule, worker, happen, listNotices } = await setUp({ deadline: () => time.signal });
  const { rule } = await addRule({ name: "slow", url: slow.url });
  await addRule({ name: "quick", url: quick.url });
  const answered = new Promise<void>((resolve) => {
    quick.receiver.answer = (_request, response) => {
      response.writeHead(204).end();
      resolve();
    };
  });
  await happen("a");
  await worker.tell();
  await worker.tick();
  await answered;
  time.abort();
  await worker.idle();
  expect(await listNotices(rule)).toMatchObject([
    { status: "waiting", tries: [{ status: null, answer: "did not answer within 10 seconds" }] },
  ]);
});

it("A worker dies after it has sent a notice: another one sends it again with the same id, and the rest once", async () => {
  await using server = await openReceiver();
  const { addRule, work, happen, clock, parts, openAgain, createWorker } = await setUp();
  await addRule({ url: server.url });
  for (const name of ["a", "b", "c"]) {
    await happen(name);
    await work(createWorker(undefined, () => Promise.resolve({ at: "", status: null, answer: "" })));
  }
  clock.advance(MINUTE_MS);
  // It sends, and never hears the answer, as if it were killed then.
  const killed = createWorker(await openAgain(), async (outgoing) => {
    await parts.send(outgoing);
    return new Promise(() => {});
  });
  await killed.tick();
  await expect.poll(() => server.received.length).toBe(1);
  const other = createWorker(await openAgain());
  await work(other);
  expect(namesOf(server.received)).toEqual(["a"]);
  clock.advance(31 * SECOND_MS);
  await work(other);
  expect(namesOf(server.received)).toEqual(["a", "a", "b", "c"]);
  const ids = server.received.map(({ headers }) => headers["webhook-id"]);
  expect(ids[0]).toBe(ids[1]);
  expect(new Set(ids).size).toBe(3);
});

it("Two workers make one notice of an event", async () => {
  await using server = await openReceiver();
  const { addRule, happen, openAgain, createWorker, work } = await setUp();
  await addRule({ url: server.url });
  const workers = [createWorker(await openAgain()), createWorker(await openAgain())];
  for (const name of ["a", "b", "c", "d"]) {
    await happen(name);
    await Promise.all(workers.map((worker) => work(worker)));
  }
  expect(namesOf(server.received)).toEqual(["a", "b", "c", "d"]);
});

it("After a rotation a webhook has a signature by each secret, and after a day by the new one alone", async () => {
  await using server = await openReceiver();
  const { addRule, work, happen, clock, parts, origin } = await setUp();
  const { rule, secret } = await addRule({ url: server.url });
  const rotated = await rotateNoticeSecret(parts, origin, rule.id);
  expect(rotated.secret).toMatch(/^whsec_/);
  expect(rotated.secret).not.toBe(secret);
  const signatures = async (): Promise<number> => {
    await happen("a");
    await work();
    return String(server.received.at(-1)?.headers["webhook-signature"]).split(" ").length;
  };
  expect(await signatures()).toBe(2);
  clock.advance(DAY_MS + SECOND_MS);
  expect(await signatures()).toBe(1);
});

it("A test is sent at once, and is in the list of notices", async () => {
  await using server = await openReceiver();
  const { addRule, parts, origin, listNotices } = await setUp();
  const { rule } = await addRule({ url: server.url });
  const notice = await testNoticeRule(parts, origin, rule.id);
  expect(notice).toMatchObject({ status: "delivered", tries: [{ status: 204 }] });
  expect(JSON.parse(present(server.received[0]).body)).toMatchObject({ type: "test", data: { events: [] } });
  expect(await listNotices(rule)).toEqual([notice]);
});

it("A notice that is sent again keeps its id", async () => {
  await using server = await openReceiver();
  const { addRule, happen, work, parts, origin, listNotices } = await setUp();
  const { rule } = await addRule({ url: server.url });
  await happen("a");
  await work();
  const { id } = present((await listNotices(rule))[0]);
  await resendNotice(parts, origin, id);
  await expect(resendNotice(parts, origin, id)).rejects.toMatchObject({ code: "conflict" });
  await work();
  expect(server.received.map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);
});

it("Notices that ended more than 30 days ago are deleted", async () => {
  await using server = await openReceiver();
  const { addRule, happen, work, worker, clock, listNotices } = await setUp();
  const { rule } = await addRule({ url: server.url });
  for (let i = 0; i < 3; i++) {
    await happen("a");
    await work();
    clock.advance(14 * DAY_MS);
  }
  await worker.sweep();
  expect(await listNotices(rule)).toHaveLength(2);
});

it("Of many notices of a rule the last 5,000 are kept, and those that wait", async () => {
  const { addRule, worker, store, workspace, runSql, admin } = await setUp();
  const { rule } = await addRule({ url: "https://hooks.invalid" });
  const insert = (from: number, to: number, endedAt: string) =>
    runSql(
      `with recursive counted(n) as (select ${from} union all select n + 1 from counted where n < ${to})
       insert into notices (id, workspace_id, rule_id, number, events, events_total, status, created_at, tries_total, tries, ended_at)
       select 'x' || cast(n as text), '${workspace.id}', '${rule.id}', n, '[]', 1, 'failed', '2026', 0, '[]', ${endedAt} from counted`,
    );
  await insert(1, 1, "null");
  await insert(2, 5_205, "'2026-01-01T00:00:00.000Z'");
  await runSql(`update notice_rules set last_number = 5205 where created_by = '${admin.email}'`);
  await worker.sweep();
  const count = await runSql("select min(number) as oldest, count(*) as count from notices where number > 1");
  expect(count.map(({ oldest, count: kept }) => [Number(oldest), Number(kept)])).toEqual([[206, 5_000]]);
  expect(await store.notices.list(workspace.id, rule.id, { after: { number: 2 }, limit: 5 })).toMatchObject({
    items: [{ id: "x1" }],
  });
});

it("A rule for which more than a thousand notices would wait is switched off with this reason", async () => {
  await using server = await openReceiver();
  const { addRule, happen, work, store, workspace, runSql, worker } = await setUp();
  const { rule } = await addRule({ url: server.url });
  await runSql(
    `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 1000)
     insert into notices (id, workspace_id, rule_id, number, events, events_total, status, created_at, tries_total, tries)
     select 'x' || cast(n as text), '${workspace.id}', '${rule.id}', -n, '[]', 1, 'waiting', '2026', 0, '[]' from counted`,
  );
  await happen("a");
  await worker.tell();
  await work();
  expect(await store.noticeRules.findById(workspace.id, rule.id)).toMatchObject({
    disabledReason: "More than 1000 notices wait.",
  });
});
