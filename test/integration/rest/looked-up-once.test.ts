/** The costs of a request before it is answered: how often its token is looked up, and its JSON parsed. */
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { sendRaw } from "../../support/raw-http.ts";

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
});
afterAll(() => running.close());

const QUERY = JSON.stringify({ query: "{ assets(first: 5) { nodes { fqn } } }" });
const QUESTION = JSON.stringify({ query: "Who owns fct_orders?" });

/** Sends a request with its body in one piece. */
async function ask(method: string, path: string, body = "") {
  const found = vi.spyOn(running.app.metadata.credentials, "findKey");
  const parsed = vi.spyOn(JSON, "parse");
  onTestFinished(() => void vi.restoreAllMocks());
  const length = body === "" ? [] : ["Content-Type: application/json", `Content-Length: ${body.length}`];
  const lines = [`${method} ${path} HTTP/1.1`, "Host: x", `Authorization: Bearer ${running.token}`, ...length];
  const { status } = await sendRaw(running.url, [...lines, "Connection: close", "", body].join("\r\n"));
  const lookUps = found.mock.calls.length;
  return { status, lookUps, parses: parsed.mock.calls.filter(([text]) => text === body).length };
}

test.each([
  ["POST", "/graphql", QUERY],
  ["POST", "/api/v1/agents/query", QUESTION],
])("The token of %s %s is looked up once, and its JSON parsed once", async (method, path, body) => {
  expect(await ask(method, path, body)).toEqual({ status: 200, lookUps: 1, parses: 1 });
});

test("The token of a request without a body is looked up once", async () => {
  expect(await ask("GET", "/api/v1/metrics")).toMatchObject({ status: 200, lookUps: 1 });
});

test.each(["/health", "/health/live", "/health/ready", "/docs", "/openapi.json"])(
  "No token is looked up for %s",
  async (path) => {
    expect(await ask("GET", path)).toMatchObject({ status: 200, lookUps: 0 });
  },
);
