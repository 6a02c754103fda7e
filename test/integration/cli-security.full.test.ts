import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { systemClock } from "../../src/clock.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { type Ended, runCommand, runCommandHere } from "../support/command-line.ts";
import { openPage } from "../support/page.ts";
import { present } from "../support/present.ts";
import { at, createRestClient, type Json } from "../support/rest-client.ts";

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
});
afterAll(() => running.close());

/** Runs a command beside the server, on the same data folder. Spaces divide its words. */
function run(command: string, runIt = runCommandHere): Promise<Ended> {
  return runIt(command.split(" "), { DATA_DIR: running.app.settings.dataDir });
}

/** The output of a command that must succeed without errors. */
async function resultOf(command: string, runIt = runCommandHere): Promise<string> {
  const { code, stdout, stderr } = await run(command, runIt);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

/** Commands share this process with the service, whose time to close an idle connection may end during a command. */
const ONE_REQUEST = { Connection: "close" };

/** Requests assets, for which a token needs the scope `read`. */
function read(token: string): ReturnType<ReturnType<typeof createRestClient>> {
  return createRestClient({ url: running.url, token })("/api/v1/catalog/assets", { headers: ONE_REQUEST });
}

interface Credentials {
  client_id: string;
  client_secret: string;
}

async function exchange(credentials: Credentials): Promise<{ status: number; token: string }> {
  const body = new URLSearchParams({ grant_type: "client_credentials", ...credentials });
  const response = await fetch(`${running.url}/oauth/token`, { method: "POST", headers: ONE_REQUEST, body });
  return { status: response.status, token: String(at((await response.json()) as Json, "access_token")) };
}

describe("accounts", () => {
  it("An account is created with one line of JSON for OAuth, rotated, disabled and enabled", async () => {
    const printed = await resultOf("account create --name airflow --role engineer", runCommand);
    expect(printed).toMatch(/^\{"client_id":"cli_\w+","client_secret":"svc_cs_\w+"\}\n$/);
    const first: Credentials = JSON.parse(printed);
    const { token } = await exchange(first);
    expect((await read(token)).status).toBe(200);

    const second: Credentials = JSON.parse(await resultOf("account rotate airflow"));
    expect(second.client_id).toBe(first.client_id);
    const accounts = await resultOf("account list");
    expect(accounts).toMatch(
      /^airflow .* sec_\w+ \(last used \d{4}-\d\d-\d\dT\S+Z\), sec_\w+ \(never used\) +active$/m,
    );
    const [oldest] = /sec_\w+/.exec(accounts) ?? [];
    expect((await exchange(first)).status).toBe(200);
    await resultOf(`account revoke-secret ${oldest}`);
    expect([(await exchange(first)).status, (await exchange(second)).status]).toEqual([401, 200]);

    await resultOf("account role airflow analyst");
    await resultOf("account disable airflow");
    expect(await resultOf("account list")).toMatch(
      /^airflow +acc_\w+ +cli_\w+ +analyst +sec_\w+ \(last used \S+\) +disabled \S+$/m,
    );
    expect((await read(token)).status).toBe(401);
    await resultOf("account enable airflow");
    expect((await read(token)).status).toBe(200);
  });

  it("An account is removed only with a confirmation, and its tokens with it", async () => {
    const { token } = await exchange(JSON.parse(await resultOf("account create --name brief --role analyst")));
    expect(await run("account remove brief")).toEqual({
      code: 2,
      stdout: "",
      stderr: "Nothing was removed. Use --yes to remove it.\n",
    });
    expect((await read(token)).status).toBe(200);
    await resultOf("account remove brief --yes");
    expect((await read(token)).status).toBe(401);
    expect(await resultOf("account list")).not.toMatch(/^brief /m);
  });

  it("The tokens of an account are listed and revoked", async () => {
    const { token } = await exchange(JSON.parse(await resultOf("account create --name reader --role analyst")));
    const list = await resultOf("token list --account reader");
    expect(list).toMatch(/^tok_\w+ +svc_at_\w{8}… +reader +read +\S+ +\S+$/m);
    await resultOf(`token revoke ${/tok_\w+/.exec(list)?.[0]}`);
    expect((await read(token)).status).toBe(401);
    expect((await run("token list --account reader")).stdout).not.toMatch(/tok_/);
  });
});

describe("users", () => {
  it("A user has keys of their own, which follow the user's role", async () => {
    expect(await resultOf("person create --email ada@example.com --role engineer")).toMatch(/^usr_\w+\n$/);
    const key = (await resultOf("key create --name hers --scope read --scope write --user ada@example.com")).trim();
    expect((await read(key)).status).toBe(200);
    expect(await run("key create --name more --scope admin --user ada@example.com")).toMatchObject({
      code: 1,
      stderr: "ada@example.com may not grant here: admin.\n",
    });

    await resultOf("person grant ada@example.com api:manage");
    expect(await resultOf("person list")).toMatch(
      /^ada@example.com +usr_\w+ +engineer +api:manage +keys only +never +active$/m,
    );
    await resultOf("person ungrant ada@example.com api:manage");
    await resultOf("person role ada@example.com analyst");
    await resultOf("person disable ada@example.com");
    expect(await run("key create --name dead --user ada@example.com")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "ada@example.com is disabled: no key of theirs would work.\n",
    });
    expect(await resultOf("person list")).toMatch(/^ada@example.com +usr_\w+ +analyst +keys only +never +disabled$/m);
    expect((await read(key)).status).toBe(401);
    await resultOf("person enable ada@example.com");
    expect((await read(key)).status).toBe(200);

    const id = /key_\w+(?= +hers)/.exec(await resultOf("key list"))?.[0];
    await resultOf(`key rename ${id} renamed`);
    expect(await resultOf("key list")).toMatch(new RegExp(`^${id} +renamed .* ada@example.com `, "m"));
  });
});

describe("people", () => {
  it("People are invited and reset by links, and listed with the way they log in", async () => {
    const invited = await resultOf("person invite --email grace@example.com --role engineer");
    // The link leads to the server, which has its own port.
    expect(invited).toMatch(/^http:\/\/\S+\/welcome#token=[\w-]{59}\n$/);
    expect(new URL(invited).origin).toBe(running.url);
    const grace = openPage(running.url);
    expect((await grace.useLink(invited.trim())).status).toBe(200);
    expect(await resultOf("person list")).toMatch(/^grace@example.com +usr_\w+ +engineer +password +\S+Z +active$/m);
    expect(await run("person invite --email grace@example.com --role admin")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^grace@example.com is in this workspace already/),
    });
    const reset = await resultOf("person reset grace@example.com");
    expect((await openPage(running.url).useLink(reset.trim(), { password: "a stork by the lake" })).status).toBe(200);
    expect(await grace.query("{ viewer { user { id } } }")).toBe("unauthorized");
    await resultOf("person disable grace@example.com");
    expect(await run("person reset grace@example.com")).toMatchObject({
      code: 1,
      stderr: "grace@example.com is disabled.\n",
    });
  });
});

describe("invitations", () => {
  it("Invitations are listed until they are used or cancelled", async () => {
    const invited = (await resultOf("person invite --email mary@example.com --role analyst")).trim();
    expect(await resultOf("person invitations")).toMatch(
      /^mary@example.com +\w+ +analyst +admin@\S+ +\d{4}-\S+Z +works$/m,
    );
    await resultOf("person uninvite mary@example.com");
    expect((await run("person invitations")).stdout).not.toMatch(/mary@example.com/);
    expect((await openPage(running.url).useLink(invited)).status).not.toBe(200);
    expect(await run("person uninvite mary@example.com")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no open invitation for mary@example.com; /),
    });
  });
});

describe("settings", () => {
  it("The settings bound the requests per minute, the addresses and the lifetime of tokens", async () => {
    const key = (await resultOf("key create --name watched")).trim();
    await resultOf("limits set --per-minute 42");
    expect(await resultOf("limits show")).toBe("42\n");
    expect((await read(key)).headers.get("x-ratelimit-limit")).toBe("42");

    await resultOf("allowlist set 10.1.2.3/8 2001:db8::/32");
    expect(await resultOf("allowlist show")).toBe("10.0.0.0/8\n2001:db8::/32\n");
    expect((await read(key)).status).toBe(403);
    await resultOf("allowlist set");
    expect((await read(key)).status).toBe(200);

    expect((await run("token lifetime 30 --yes")).code).toBe(0);
    expect(await resultOf("key list")).toMatch(/ watched .* active until /);
    await resultOf("token lifetime none");
  });
});

describe("a bound on the lifetime of tokens", () => {
  it("A bound on the lifetime of tokens lists the keys and tokens that end earlier, and needs a confirmation", async () => {
    await resultOf("workspace create aged");
    await resultOf("key create --name endless -w aged");
    await resultOf("key create --name short --expires 30 -w aged");
    const told = await run("token lifetime 60 -w aged");
    expect(told).toMatchObject({ code: 2, stdout: "" });
    expect(told.stderr.replace(/\d{4}-\d\d-\d\d/, "DAY")).toBe(
      "With a lifetime of 60 days, 0 API keys and 0 access tokens end now. 1 API key and 0 access tokens end sooner " +
        `than they would have, the first on DAY. A longer lifetime, set later, does not bring them back.\n` +
        "Nothing was changed. Use --yes to change it.\n",
    );
    expect(await resultOf("key list -w aged")).toMatch(/endless .* active$/m);

    const done = await run("token lifetime 60 --yes -w aged");
    expect(done).toMatchObject({
      code: 0,
      stdout: "The lifetime is set.\n",
      stderr: expect.stringMatching(/^With a lifetime of 60 days/),
    });
    expect(await resultOf("key list -w aged")).toMatch(/endless .* active until /);
  });

  it("A bound on the lifetime of tokens needs no confirmation if it affects no key or token", async () => {
    await resultOf("workspace create young");
    await resultOf("token lifetime 30 -w young");
    await resultOf("key create --name bounded -w young");
    await resultOf("token lifetime 60 -w young");
    expect(await resultOf("token lifetime none -w young")).toBe("The lifetime is set.\n");
  });
});

it("Keys can be revoked while a graph store on another machine is away", async () => {
  const key = (await resultOf("key create --name lost")).trim();
  const id = /key_\w+(?= +lost)/.exec(await resultOf("key list"))?.[0];
  const env = { DATA_DIR: running.app.settings.dataDir, GRAPH_URL: "bolt://127.0.0.1:65531" };
  expect(await runCommandHere(["key", "revoke", String(id)], env)).toMatchObject({
    code: 0,
    stdout: "The key is revoked.\n",
  });
  expect((await read(key)).status).toBe(401);
});

it("The audit trail shows who did what from the command line, the newest first", async () => {
  await resultOf("person create --email eve@example.com --role analyst");
  const [headings, newest, ...others] = (await resultOf("audit --limit 1")).trimEnd().split("\n");
  expect(headings).toMatch(/^AT +ACTION +ACTOR +SOURCE +SUBJECT +DETAILS$/);
  expect(newest).toMatch(/^\S+Z +user_created +command line +command line +eve@example\.com +\{.*analyst/);
  expect(others).toEqual([]);
});

it("The audit trail names people by their addresses, because they choose their names", async () => {
  const { metadata } = running.app;
  const { id: workspaceId } = present(await metadata.workspaces.findByName("default"));
  const { id } = await metadata.users.create({
    workspaceId,
    email: "mallory@example.com",
    role: "analyst",
    name: "command line",
  });
  const event = { workspaceId, actor: "mallory@example.com", source: "192.0.2.1", subject: id, details: {} };
  await metadata.audit.append({ action: "logged_in", ...event });
  const [, line] = (await resultOf("audit --limit 1")).split("\n");
  expect(line).toMatch(/ logged_in +mallory@example\.com +192\.0\.2\.1 +command line \(mallory@example\.com\) /);
});

describe("security events", () => {
  it("Security events are kept for the given time, without a question if no event is that old", async () => {
    await resultOf("workspace create audited");
    expect(await resultOf("audit retention -w audited")).toBe("none\n");
    await resultOf("audit retention 90 -w audited");
    expect(await resultOf("audit retention -w audited")).toBe("90\n");
    expect(await resultOf("audit retention")).toBe("none\n");
    await resultOf("audit retention none -w audited");
    expect(await resultOf("audit retention -w audited")).toBe("none\n");
  });

  it("A shorter time for security events lists those that it deletes, and needs a confirmation", async () => {
    const past = { ...systemClock, now: () => new Date("2024-05-01T12:00:00Z") };
    const old = await startApp({ overrides: { clock: past } });
    onTestFinished(() => old.close());
    const ask = (command: string) => runCommandHere(command.split(" "), { DATA_DIR: old.app.settings.dataDir });
    const told = /^This soon deletes \d+ security events? from before \d{4}-\d\d-\d\d, the oldest of 2024-05-01\.\n/;
    const refused = await ask("audit retention 30");
    expect(refused).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(told) });
    expect(refused.stderr).toMatch(/\nNothing was changed\. Use --yes to change it\.\n$/);
    expect((await ask("audit retention")).stdout).toBe("none\n");
    expect(await ask("audit retention 30 --yes")).toMatchObject({ code: 0, stderr: expect.stringMatching(told) });
    expect((await ask("audit retention")).stdout).toBe("30\n");
  });
});

describe("errors", () => {
  it.each([
    ["an unknown role", "account create --name a --role boss", 2, /Allowed choices are analyst, engineer, admin/],
    [
      "an invitation to no address",
      "person invite --email anna --role engineer",
      2,
      /^[^\n]*anna[^\n]* It must be an e-mail address\.\n$/,
    ],
    [
      "a person without an address",
      "person create --email anna --role engineer",
      2,
      /^[^\n]*anna[^\n]* It must be an e-mail address\.\n$/,
    ],
    ["an unknown account", "account rotate nobody", 1, /^There is no account nobody; [^\n]+\n$/],
    ["an unknown user", "person role nobody@example.com admin", 1, /^There is no person nobody@example.com; [^\n]+\n$/],
    [
      "the last admin's end",
      "person disable admin@localhost.localdomain",
      1,
      /^A workspace needs at least one [^\n]+\n$/,
    ],
    ["a malformed CIDR", "allowlist set 10.0.0.1", 2, /"10.0.0.1" is not a CIDR[^\n]+\n$/],
    ["a limit out of range", "limits set --per-minute 10001", 2, /whole number from 1 to 10000\n$/],
    ["a limit that is no number", "limits set --per-minute many", 2, /whole number of at least 1/],
    ["a retention of hours", "audit retention 6", 2, /7 to 3650|from 7/],
    ["a lifetime of ages", "token lifetime 3651", 2, /at most 3650 days/],
    ["a lifetime that is no number", "token lifetime 1h", 2, /whole number of at least 1/],
    ["an unknown token", "token revoke tok_0", 1, /^No token with id "tok_0" in this workspace\.\n$/],
  ])("An error is one line with an exit code: %s", async (_case, command, code, message) => {
    const ended = await run(command);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toMatch(message);
  });
});

it("A terminal asks for a confirmation before every token is revoked", async () => {
  const { isTTY } = process.stdin;
  process.stdin.isTTY = true;
  try {
    const message = "This revokes all tokens of default; confirm it with --yes.\n";
    expect(await run("token revoke-all")).toEqual({ code: 2, stdout: "", stderr: message });
  } finally {
    process.stdin.isTTY = isTTY;
  }
  expect((await read(running.token)).status).toBe(200);
});

it("One command revokes every token at once", async () => {
  const key = (await resultOf("key create --name last")).trim();
  expect((await read(key)).status).toBe(200);
  expect(await resultOf("token revoke-all --yes")).toMatch(
    /^Revoked \d+ API keys and \d+ access tokens, and ended \d+ sessions\.\n$/,
  );
  expect((await read(key)).status).toBe(401);
});
