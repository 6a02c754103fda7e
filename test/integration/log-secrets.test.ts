/** The log at its most detailed level: every line is JSON, requests have their ids, and no line has a secret. */
import { Writable } from "node:stream";

import { expect, it, onTestFinished } from "vitest";

import { unavailable } from "../../src/errors.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { startApp } from "../support/app.ts";
import { createGraphqlClient } from "../support/graphql-client.ts";
import { basic, createOauthClient, postForm } from "../support/oauth.ts";
import { openAdminPage, PASSWORD } from "../support/page.ts";

function openLog() {
  const taken: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      taken.push(String(chunk));
      done();
    },
  });
  const lines = (): Record<string, unknown>[] =>
    taken
      .join("")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  return { log: createLog("trace", sink), text: () => taken.join(""), lines };
}

it("Whatever clients send, the log has the id of each request and none of their secrets", async () => {
  const { log, text, lines } = openLog();
  const env = {
    LIMITS_URL: "redis://ada:valkey-p4ssword@127.0.0.1:1",
    SECRET_KEY: "a secret key of 32 characters or more",
  };
  const running = await startApp({ env, overrides: { log } });
  onTestFinished(() => running.close());
  const { url, token, app } = running;

  const requestId = "0b0d3a3e-5b0e-4f0e-9d3e-0123456789ab";
  const headers = { Authorization: `Bearer ${token}`, "X-Request-Id": requestId, Cookie: "session=c00kie-value" };
  await fetch(`${url}/api/v1/catalog/assets?search=a-search-term`, { headers });
  await fetch(`${url}/api/v1/metrics`, { headers: { Authorization: "Bearer svc_live_wr0ngwr0ngwr0ng" } });
  await fetch(`${url}/api/v1/metrics`, { headers: { Authorization: "Basic d3JvbmcgdG9rZW4=" } });
  const client = await createOauthClient(app, "analyst", "robot");
  await postForm(url, {
    grant_type: "client_credentials",
    client_id: client.clientId,
    client_secret: client.clientSecret,
  });
  await postForm(url, { grant_type: "client_credentials", client_id: client.clientId, client_secret: "wr0ng-secret" });
  await openAdminPage(app, url);
  const login = { method: "POST", headers: { "Content-Type": "application/json", Origin: url } };
  await fetch(`${url}/auth/login`, {
    ...login,
    body: JSON.stringify({ email: "ada@example.com", password: "gu3ssed-it" }),
  });
  const ask = createGraphqlClient(running);
  const options = { url: "http://me:in-the-url@127.0.0.1:1/x", username: "me", password: "c0nnector-password" };
  const input = { type: "metabase", name: "m", options };
  await ask("mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } } }", {
    input,
  });

  const secrets = [
    token,
    "c00kie",
    "a-search-term",
    "wr0ng",
    "d3JvbmcgdG9rZW4",
    client.clientSecret,
    PASSWORD,
    "gu3ssed",
  ];
  secrets.push(
    "valkey-p4ssword",
    "in-the-url",
    "c0nnector-password",
    env.SECRET_KEY,
    basic(client).slice("Basic ".length),
  );
  expect(secrets.filter((secret) => text().includes(secret))).toEqual([]);
  const requests = lines().filter(({ msg }) => msg === "request");
  expect(requests.length).toBeGreaterThanOrEqual(8);
  expect(requests.filter((line) => !/^[\da-f-]{36}$/.test(String(line["requestId"])))).toEqual([]);
  expect(requests).toContainEqual(
    expect.objectContaining({ requestId, method: "GET", path: "/api/v1/catalog/assets", status: 200 }),
  );
});

it("An error of a driver is logged without its data, and credentials in any text are hidden", () => {
  const { log, text, lines } = openLog();
  const cause = Object.assign(new Error("connect to postgres://me:h1dden@db/x failed"), { code: "ECONNREFUSED" });
  const err = Object.assign(new Error("the request failed: Bearer h1dden.h1dden", { cause }), {
    command: { name: "auth", args: ["h1dden"] },
    config: { headers: { Authorization: "h1dden" } },
  });
  log.error(
    { err, location: "bolt://ada:h1dden@graph:7687" },
    "token svc_live_h1ddenh1dden of https://example.com/@me",
  );
  expect(text()).not.toContain("h1dden");
  expect(lines()).toMatchObject([
    {
      msg: "token svc_live_*** of https://example.com/@me",
      location: "bolt://***@graph:7687",
      err: {
        type: "Error",
        message: "the request failed: Bearer ***",
        stack: expect.any(String),
        cause: { code: "ECONNREFUSED", message: "connect to postgres://***@db/x failed" },
      },
    },
  ]);
});

it("An error about a store is logged with the store's address", () => {
  const { log, lines } = openLog();
  const err = unavailable("The metadata store did not answer in time.", undefined, "db.example.com:5432/tributary");
  log.error({ err }, "the schedules could not be read");
  expect(lines()).toMatchObject([{ err: { message: err.message, location: "db.example.com:5432/tributary" } }]);
});
