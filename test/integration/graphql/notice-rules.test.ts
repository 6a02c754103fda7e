/** Notice rules over GraphQL and on the command line, with a receiver on this machine. */
import { afterAll, beforeAll, expect, it } from "vitest";

import { getFirstAdmin } from "../../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { runCommandHere } from "../../support/command-line.ts";
import { createGraphqlClient, type GraphqlClient } from "../../support/graphql-client.ts";
import { openReceiver } from "../../support/notices.ts";
import { present } from "../../support/present.ts";
import { at } from "../../support/rest-client.ts";

let running: RunningApp;
let ask: GraphqlClient;
beforeAll(async () => {
  running = await startApp({ env: { ALLOW_PRIVATE_SOURCES: "127.0.0.0/8" } });
  ask = createGraphqlClient(running);
});
afterAll(() => running.close());

const CREATE = `mutation ($input: CreateNoticeRuleInput!) {
  createNoticeRule(input: $input) { secret noticeRule { id name origin aboutBy about disabledAt } }
}`;
const TEST = `mutation ($id: ID!) { testNoticeRule(input: { id: $id }) { notice { id status tries { status } } } }`;
const UPDATE = `mutation ($input: UpdateNoticeRuleInput!) {
  updateNoticeRule(input: $input) { noticeRule { name aboutBy about disabledAt } }
}`;
const SENT = `query ($id: ID!, $after: String) { noticeRule(id: $id) {
  notices(first: 2, after: $after) { nodes { id isTest } pageInfo { nextCursor } }
} }`;

const input = (name: string, url: string, more: object = {}) => ({
  input: { name, url, channel: "webhook", kinds: ["certification_lapsed"], ...more },
});

async function run(...args: string[]) {
  return runCommandHere(args, { TRIBUTARY_URL: running.url, TRIBUTARY_TOKEN: running.token });
}

it("A rule is added, tested, changed, read page by page and removed", async () => {
  await using server = await openReceiver();
  const { data } = await ask(CREATE, input("one", `${server.url}/hook?token=geheim`));
  expect(data).toEqual({
    createNoticeRule: {
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      noticeRule: {
        id: expect.stringMatching(/^nrl_/),
        name: "one",
        origin: server.url,
        aboutBy: "everything",
        about: null,
        disabledAt: null,
      },
    },
  });
  const id = at(data, "createNoticeRule", "noticeRule", "id");
  for (let i = 0; i < 3; i++) {
    const tested = await ask(TEST, { id });
    expect(at(tested.data, "testNoticeRule", "notice")).toMatchObject({
      status: "delivered",
      tries: [{ status: 204 }],
    });
  }
  const first = at((await ask(SENT, { id })).data, "noticeRule", "notices");
  expect(at(first, "nodes")).toHaveLength(2);
  const second = await ask(SENT, { id, after: at(first, "pageInfo", "nextCursor") });
  expect(at(second.data, "noticeRule", "notices", "nodes")).toMatchObject([{ isTest: true }]);
  const changed = await ask(UPDATE, { input: { id, aboutBy: "tag", about: "finance", disabled: true } });
  expect(at(changed.data, "updateNoticeRule", "noticeRule")).toMatchObject({
    name: "one",
    about: "finance",
    disabledAt: expect.any(String),
  });
  await ask("mutation ($id: ID!) { removeNoticeRule(input: { id: $id }) { id } }", { id });
  expect((await ask(SENT, { id })).data).toEqual({ noticeRule: null });
  const { data: trail } = await ask("{ auditEvents(first: 10) { nodes { action details } } }");
  const text = JSON.stringify(trail);
  expect(text).toContain("notice_rule_removed");
  expect(text).not.toMatch(/geheim|whsec_/);
});

it.each([
  ["no kind", { kinds: [] }, "kinds"],
  ["a least risk and no kind of change", { kinds: ["sync_failed"], minRisk: "high" }, "kinds"],
  ["an address that is none", { url: "nowhere" }, "url"],
  ["a person without an address", { aboutBy: "person", about: "ada" }, "about"],
  ["a tag without a name", { aboutBy: "tag" }, "about"],
  ["a name with a line break", { name: "a\nb" }, "name"],
])("A rule with %s is refused, and the error names the field", async (_what, more, field) => {
  const { codes, message } = await ask(CREATE, input("bad", "https://hooks.invalid", more));
  expect(codes).toEqual(["BAD_REQUEST"]);
  expect(message).toMatch(new RegExp(`^${field}: `));
});

it("A rule of another workspace does not exist", async () => {
  const { data } = await ask(CREATE, input("mine", "https://hooks.invalid"));
  const id = at(data, "createNoticeRule", "noticeRule", "id");
  const stranger = createGraphqlClient(await running.openWorkspace());
  expect((await stranger(SENT, { id })).data).toEqual({ noticeRule: null });
  expect(JSON.stringify((await stranger("{ noticeRules { id } }")).data)).not.toContain(id);
  expect((await stranger(TEST, { id })).codes).toEqual(["NOT_FOUND"]);
  expect((await stranger(UPDATE, { input: { id, disabled: true } })).codes).toEqual(["NOT_FOUND"]);
});

it("A workspace has at most 20 rules, with different names", async () => {
  const own = createGraphqlClient(await running.openWorkspace());
  // It makes the rules that every workspace gets, which do not count.
  await running.app.notices.tell();
  for (let i = 0; i < 20; i++)
    expect((await own(CREATE, input(`rule ${i}`, "https://hooks.invalid"))).codes).toEqual([]);
  expect((await own(CREATE, input("one more", "https://hooks.invalid"))).codes).toEqual(["CONFLICT"]);
  expect((await own(CREATE, input("rule 1", "https://hooks.invalid"))).codes).toEqual(["CONFLICT"]);
});

it("The command line adds, tests, lists and removes a rule", async () => {
  await using server = await openReceiver();
  const added = await run("notice", "add", "--name", "shell", "--channel", "webhook", "--url", server.url);
  expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^whsec_/) });
  expect(await run("notice", "test", "shell")).toMatchObject({ code: 0, stdout: "The test arrived: 204.\n" });
  expect((await run("notice", "sent", "shell")).stdout).toMatch(/^ntc_\S+ +\S+ +test +delivered +1 +204/m);
  expect((await run("notice", "list")).stdout).toMatch(/^shell +nrl_\S+ +webhook http:\S+ +certification_lapsed, /m);
  expect((await run("notice", "rotate", "shell")).stdout).toMatch(/^whsec_/);
  expect(await run("notice", "off", "shell")).toMatchObject({ code: 0 });
  expect((await run("notice", "list")).stdout).toMatch(/^shell .* off since /m);
  server.receiver.answer = (_request, response) => response.writeHead(500).end("no");
  expect(await run("notice", "test", "shell")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The test did not arrive: 500 no."),
  });
  const risky = ["--name", "risky", "--channel", "webhook", "--url", server.url, "--min-risk", "high"];
  expect(await run("notice", "add", ...risky)).toMatchObject({ code: 0 });
  expect((await run("notice", "list")).stdout).toMatch(/^risky .*asset_removed.*sql_changed/m);
  const words = ["--kind", "asset_removed", "--min-risk", "low", "--about-by", "tag", "--about", "finance"];
  expect(await run("notice", "change", "risky", ...words)).toMatchObject({ code: 0 });
  expect((await run("notice", "list")).stdout).toMatch(/^risky .* asset_removed +tag finance/m);
  expect(await run("notice", "remove", "shell", "--yes")).toMatchObject({ code: 0 });
  expect(await run("notice", "test", "shell")).toMatchObject({ code: 1 });
});

it("The command line says whom a bell tells: who adds it, or the owners if that is asked for", async () => {
  const added = async (name: string, ...more: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run("notice", "add", "--name", name, "--channel", "bell", ...more);
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };
  const listed = async (): Promise<string> => (await run("notice", "list")).stdout;
  // The administrator of the first start may never have logged in, and then reads no bell.
  expect(await added("before")).toBe("The rule is added. It tells the owners of what is told.\n");
  const workspace = present(await running.app.metadata.workspaces.findByName("default"));
  const admin = await getFirstAdmin(running.app.metadata, workspace);
  await running.app.metadata.logins.noteLogin(workspace.id, admin.id);
  expect(await added("my bell")).toBe(`The rule is added. It tells ${admin.email}.\n`);
  expect(await added("theirs", "--to", "owners")).toBe("The rule is added. It tells the owners of what is told.\n");
  expect(await listed()).toMatch(new RegExp(`^my bell +nrl_\\S+ +bell ${admin.email} `, "m"));
  expect(await listed()).toMatch(/^theirs +nrl_\S+ +bell to owners /m);
  expect(await run("notice", "change", "my bell", "--to", "owners")).toMatchObject({ code: 0 });
  expect(await listed()).toMatch(/^my bell +nrl_\S+ +bell to owners /m);
  expect(await run("notice", "change", "my bell", "--digest-hour", "none")).toMatchObject({ code: 0 });
});

it("A mail to oneself is refused with what to do where no mails can be sent", async () => {
  const create = `mutation { createMyNoticeRule(input: { name: "mine", kinds: [sync_failed], aboutBy: everything }) { noticeRule { id } } }`;
  expect((await ask(create)).message).toBe("Mails are not set up. Ask the operator to set SMTP_URL and MAIL_FROM.");
});
