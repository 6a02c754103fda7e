/** Rules of persons: each person's own, and nobody else's. */
import { afterAll, beforeAll, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { present } from "../../support/present.ts";
import { at } from "../../support/rest-client.ts";
import { serveSmtp } from "../../support/smtp-server.ts";

let running: RunningApp;
let admin: GraphqlClient;
let server: Awaited<ReturnType<typeof serveSmtp>>;
beforeAll(async () => {
  server = await serveSmtp();
  const env = { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: "tributary@example.com" };
  running = await startApp({ env });
  admin = createGraphqlClient(running);
  const { metadata } = { metadata: running.app.metadata };
  const [workspace] = await metadata.workspaces.list();
  const { id } = present(workspace);
  for (const user of await metadata.users.list(id)) await metadata.logins.noteLogin(id, user.id);
});
afterAll(async () => {
  await running.close();
  await server.stop();
});

const CREATE = `mutation ($input: CreateMyNoticeRuleInput!) { createMyNoticeRule(input: $input) { noticeRule { id to } } }`;
const RULE = { name: "mine", kinds: ["certification_lapsed", "owner_changed"], aboutBy: "everything" };

it("A person adds, changes and removes a rule of their own, and admins do not see it among those of the workspace", async () => {
  const { data, message } = await admin(CREATE, { input: RULE });
  expect(message).toBe("");
  const id = at(data, "createMyNoticeRule", "noticeRule", "id");
  expect(at(data, "createMyNoticeRule", "noticeRule", "to")).toMatch(/^admin@/);
  const listed = await admin(`{ noticeRules { name } myNoticeRules { name } }`);
  expect(at(listed.data, "myNoticeRules")).toEqual([{ name: "mine" }]);
  expect(JSON.stringify(at(listed.data, "noticeRules"))).not.toContain("mine");
  const asAdmin = [
    `query ($id: ID!) { noticeRule(id: $id) { id } }`,
    `mutation ($id: ID!) { updateNoticeRule(input: { id: $id, name: "taken" }) { noticeRule { id } } }`,
    `mutation ($id: ID!) { testNoticeRule(input: { id: $id }) { notice { id } } }`,
    `mutation ($id: ID!) { removeNoticeRule(input: { id: $id }) { id } }`,
  ];
  const answers = await Promise.all(asAdmin.map((document) => admin(document, { id })));
  expect(answers.flatMap(({ codes }) => codes)).toEqual(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
  expect(answers[0]?.data).toEqual({ noticeRule: null });
  const change = `mutation ($id: ID!) { updateMyNoticeRule(input: { id: $id, disabled: true, minRisk: high }) { noticeRule { minRisk } } }`;
  expect(at((await admin(change, { id })).data, "updateMyNoticeRule", "noticeRule")).toEqual({ minRisk: "high" });
  const trail = await admin(`{ auditEvents(first: 5) { nodes { action details } } }`);
  expect(JSON.stringify(trail.data)).not.toContain("mine");
  const remove = `mutation ($id: ID!) { removeMyNoticeRule(input: { id: $id }) { id } }`;
  expect((await admin(remove, { id })).codes).toEqual([]);
  expect((await admin(`{ myNoticeRules { name } }`)).data).toEqual({ myNoticeRules: [] });
});

it("The rule of one person does not exist for another one, and a person in another workspace has none", async () => {
  const { data } = await admin(CREATE, { input: { ...RULE, name: "hers" } });
  const id = at(data, "createMyNoticeRule", "noticeRule", "id");
  const other = createGraphqlClient(await running.openWorkspace());
  const found = await other(`query ($id: ID!) { myNoticeRule(id: $id) { id } myNoticeRules { id } }`, { id });
  expect(found.data).toEqual({ myNoticeRule: null, myNoticeRules: [] });
  const rename = `mutation ($id: ID!) { updateMyNoticeRule(input: { id: $id, name: "x" }) { noticeRule { id } } }`;
  expect((await other(rename, { id })).codes).toEqual(["NOT_FOUND"]);
});

it("A key that may not do everything that its owner may sees no rules of its owner", async () => {
  const reader = createGraphqlClient({ url: running.url, token: await running.createToken(["read"]) });
  expect((await reader(`{ myNoticeRules { id } }`)).codes).toEqual(["FORBIDDEN"]);
});
