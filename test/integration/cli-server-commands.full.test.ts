/** Commands for a running service with only a token, beside the same commands on its data folder. */
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../support/app.ts";
import { type Ended, runCommandHere } from "../support/command-line.ts";

const ADMIN = "admin@localhost.localdomain";

let app: RunningApp;
beforeAll(async () => {
  app = await startApp({ sample: true });
});
afterAll(() => app.close());

/** Spaces divide the words. */
function runOnFolder(command: string): Promise<Ended> {
  return runCommandHere(command.split(" "), { DATA_DIR: app.app.settings.dataDir });
}

/** Without a data folder, as on another machine. */
function runElsewhere(command: string, token = app.token): Promise<Ended> {
  const DATA_DIR = join(app.app.settings.dataDir, "none");
  return runCommandHere(command.split(" "), { DATA_DIR, TRIBUTARY_URL: app.url, TRIBUTARY_TOKEN: token });
}

/** The output of a command that must succeed without errors. */
async function resultOf(command: string, runIt = runElsewhere): Promise<string> {
  const { code, stdout, stderr } = await runIt(command);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

describe("a remote service", () => {
  it("A remote service runs a sync, and the command waits for it", async () => {
    const done = JSON.parse(await resultOf("sync shop --force --wait --json"));
    expect(done).toMatchObject({ status: "completed", errors_total: 0, completed_at: expect.any(String) });
    const again = await runElsewhere("sync shop --wait --json");
    expect(again.stderr).toMatch(/^This sync was queued \d+ s ago; it is completed\./);
    expect(JSON.parse(again.stdout)).toEqual(done);
    expect(JSON.parse((await runOnFolder("sync shop --wait --json")).stdout)).toEqual(done);
  });

  it("A remote service runs a sync that fails, and the exit code is 1", async () => {
    await resultOf("connector add dbt --no-test --name gone --option manifest=/gone/manifest.json");
    const { code, stdout } = await runElsewhere("sync gone --wait --json");
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, status: "failed", errors_total: 1 });
    await resultOf("connector remove gone --yes");
  });

  it("A remote service certifies a metric in the name of the token's owner", async () => {
    const [, pending] = /^(shop\.\S+) .* pending *$/m.exec(await resultOf("metric list")) ?? [];
    await resultOf(`metric certify ${pending} --note Agreed.`);
    expect(await resultOf("metric list")).toMatch(new RegExp(`^${pending} .* certified +${ADMIN} +\\S+Z$`, "m"));
    await resultOf(`metric withdraw ${pending}`);
    const trail = await resultOf(`metric trail ${pending}`);
    expect(trail).toMatch(new RegExp(`certify +pending +certified +${ADMIN} +Agreed\\.$`, "m"));
    expect(trail).toBe(await resultOf(`metric trail ${pending}`, runOnFolder));
  });

  it("A remote service creates, renames, lists and revokes keys", async () => {
    const token = (await resultOf("key create --name fresh --scope read --scope admin --expires 30")).trim();
    const id = /key_\w+(?= +fresh)/.exec(await resultOf("key list"))?.[0];
    await resultOf(`key rename ${id} renamed`);
    const list = await resultOf("key list");
    expect(list).toMatch(new RegExp(`^${id} +renamed +svc_live_\\w{8}… +read,admin +${ADMIN} .* active until `, "m"));
    expect(list).toBe(await resultOf("key list", runOnFolder));
    await resultOf(`key revoke ${id}`);
    expect(await runElsewhere("person list", token)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/401|valid bearer/),
    });
  });

  it("A remote service adds and changes users, with the command line's names of grants", async () => {
    expect(await resultOf("person create --email ada@example.com --role analyst")).toMatch(/^usr_\w+\n$/);
    await resultOf("person role ada@example.com engineer");
    await resultOf("person grant ada@example.com metrics:certify");
    await resultOf("person grant ada@example.com api:manage");
    await resultOf("person ungrant ada@example.com metrics:certify");
    await resultOf("person disable ada@example.com");
    const list = await resultOf("person list");
    expect(list).toMatch(/^ada@example\.com +usr_\w+ +engineer +api:manage +keys only +never +disabled$/m);
    expect(list).toBe(await resultOf("person list", runOnFolder));
    expect(await resultOf("person invite --email eve@example.com --role analyst")).toMatch(
      /^http:\/\/127\.0\.0\.1:\d+\/welcome#token=[\w-]{59}\n$/,
    );
    await resultOf("person enable ada@example.com");
    expect(await resultOf("person list")).toMatch(/^ada@example\.com .* active$/m);
  });

  it("A remote service creates and changes accounts, and revokes their secrets", async () => {
    const first = JSON.parse(await resultOf("account create --name airflow --role engineer"));
    const second = JSON.parse(await resultOf("account rotate airflow"));
    expect([second.client_id, second.client_secret === first.client_secret]).toEqual([first.client_id, false]);
    const [secret] = /sec_\w+/.exec(await resultOf("account list")) ?? [];
    await resultOf(`account revoke-secret ${secret}`);
    await resultOf("account role airflow analyst");
    await resultOf("account disable airflow");
    const list = await resultOf("account list");
    expect(list).toMatch(/^airflow +acc_\w+ +cli_\w+ +analyst +sec_\w+ \(never used\) +disabled \S+Z$/m);
    expect(list).not.toContain(secret);
    expect(list).toBe(await resultOf("account list", runOnFolder));
    await resultOf("account enable airflow");
    expect(await runElsewhere("account rotate nobody")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no account nobody/),
    });
  });

  it("A remote service lists and revokes access tokens", async () => {
    const credentials = JSON.parse(await resultOf("account create --name reader --role analyst"));
    const body = new URLSearchParams({ grant_type: "client_credentials", ...credentials });
    await fetch(`${app.url}/oauth/token`, { method: "POST", body });
    const list = await resultOf("token list --account reader");
    expect(list).toMatch(/^tok_\w+ +svc_at_\w{8}… +reader +read +\S+Z +\S+Z$/m);
    expect(list).toBe(await resultOf("token list --account reader", runOnFolder));
    await resultOf(`token revoke ${/tok_\w+/.exec(list)?.[0]}`);
    const none = await runElsewhere("token list --account reader");
    expect(none).toMatchObject({ code: 0, stdout: "", stderr: expect.stringMatching(/^No access tokens\./) });
  });

  it("A remote service tells which tokens a new lifetime ends before it is set, like the data folder", async () => {
    const told = await runElsewhere("token lifetime 60");
    expect(told).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^With a lifetime of 60 days, 0 /),
    });
    expect(told).toEqual(await runOnFolder("token lifetime 60"));
    expect(await resultOf("key list")).not.toMatch(/ test .* active until /);
    expect(await runElsewhere("token lifetime 60 --yes")).toMatchObject({ code: 0, stdout: "The lifetime is set.\n" });
    expect(await resultOf("key list")).toMatch(/ test .* active until /);
    await resultOf("token lifetime none");
  });

  it("A remote service sets the rate limit and the networks, and shows both", async () => {
    await resultOf("limits set --per-minute 4200");
    await resultOf("allowlist set 127.0.0.0/8 2001:db8::/32");
    expect(await resultOf("limits show")).toBe("4200\n");
    expect(await resultOf("allowlist show")).toBe("127.0.0.0/8\n2001:db8::/32\n");
    await resultOf("allowlist set");
    expect((await runOnFolder("allowlist show")).stdout).toBe("");
  });

  it("A remote service shows as many events of its audit trail as requested, even more than a page", async () => {
    for (let made = 0; made < 205; made += 1) await app.createToken(["read"]);
    const events = await resultOf("audit --limit 203");
    expect(events.trimEnd().split("\n")).toHaveLength(1 + 203);
    expect(events).toBe(await resultOf("audit --limit 203", runOnFolder));
    expect(await resultOf("key list")).toBe(await resultOf("key list", runOnFolder));
  });

  it("A remote service refuses what the token may not do", async () => {
    const reader = await app.createToken(["read"]);
    expect(await runElsewhere("person list", reader)).toEqual({
      code: 1,
      stdout: "",
      stderr: 'This needs a token with the scope "admin".\n',
    });
  });

  it("A remote service refuses a command that names a person, because the token decides who asks", async () => {
    expect(await runElsewhere(`metric certify any --user ${ADMIN}`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--user is for the data folder/),
    });
  });

  it("A remote service revokes every token, also the one that asks", async () => {
    expect(await resultOf("token revoke-all --yes")).toMatch(
      /^Revoked \d+ API keys and \d+ access tokens, and ended \d+ sessions\.\n$/,
    );
    expect(await runElsewhere("limits show")).toMatchObject({ code: 1, stdout: "" });
  });
});
