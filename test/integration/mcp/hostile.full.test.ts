/** What a client of the Model Context Protocol must not be able to do. */
import { request as httpRequest } from "node:http";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { setRateLimit } from "../../../src/auth/security-settings.ts";
import { getDefaultWorkspace } from "../../../src/cli/start/workspace.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { columnOf, nodeOf, stampOf } from "../../support/graph-writes.ts";
import { createRawMcp, request } from "../../support/mcp.ts";
import { adminOf, authPartsOf } from "../../support/oauth.ts";
import { at, createRestClient, type RestClient } from "../../support/rest-client.ts";

let running: RunningApp;
let send: ReturnType<typeof createRawMcp>;
let ask: RestClient;
beforeAll(async () => {
  running = await startApp({ sample: true });
  send = createRawMcp(running);
  ask = createRestClient(running);
});
afterAll(() => running.close());

const call = (name: unknown, given: unknown = {}) => request("tools/call", { name, arguments: given });
const LONG = "x".repeat(900_000);

describe("a message", () => {
  it("A message that is too large is refused", async () => {
    expect(await send(call("search_assets", { search: "x".repeat(1024 * 1024) }))).toMatchObject({
      status: 413,
      body: { error: "payload_too_large" },
    });
  });

  it("A message that is no JSON, is empty, or holds too many values is refused", async () => {
    for (const text of ["{", "", " ", `[${"1,".repeat(30_000)}1]`, "[".repeat(100_000)]) {
      expect(await send(text)).toMatchObject({ status: 400, body: { error: "bad_request" } });
    }
  });

  it("A message without the JSON content type is refused", async () => {
    const answer = await send(request("ping"), { "content-type": "text/plain" });
    expect(answer).toMatchObject({ status: 415, body: { error: "unsupported_media_type" } });
  });

  it("A batch of messages is refused as a whole", async () => {
    for (const batch of [[], [request("ping")], Array.from({ length: 50 }, () => call("ask", { question: "Who?" }))]) {
      expect(await send(batch)).toMatchObject({ status: 400, body: { error: { code: -32_600 }, id: null } });
    }
  });

  it("A message outside the protocol is refused at once, with a short answer", async () => {
    const odd: unknown[] = [
      null,
      1,
      "text",
      {},
      { jsonrpc: "1.0", id: 1, method: "ping" },
      { jsonrpc: "2.0", id: {}, method: "ping" },
      { jsonrpc: "2.0", id: LONG, method: "ping" },
      { jsonrpc: "2.0", id: 1, method: 5 },
      { jsonrpc: "2.0", id: 1, method: "tools/call" },
      { jsonrpc: "2.0", id: 1, method: LONG },
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: 5 } },
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { [LONG]: 5 } },
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: LONG } },
      call(LONG),
      call("constructor"),
      call("__proto__"),
      call("search_assets", []),
      call("search_assets", { [LONG]: 1 }),
      call("search_assets", Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`argument${i}`, i]))),
      call("get_assets", { ids: [LONG] }),
      call("get_assets", { ids: Array.from({ length: 5_000 }, () => "zz") }),
      call("search_assets", { cursor: LONG }),
      call("search_assets", { search: "\ud800" }),
      call("walk_lineage", { id: "00", direction: "upstream", cursor: Buffer.from("[1]").toString("base64url") }),
      request("resources/read", { uri: LONG }),
      request("resources/read", { uri: `tributary://asset/${LONG}` }),
      request("prompts/get", { name: LONG }),
      request("prompts/get", { name: "what_breaks_if", arguments: { change: LONG } }),
      request("completion/complete", { ref: { type: "ref/prompt", name: LONG } }),
      request("subscriptions/listen", { _meta: {} }),
      request("logging/setLevel", { level: "debug" }),
      request("tasks/get", { taskId: LONG }),
      request("sampling/createMessage", {}),
      { jsonrpc: "2.0", id: 1, result: {} },
      { jsonrpc: "2.0", id: 1, error: { code: 1, message: LONG } },
    ];
    const seen = await Promise.all(odd.map((message) => send(message)));
    const wrong = seen.flatMap(({ status, body }, i) => {
      const length = JSON.stringify(body).length;
      // A posted answer is accepted and ignored.
      const isRefused = status === 202 || at(body, "error") !== undefined || at(body, "result", "isError") === true;
      return isRefused && length <= 3_000 ? [] : [`${JSON.stringify(odd[i]).slice(0, 80)}: ${status} ${length}`];
    });
    expect(wrong).toEqual([]);
    expect(seen.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
  });

  it("A notification is accepted, and answered without a body", async () => {
    for (const method of ["notifications/initialized", "notifications/cancelled", "notifications/nothing"]) {
      expect(await send({ jsonrpc: "2.0", method })).toMatchObject({ status: 202, body: "" });
    }
  });

  it("A message of the newest revision has to follow its rules", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list" };
    expect(await send(request("tools/list", { _meta: meta }), headers)).toMatchObject({ status: 200 });
    expect(await send(request("tools/list", { _meta: meta }))).toMatchObject({ status: 400 });
    const listen = request("subscriptions/listen", { _meta: meta, notifications: {} });
    const answer = await send(listen, { ...headers, "mcp-method": "subscriptions/listen" });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: -32_601 } } });
    const future = { ...meta, "io.modelcontextprotocol/protocolVersion": LONG };
    const refused = await send(request("tools/list", { _meta: future }), headers);
    expect([refused.status, JSON.stringify(refused.body).length < 3_000]).toEqual([400, true]);
  });
});

describe("other methods than POST", () => {
  it.each(["GET", "DELETE", "PUT", "HEAD", "OPTIONS"])("The method %s is not allowed", async (method) => {
    const { status, headers } = await ask("/mcp", { method, headers: { accept: "text/event-stream" } });
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
  });
});

describe("clients without a token", () => {
  it("A client without a token learns where to sign in, and what it needs", async () => {
    const metadata = `${running.url}/.well-known/oauth-protected-resource/mcp`;
    for (const authorization of [null, "Bearer nobody", "Basic x"]) {
      const { status, headers } = await ask("/mcp", { method: "POST", authorization, body: "{}" });
      expect([status, headers.get("www-authenticate")]).toEqual([
        401,
        `Bearer scope="read", resource_metadata="${metadata}"`,
      ]);
    }
    const { body } = await ask("/.well-known/oauth-protected-resource/mcp", { authorization: null });
    expect(body).toEqual({
      resource: `${running.url}/mcp`,
      resource_name: "Tributary",
      scopes_supported: ["read"],
      bearer_methods_supported: ["header"],
      resource_documentation: `${running.url}/docs`,
    });
    const { body: whole } = await ask("/.well-known/oauth-protected-resource", { authorization: null });
    expect(at(whole, "resource")).toBe(running.url);
  });

  it("A client learns which scope its token lacks", async () => {
    const authorization = `Bearer ${await running.createToken(["write"])}`;
    const { status, headers } = await ask("/mcp", { method: "POST", authorization, body: "{}" });
    expect([status, headers.get("www-authenticate")?.split(",")[0]]).toEqual([
      403,
      'Bearer error="insufficient_scope"',
    ]);
  });
});

describe("pages in a browser", () => {
  it.each([
    "http://evil.example",
    "http://localhost.evil.example",
    "null",
    "https://127.0.0.1",
    "x",
    "http://localhost:1",
  ])("A page of another origin is refused: %s", async (origin) => {
    expect(await send(request("ping"), { origin })).toMatchObject({ status: 403, body: { error: "forbidden" } });
  });

  it("A page of the service itself is accepted, by each name of this machine", async () => {
    const { port } = new URL(running.url);
    for (const origin of [running.url, `http://localhost:${port}`, `http://[::1]:${port}`]) {
      expect(await send(request("ping"), { origin })).toMatchObject({ status: 200 });
    }
  });
});

describe("the rate limit", () => {
  it("The rate limit counts each message, and each GraphQL request of a tool", async () => {
    const token = await running.createToken(["read"]);
    const remaining = async (message: unknown): Promise<number> => {
      const answer = await createRawMcp({ url: running.url, token })(message);
      return Number(answer.headers.get("x-ratelimit-remaining"));
    };
    const before = await remaining(request("ping"));
    expect(await remaining(request("tools/list"))).toBe(before - 1);
    expect(await remaining(call("nope"))).toBe(before - 2);
    expect(await remaining([request("ping"), request("ping")])).toBe(before - 3);
    expect(await remaining(call("search_assets", { search: "orders" }))).toBe(before - 4);
    const found = await send(call("search_assets", { types: ["model"], limit: 2 }));
    const [from, to] = [0, 1].map((i) => at(found.body, "result", "structuredContent", "items", i, "id"));
    // The two ends, and a walk from each.
    expect(await remaining(call("find_paths", { from, to }))).toBeLessThanOrEqual(before - 6);
  });

  it("The rate limit ends a tool that would exceed it, like any other request", async () => {
    const parts = authPartsOf(running.app);
    const admin = await adminOf(running.app);
    const found = await send(call("search_assets", { types: ["model"], limit: 2 }));
    const [from, to] = [0, 1].map((i) => at(found.body, "result", "structuredContent", "items", i, "id"));
    const limited = createRawMcp({ url: running.url, token: await running.createToken(["read"]) });
    await setRateLimit(parts, admin, 1);
    const answer = await limited(call("find_paths", { from, to }));
    await setRateLimit(parts, admin, 1_000);
    // The tool requests the ends, which is one request, and then a walk.
    expect(answer).toMatchObject({ status: 429, body: { error: "rate_limited" } });
    expect(answer.headers.get("retry-after")).toMatch(/^\d+$/);
  });
});

it("A tool that would cost too much is refused as a whole, in words that a model can act on", async () => {
  const small = await startApp({ env: { MAX_LINEAGE_NODES: "1" } });
  const { id: ws } = await getDefaultWorkspace(small.app.metadata);
  const table = nodeOf(ws, "table", "w.raw.wide");
  const columns = Array.from({ length: 2_000 }, (_, i) => columnOf(ws, table, `c${i}`, i));
  await small.app.graph.writeNodes(stampOf(ws, "w", 1), "all", [table, ...columns]);
  const sendSmall = createRawMcp(small);
  const { status, body } = await sendSmall(call("list_columns", { id: table.id }));
  expect([status, at(body, "result", "isError"), at(body, "result", "structuredContent")]).toEqual([
    200,
    true,
    undefined,
  ]);
  expect(at(body, "result", "content", 0, "text")).toMatch(
    /^bad_request: This is too much for one request\..*Ask for less/,
  );
  expect(await sendSmall(request("ping"))).toMatchObject({ status: 200 });
  await small.close();
});

it("A client that disconnects leaves nothing behind, and others are answered", async () => {
  const { hostname, port } = new URL(running.url);
  const text = JSON.stringify(call("ask", { question: "What breaks if fct_orders is dropped?" }));
  const hangUp = (): Promise<void> =>
    new Promise((resolve) => {
      const headers = { authorization: `Bearer ${running.token}`, "content-type": "application/json" };
      const asked = httpRequest({ hostname, port, path: "/mcp", method: "POST", headers });
      asked.on("error", () => {});
      asked.on("close", resolve);
      asked.write(text.slice(0, -5));
      asked.end(text.slice(-5), () => asked.destroy());
    });
  // More requests than one token may have in progress and waiting. All of them have ended by then.
  for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 30 }, hangUp));
  expect(await send(call("search_assets", { search: "fct_orders" }))).toMatchObject({ status: 200 });
});
