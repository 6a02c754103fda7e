/** Feeds of notice rules: Atom at an address with a secret in it. */
import { afterAll, beforeAll, expect, it } from "vitest";

import type { ToldEvent } from "../../src/metadata/notice-records.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../support/graphql-client.ts";
import { present } from "../support/present.ts";
import { at } from "../support/rest-client.ts";

let running: RunningApp;
let admin: GraphqlClient;
let workspaceId: Parameters<RunningApp["app"]["metadata"]["users"]["list"]>[0];
beforeAll(async () => {
  running = await startApp();
  admin = createGraphqlClient(running);
  workspaceId = present((await running.app.metadata.workspaces.list())[0]).id;
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

const secretOf = (url: string) => present(url.split("/").at(-1));
const statusOf = async (url: string) => (await fetch(url)).status;

const LAPSE: ToldEvent = {
  kind: "certification_lapsed",
  at: "2026-01-01T00:00:00.000Z",
  subject: "m",
  type: null,
  name: "Revenue",
  owner: "",
  connector: "",
  actor: "",
  note: "",
  risk: null,
};

let made = 0;

async function addFeed(whose: "Notice" | "MyNotice" = "Notice") {
  const input = {
    name: `feed ${made++}`,
    channel: "feed",
    kinds: ["certification_lapsed"],
    aboutBy: "everything",
  };
  const { data, message } = await admin(
    `mutation ($input: Create${whose}RuleInput!) { create${whose}Rule(input: $input) { noticeRule { id } secret } }`,
    { input },
  );
  expect(message).toBe("");
  const created = `create${whose}Rule`;
  return { id: String(at(data, created, "noticeRule", "id")), url: String(at(data, created, "secret")) };
}

/** The names of all elements, in order. Throws if they are not nested well, or text is not escaped. */
function parse(xml: string): string[] {
  const open: string[] = [];
  const all: string[] = [];
  const rest = xml
    .replace(/^<\?xml version="1\.0" encoding="utf-8"\?>\n/, "")
    .replaceAll(/<(\/?)(\w+)((?: \w+="[^"<>]*")*)(\/?)>/g, (_tag, close: string, name: string, _at, alone: string) => {
      if (close !== "" && open.pop() !== name) throw new Error(`</${name}> closes another element`);
      if (close === "") all.push(name);
      if (close === "" && alone === "") open.push(name);
      return "";
    });
  expect(open).toEqual([]);
  expect(rest).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot);)/);
  return all;
}

it("A feed has what its rule told, as well-formed Atom, without other credentials", async () => {
  const { url } = await addFeed();
  await happen(`a "quoted" <b>&\u0007\uFFFE name]]>`);
  const response = await fetch(url);
  const xml = await response.text();
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  expect(response.headers.get("cache-control")).toBe("private, no-cache");
  expect(parse(xml)).toEqual([
    "feed",
    "id",
    "title",
    "updated",
    "author",
    "name",
    "link",
    "entry",
    "id",
    "title",
    "updated",
    "link",
    "content",
  ]);
  expect(xml).toContain("a &quot;quoted&quot; &lt;b&gt;&amp;\\u0007 name]]&gt; lapsed.");
  expect(xml).not.toContain(url.split("/").at(-1));
});

it("A reader that has the newest feed is told so, and gets the next one when something was told", async () => {
  const { url } = await addFeed();
  const etag = present((await fetch(url)).headers.get("etag"));
  const again = () => fetch(url, { headers: { "if-none-match": etag } });
  expect((await again()).status).toBe(304);
  await happen("next");
  expect((await again()).status).toBe(200);
});

it("A feed lists 50 notices", async () => {
  const { id, url } = await addFeed();
  const { noticeEvents, noticeRules } = running.app.metadata;
  const rule = present((await noticeRules.list(workspaceId)).find((each) => each.id === id));
  const notice = { workspaceId, ruleId: rule.id, syncId: null, recipient: null, personId: null };
  const notices = Array.from({ length: 52 }, () => ({ ...notice, events: [LAPSE], eventsTotal: 1 }));
  await noticeEvents.tell({ workspaceId, events: [], moved: null, notices }, 1_000);
  const names = parse(await (await fetch(url)).text());
  expect(names.filter((name) => name === "entry")).toHaveLength(50);
});

it("A forged secret, another rule's secret and a feed that was removed or switched off do not exist", async () => {
  const [one, other] = [await addFeed(), await addFeed()];
  expect(await statusOf(one.url.replace(secretOf(one.url), "x".repeat(43)))).toBe(404);
  expect(await statusOf(one.url.replace(secretOf(one.url), secretOf(other.url)))).toBe(404);
  expect(await statusOf(one.url.replace(one.id, "nrl_none"))).toBe(404);
  expect(await statusOf(one.url)).toBe(200);
  await admin(`mutation ($id: ID!) { updateNoticeRule(input: { id: $id, disabled: true }) { noticeRule { id } } }`, {
    id: one.id,
  });
  expect(await statusOf(one.url)).toBe(404);
  await admin(`mutation ($id: ID!) { removeNoticeRule(input: { id: $id }) { id } }`, { id: other.id });
  expect(await statusOf(other.url)).toBe(404);
});

it("A feed with a new address is not read at the one before, and the store has no secret of it", async () => {
  const { id, url } = await addFeed("MyNotice");
  const { data } = await admin(
    `mutation ($id: ID!) { rotateMyNoticeSecret(input: { id: $id }) { secret noticeRule { id } } }`,
    { id },
  );
  const next = String(at(data, "rotateMyNoticeSecret", "secret"));
  expect((await fetch(url)).status).toBe(404);
  expect((await fetch(next)).status).toBe(200);
  const { noticeRules } = running.app.metadata;
  const rule = present((await noticeRules.listOn(workspaceId)).find((each) => each.id === id));
  expect(JSON.stringify(await noticeRules.findFeed(rule.id))).not.toContain(next.split("/").at(-1));
  const trail = await admin(`{ auditEvents(first: 5) { nodes { details } } }`);
  expect(JSON.stringify(trail.data)).not.toContain(next.split("/").at(-1));
});

it("A person's feed is not read any more when the person was disabled", async () => {
  const { metadata } = running.app;
  const { url } = await addFeed("MyNotice");
  const user = present((await metadata.users.list(workspaceId))[0]);
  await metadata.users.create({ workspaceId, email: "second@example.com", role: "admin" });
  await metadata.users.setDisabled(workspaceId, user.id, true);
  const { status } = await fetch(url);
  await metadata.users.setDisabled(workspaceId, user.id, false);
  expect(status).toBe(404);
});

it("Requests of a feed count against the limit of the workspace", async () => {
  const { url } = await addFeed();
  await running.app.metadata.security.set(workspaceId, { rateLimitPerMinute: 2 });
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await fetch(url)).status);
  await running.app.metadata.security.set(workspaceId, { rateLimitPerMinute: 1_000 });
  expect(statuses).toEqual([200, 200, 429]);
});
