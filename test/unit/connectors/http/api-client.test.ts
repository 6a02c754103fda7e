import type { ServerResponse } from "node:http";

import { afterEach, expect, test } from "vitest";
import { z } from "zod";

import {
  type ApiClient,
  type ApiNetwork,
  createApiClient,
  DEFAULT_API_NETWORK,
} from "../../../../src/connectors/http/api-client.ts";
import { serveHttp } from "../../../support/http-server.ts";

const SECRET = "mb_s3cret";
const NOW = new Date("2026-06-01T12:00:00Z");

/** The durations that `sleep` was asked for, in milliseconds. */
const slept: number[] = [];
afterEach(() => void slept.splice(0));

const NETWORK: ApiNetwork = {
  ...DEFAULT_API_NETWORK,
  timeoutMs: 20_000,
  retryDelaysMs: [10, 20],
  privateSources: ["127.0.0.0/8"],
  sleep: async (ms, signal) => {
    signal.throwIfAborted();
    slept.push(ms);
  },
};

/** Resolves every name to this machine. */
const resolve: NonNullable<ApiNetwork["resolve"]> = (_name, _options, answer) =>
  answer(null, [{ address: "127.0.0.1", family: 4 }]);

function open(url: string, network: Partial<ApiNetwork> = {}, signal = new AbortController().signal): ApiClient {
  return createApiClient({
    service: "Metabase",
    url: new URL(url),
    secrets: { "x-api-key": SECRET },
    network: { ...NETWORK, ...network },
    signal,
    now: () => NOW,
  });
}

const card = { what: "card 12", shape: z.object({ name: z.string() }) };

function json(body: unknown): [status: number, headers: Record<string, string>, body: string] {
  return [200, { "content-type": "application/json" }, JSON.stringify(body)];
}

test("A request has the secret, its query and a path below the API's base, and connections are reused", async () => {
  await using server = await serveHttp((request, response) => {
    const [status, headers, body] = json({ name: "Revenue", extra: 1 });
    let posted = "";
    request.on("data", (chunk: Buffer) => (posted += chunk.toString()));
    request.on("end", () =>
      response.writeHead(status, headers).end(posted === "" ? body : JSON.stringify({ name: posted })),
    );
  });
  using client = open(`${server.url}/bi`);
  const params = { models: ["card", "dashboard"], limit: "2" };
  expect(await client.get("api/card/12", { ...card, params })).toEqual({ name: "Revenue" });
  expect(await client.post("api/session", { username: "ada" }, card)).toEqual({ name: '{"username":"ada"}' });
  expect(server.seen.map(({ method, url, headers }) => [method, url, headers["x-api-key"]])).toEqual([
    ["GET", "/bi/api/card/12?models=card&models=dashboard&limit=2", SECRET],
    ["POST", "/bi/api/session", SECRET],
  ]);
  expect(new Set(server.seen.map(({ socket }) => socket.remotePort)).size).toBe(1);
});

test("Server errors and lost connections are retried after increasing pauses", async () => {
  await using server = await serveHttp((_, response) => {
    const [status, headers, body] = json({ name: "Revenue" });
    if (server.seen.length === 1) response.writeHead(502).end("<html>");
    else if (server.seen.length === 2) response.destroy();
    else response.writeHead(status, headers).end(body);
  });
  using client = open(server.url);
  expect(await client.get("api/card/12", card)).toEqual({ name: "Revenue" });
  expect(slept).toEqual([10, 20]);
});

test.each([
  ["7", 7_000],
  [new Date(NOW.getTime() + 9_000).toUTCString(), 9_000],
  ["soon", 10],
])("After a 429 with Retry-After %j the client waits %i ms", async (retryAfter, ms) => {
  await using server = await serveHttp((_, response) => {
    const [status, headers, body] = json({ name: "Revenue" });
    if (server.seen.length === 1) response.writeHead(429, { "retry-after": retryAfter }).end();
    else response.writeHead(status, headers).end(body);
  });
  using client = open(server.url);
  expect(await client.get("api/card/12", card)).toEqual({ name: "Revenue" });
  expect(slept).toEqual([ms]);
});

test("The client does not wait for a Retry-After that is too long", async () => {
  await using server = await serveHttp((_, response) => response.writeHead(429, { "retry-after": "3600" }).end());
  using client = open(server.url);
  await expect(client.get("api/card/12", card)).rejects.toMatchObject({ error: { code: "rate_limited" } });
  expect(slept).toEqual([]);
});

test.each([
  [401, "unauthorized", true, "Metabase refuses the credentials (HTTP 401)."],
  [403, "forbidden", false, "Card 12 cannot be read: Metabase does not permit it with these credentials (HTTP 403)."],
  [404, "not_found", false, "Card 12 cannot be read: Metabase does not have it (HTTP 404)."],
  [418, "http_error", false, "Card 12 cannot be read: Metabase answered (HTTP 418)."],
])("HTTP %i fails as %s at once", async (status, code, isFatal, message) => {
  await using server = await serveHttp((_, response) => response.writeHead(status).end(`no, ${SECRET}`));
  using client = open(server.url);
  await expect(client.get("api/card/12", card)).rejects.toMatchObject({
    isFatal,
    error: { code, message, object: isFatal ? "" : "card 12", location: `${server.url}/`, retryable: false },
  });
  expect(server.seen).toHaveLength(1);
});

test("After too many failures in a row nothing is retried, and the failure concerns the whole service", async () => {
  await using server = await serveHttp((_, response) => response.writeHead(500).end());
  using client = open(server.url, { mostFailures: 2 });
  const fail = () => client.get("api/card/12", card).catch((error: unknown) => error);
  expect(await fail()).toMatchObject({ isFatal: false });
  expect(await fail()).toMatchObject({ isFatal: true, error: { message: "Metabase answered (HTTP 500)." } });
  expect(server.seen).toHaveLength(6);
  expect(await fail()).toMatchObject({ isFatal: true });
  expect(server.seen).toHaveLength(7);
});

test("A failure that concerns one object resets the count of failures in a row", async () => {
  await using server = await serveHttp((request, response) =>
    response.writeHead(request.url?.endsWith("missing") === true ? 404 : 500).end(),
  );
  using client = open(server.url, { mostFailures: 2, retryDelaysMs: [] });
  const failures = [];
  for (const path of ["broken", "missing", "broken"]) {
    failures.push(await client.get(path, card).catch((error: unknown) => error));
  }
  expect(failures).toMatchObject([{ isFatal: false }, { isFatal: false }, { isFatal: false }]);
});

test("A server that falls silent in the middle of an answer causes a timeout", async () => {
  await using server = await serveHttp((_, response) => response.writeHead(200).write('{"name":'));
  using client = open(server.url, { timeoutMs: 50, retryDelaysMs: [] });
  await expect(client.get("api/card/12", card)).rejects.toMatchObject({
    error: { code: "timeout", message: "Card 12 cannot be read: Metabase did not answer in 0.05 s.", retryable: true },
  });
});

test.each([
  ['{"name": "Rev', "sent an answer that is not JSON"],
  ["<html>Sign in</html>", "sent an answer that is not JSON"],
  [
    `{"name": ["${SECRET}"]}`,
    "sent an answer that has another form: name: Invalid input: expected string, received array",
  ],
])("The answer %j is refused, and the error does not repeat it", async (body, why) => {
  await using server = await serveHttp((_, response) => response.end(body));
  using client = open(server.url);
  await expect(client.get("api/card/12", card)).rejects.toMatchObject({
    isFatal: false,
    error: { code: "unexpected_answer", message: `Card 12 cannot be read: Metabase ${why}.`, stage: "parse" },
  });
  expect(server.seen).toHaveLength(1);
});

test("JSON of any depth is read", async () => {
  const depth = 100_000;
  await using server = await serveHttp((_, response) =>
    response.end(`{"name": "deep", "x": ${"[".repeat(depth)}${"]".repeat(depth)}}`),
  );
  using client = open(server.url);
  expect(await client.get("api/card/12", card)).toEqual({ name: "deep" });
});

test("An endless answer is refused at the limit", async () => {
  await using server = await serveHttp((_, response) => {
    const write = (): void => {
      while (response.write(" ".repeat(10_000)));
    };
    response.on("drain", write);
    write();
  });
  using client = open(server.url, { maxBytes: 100_000 });
  await expect(client.get("api/card/12", card)).rejects.toMatchObject({
    error: { code: "too_large", message: "Card 12 cannot be read: Metabase sent an answer larger than 100000 bytes." },
  });
});

test("A redirect within the origin is followed with the secret, and one to another address is never followed", async () => {
  await using other = await serveHttp((_, response) => response.end("{}"));
  await using server = await serveHttp((request, response) => {
    const [status, headers, body] = json({ name: "Revenue" });
    if (request.url === "/old") response.writeHead(301, { location: "/new" }).end();
    else if (request.url === "/away") response.writeHead(302, { location: `${other.url}/login` }).end();
    else response.writeHead(status, headers).end(body);
  });
  using client = open(server.url);
  expect(await client.get("old", card)).toEqual({ name: "Revenue" });
  expect(server.seen.map(({ headers }) => headers["x-api-key"])).toEqual([SECRET, SECRET]);
  await expect(client.get("away", card)).rejects.toMatchObject({ error: { code: "bad_redirect" } });
  await expect(client.post("old", {}, card)).rejects.toMatchObject({ error: { code: "bad_redirect" } });
  expect(other.seen).toEqual([]);
});

test("A private address is never asked, whether the URL contains it or a name resolves to it", async () => {
  await using server = await serveHttp((_, response) => response.end("{}"));
  for (const url of [server.url, `http://metabase.example.com:${server.port}`]) {
    using client = open(url, { privateSources: [], insecureHosts: ["metabase.example.com"], resolve });
    await expect(client.get("api/card/12", card)).rejects.toMatchObject({
      isFatal: true,
      error: {
        code: "private_address",
        message: "Metabase is at a private address: to read it, list it in ALLOW_PRIVATE_SOURCES.",
      },
    });
  }
  expect(server.seen).toEqual([]);
});

test("A secret is sent over http only to this machine and to the listed hosts", async () => {
  await using server = await serveHttp((_, response) => response.end('{"name": "Revenue"}'));
  const url = `http://metabase.example.com:${server.port}`;
  using refused = open(url, { resolve });
  await expect(refused.get("api/card/12", card)).rejects.toMatchObject({
    isFatal: true,
    error: { code: "insecure_source", message: expect.stringContaining("list the host in INSECURE_HOSTS") },
  });
  expect(server.seen).toEqual([]);
  using listed = open(url, { resolve, insecureHosts: ["metabase.example.com"] });
  expect(await listed.get("api/card/12", card)).toEqual({ name: "Revenue" });
});

test("As many requests run at one time as permitted, and no more", async () => {
  const held: ServerResponse[] = [];
  let most = 0;
  await using server = await serveHttp((_, response) => {
    held.push(response);
    most = Math.max(most, held.length);
    // None of the three is answered before all have arrived.
    if (held.length === 3) setImmediate(() => held.splice(0).forEach((each) => each.end('{"name": "Revenue"}')));
  });
  using client = open(server.url, { concurrency: 3 });
  await Promise.all(Array.from({ length: 18 }, () => client.get("api/card/12", card)));
  expect(most).toBe(3);
});

test("An aborted signal ends a request, and the pause before a retry", async () => {
  const stop = new AbortController();
  await using server = await serveHttp((_, response) => response.writeHead(503).end());
  const sleep: NonNullable<ApiNetwork["sleep"]> = async (_ms, signal) => {
    stop.abort(new Error("the service stops"));
    signal.throwIfAborted();
  };
  using client = open(server.url, { sleep }, stop.signal);
  await expect(client.get("api/card/12", card)).rejects.toThrow("the service stops");
  await expect(client.get("api/card/12", card)).rejects.toThrow("the service stops");
  expect(server.seen).toHaveLength(1);
});
