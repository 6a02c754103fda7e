import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { loadOperations } from "../../../src/graphql/operations.ts";
import { schema } from "../../../src/graphql/schema.ts";
import { getRequirement } from "../../../src/rest/operation.ts";
import type { Route } from "../../../src/rest/route.ts";
import { ROUTES } from "../../../src/rest/routes.ts";
import { type AnswerChecker, createAnswerChecker } from "../../support/answer-schema.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { createRestClient, type RestClient } from "../../support/rest-client.ts";
import { type SmallCatalog, smallManifest, writeSmallCatalog } from "../../support/small-catalog.ts";

let running: RunningApp;
let ask: RestClient;
let catalog: SmallCatalog;
let checker: AnswerChecker;

beforeAll(async () => {
  running = await startApp();
  ask = createRestClient(running);
  catalog = await writeSmallCatalog(running);
  const response = await fetch(`${running.url}/openapi.json`);
  checker = createAnswerChecker(JSON.parse(await response.text()));
});
afterAll(() => running.close());

/** The route's path with existing ids. */
function realPath({ path, input }: Route): string {
  const id = path.includes("/metrics/") ? catalog.certified : catalog.model;
  const filled = path.replace(":connector_id", catalog.connector).replace(":id", id);
  if (input.query?.["connector"]) return `${filled}?connector=${catalog.connector}`;
  return input.query?.["asset_id"] ? `${filled}?asset_id=${catalog.model}` : filled;
}

/** The options of a request to it, with a body if it needs one. */
function howTo({ method, input }: Route): { method: string; body?: string } {
  if (input.body?.["asset_id"]) {
    return { method, body: JSON.stringify({ asset_id: catalog.model, change_type: "deprecate" }) };
  }
  if (input.upload?.example !== undefined) return { method, body: JSON.stringify(input.upload.example) };
  if (input.upload !== undefined) return { method, body: smallManifest() };
  return { method, ...(input.body?.["query"] && { body: JSON.stringify({ query: "Who owns customers?" }) }) };
}

/** The route's path with an unknown parameter. */
function withColour(route: Route): string {
  const path = realPath(route);
  return `${path}${path.includes("?") ? "&" : "?"}colour=blue`;
}

const named = ROUTES.map((route) => ({ name: `${route.method} ${route.path}`, route }));
const sources = { schema, operations: loadOperations() };
const guarded = named.filter(({ route }) => getRequirement(route, sources) !== "nothing");

describe.each(named)("$name", ({ route }) => {
  test("The route's answer has exactly the keys of the OpenAPI document", async () => {
    const { status, body, headers } = await ask(realPath(route), howTo(route));

    expect(status).toBe(route.status);
    const isEmpty = status === 204;
    expect(headers.get("content-type")).toBe(isEmpty ? null : "application/json; charset=utf-8");
    const faults = isEmpty ? [...String(body)] : checker.faultsOf(inBraces(route.path), route.method, status, body);
    expect(faults).toEqual([]);
  });

  test("The route's example has exactly the keys of the OpenAPI document", () => {
    const status = route.status === 204 ? (route.otherwise?.status ?? 0) : route.status;
    expect(checker.faultsOf(inBraces(route.path), route.method, status, route.example)).toEqual([]);
  });

  test("The route refuses an unknown parameter", async () => {
    const { status, body } = await ask(withColour(route), howTo(route));

    expect(status).toBe(400);
    expect(body).toMatchObject({ error: "bad_request", details: [{ field: "colour", message: "is not known here" }] });
    expect(checker.faultsOf(inBraces(route.path), route.method, status, body)).toEqual([]);
  });

  test.each(["PUT", "PATCH", "DELETE", "OPTIONS"])("The route does not accept %s", async (method) => {
    const { status, body, headers } = await ask(realPath(route), { method });

    expect([status, body]).toMatchObject([405, { error: "method_not_allowed" }]);
    expect(headers.get("allow")).toBe(route.method === "GET" ? "GET, HEAD" : route.method);
    expect(checker.faultsOf(inBraces(route.path), route.method, status, body)).toEqual([]);
  });

  test("The route does not exist with a slash at its end", async () => {
    const path = realPath(route).replace(/(\?|$)/, "/$1");
    const { status } = await ask(path, { method: route.method });
    expect(status).toBe(404);
  });
});

describe.each(guarded)("the guard of $name", ({ route }) => {
  test("The route needs a token", async () => {
    const { status, body, headers } = await ask(realPath(route), { ...howTo(route), authorization: null });

    expect([status, body]).toMatchObject([401, { error: "unauthorized" }]);
    expect(headers.get("www-authenticate")).toBe("Bearer");
    expect(checker.faultsOf(inBraces(route.path), route.method, status, body)).toEqual([]);
  });

  test("The route refuses an invented token", async () => {
    const authorization = `Bearer svc_live_${"x".repeat(32)}`;
    const { status, body } = await ask(realPath(route), { ...howTo(route), authorization });
    expect([status, body]).toMatchObject([401, { error: "unauthorized" }]);
  });

  test("The route refuses a malformed Authorization header", async () => {
    const { status, body } = await ask(realPath(route), {
      ...howTo(route),
      authorization: `bearer ${running.token}`,
    });
    expect([status, body]).toMatchObject([401, { error: "invalid_auth_header" }]);
  });

  test("The route refuses a token without the scope, even before it reads the parameters", async () => {
    const others = (["read", "write", "admin"] as const).filter((scope) => scope !== getRequirement(route, sources));
    const authorization = `Bearer ${await running.createToken(others)}`;
    const { status, body } = await ask(withColour(route), { ...howTo(route), authorization });
    expect([status, body]).toMatchObject([403, { error: "forbidden" }]);
    expect(checker.faultsOf(inBraces(route.path), route.method, status, body)).toEqual([]);
  });

  test("The route's answer must not be cached", async () => {
    const { headers } = await ask(realPath(route), howTo(route));
    expect(headers.get("cache-control")).toBe("no-store");
  });
});

function inBraces(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}
