/** What a person reads in the workspace, and hears of while it happens. */
import { afterAll, beforeAll, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { type EventStream, subscribe } from "../../support/event-stream.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at } from "../../support/rest-client.ts";

let running: RunningApp;
let admin: GraphqlClient;
let workspaceId: Parameters<RunningApp["app"]["metadata"]["users"]["list"]>[0];
beforeAll(async () => {
  running = await startApp();
  admin = createGraphqlClient(running);
  const { metadata } = running.app;
  const [workspace] = await metadata.workspaces.list();
  workspaceId = present(workspace).id;
  for (const user of await metadata.users.list(workspaceId)) await metadata.logins.noteLogin(workspaceId, user.id);
  const input = { name: "mine", channel: "bell", kinds: ["certification_lapsed"], aboutBy: "everything" };
  const { codes } = await admin(
    `mutation ($input: CreateMyNoticeRuleInput!) { createMyNoticeRule(input: $input) { noticeRule { id } } }`,
    { input },
  );
  if (codes.length > 0) throw new Error(`The rule was refused: ${codes.join(", ")}`);
});
afterAll(() => running.close());

async function happen(metric: string): Promise<void> {
  await running.app.metadata.audit.append({
    workspaceId,
    action: "certification_lapsed",
    actor: "connector shop",
    source: "service",
    subject: `asset ${metric}`,
    details: { metric, note: "" },
  });
  await running.app.notices.tell();
}

const WATCH = "subscription { notices { unread newest { events { text path } } } }";

async function nextOf(stream: EventStream) {
  return at((await stream.next())?.data ?? null, "data", "notices");
}

it("A subscription tells what is unread, again when something is told, and again when it is read", async () => {
  const stream = await subscribe(running, WATCH);
  expect(await nextOf(stream)).toEqual({ unread: 0, newest: null });
  await happen("Revenue");
  const events = [{ text: "The certification of Revenue lapsed.", path: "/metrics/asset%20Revenue" }];
  expect(await nextOf(stream)).toEqual({ unread: 1, newest: { events } });
  const { data } = await admin("{ myNotices { unread notices { createdAt } } }");
  const until = at(data, "myNotices", "notices", "0", "createdAt");
  const read = `mutation ($until: DateTime!) { readNotices(input: { until: $until }) { myNotices { unread readUntil } } }`;
  expect((await admin(read, { until })).data).toEqual({ readNotices: { myNotices: { unread: 0, readUntil: until } } });
  expect(await nextOf(stream)).toMatchObject({ unread: 0 });
  // Nobody has read what comes later.
  expect((await admin(read, { until: "2999-01-01T00:00:00Z" })).data).toMatchObject({
    readNotices: { myNotices: { readUntil: until } },
  });
  // An earlier time, which another tab may say late, makes nothing unread again.
  expect((await admin(read, { until: "2020-01-01T00:00:00Z" })).data).toMatchObject({
    readNotices: { myNotices: { unread: 0 } },
  });
  stream.leave();
});

it("A subscription to notices ends when its key is revoked", async () => {
  const { data } = await admin(
    `mutation { createApiKey(input: { name: "bell", scopes: [read, write, admin] }) { apiKey { id } token } }`,
  );
  const token = String(at(data, "createApiKey", "token"));
  const stream = await subscribe({ url: running.url, token }, WATCH);
  await stream.next();
  await admin(`mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }`, {
    id: at(data, "createApiKey", "apiKey", "id"),
  });
  await happen("Churn");
  const rest = await stream.rest();
  expect(JSON.stringify(rest)).toContain("UNAUTHORIZED");
  expect(JSON.stringify(rest)).not.toContain("Churn");
});

it("One key has at most eight subscriptions to notices", async () => {
  const streams = await Promise.all(Array.from({ length: 9 }, () => subscribe(running, WATCH)));
  expect(streams.filter(({ status }) => status === 429)).toHaveLength(1);
  for (const stream of streams) stream.leave();
});

it("Service accounts, keys that can only read, and other workspaces hear nothing", async () => {
  const reader = createGraphqlClient({ url: running.url, token: await running.createToken(["read"]) });
  expect((await reader("{ myNotices { unread } }")).codes).toEqual(["FORBIDDEN"]);
  const other = createGraphqlClient(await running.openWorkspace());
  expect((await other("{ myNotices { unread notices { id } } }")).data).toEqual({
    myNotices: { unread: 0, notices: [] },
  });
});

it.each([0, 101, -1])("A list of %s notices is refused", async (first) => {
  const { codes } = await admin("query ($first: Int!) { myNotices { notices(first: $first) { id } } }", { first });
  expect(codes).toEqual(["BAD_REQUEST"]);
});
