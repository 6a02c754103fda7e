import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { OpenapiDocument, Response } from "../../../src/rest/openapi/types.ts";
import { ROUTES } from "../../../src/rest/routes.ts";
import { type RunningApp, startApp } from "../../support/app.ts";
import { sendRaw } from "../../support/raw-http.ts";

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
});
afterAll(() => running.close());

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${running.url}${path}`, { headers });

const readOpenapi = async (): Promise<OpenapiDocument> => JSON.parse(await (await get("/openapi.json")).text());

const askGraphql = (authorization?: string, query = "{ assets { nodes { id } } }", accept = "*/*") =>
  fetch(`${running.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept, ...(authorization !== undefined && { authorization }) },
    body: JSON.stringify({ query }),
  });

describe("/openapi.json", () => {
  test("The OpenAPI document is public, and names the address of the service", async () => {
    const document = await readOpenapi();
    expect(document.openapi).toBe("3.1.1");
    expect(document.servers).toEqual([{ url: running.url }]);
  });

  test("Every reference of the OpenAPI document leads to an object in it", async () => {
    const document = await readOpenapi();
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
    for (const [, pointer = ""] of references) {
      const found = pointer.split("/").reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
      expect([pointer, typeof found]).toEqual([pointer, "object"]);
    }
  });

  test("Every operationId of the OpenAPI document is unique", async () => {
    const document = await readOpenapi();
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map((it) => it.operationId));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("The OpenAPI document lists every path of the origin", async () => {
    const { paths } = await readOpenapi();
    const listed = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((it) => `${it} ${path}`));
    const besidesRoutes = [
      "get /",
      "get /docs",
      "get /notices/feed/{id}/{secret}",
      "get /notices/unsubscribe/{token}",
      "post /notices/unsubscribe/{token}",
      "get /openapi.json",
      "get /health/live",
      "get /health/ready",
      "get /graphql",
      "post /graphql",
      "post /mcp",
      "get /datahub/config",
      "post /datahub/aspects",
      "post /datahub/entities",
      "post /datahub/usageStats",
      "post /datahub/platform",
      "get /datahub/aspects/{urn}",
      "get /datahub/entitiesV2/{urn}",
      "post /datahub/openapi/v3/entity/{type}",
      "patch /datahub/openapi/v3/entity/{type}",
      "get /datahub/openapi/v3/entity/{type}",
      "delete /datahub/openapi/v3/entity/{type}/{urn}",
      "get /datahub/openapi/v3/entity/{type}/{urn}",
      "post /datahub/openapi/v3/entity/{type}/batchGet",
      "get /.well-known/oauth-protected-resource",
      "get /.well-known/oauth-protected-resource/mcp",
      "post /oauth/token",
      "get /auth/session",
      "post /auth/login",
      "post /auth/logout",
      "post /auth/switch",
      "post /auth/password",
      "post /auth/link",
      "post /auth/link/use",
      "get /auth/sso",
      "get /auth/sso/callback",
    ];
    const routes = ROUTES.map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    expect(listed.toSorted()).toEqual([...besidesRoutes, ...routes].toSorted());
  });

  test.each([
    ["/graphql", { unknown: 1 }, 400],
    ["/mcp", { id: 1 }, 400],
    ["/mcp", { jsonrpc: "2.0", id: 1, method: "subscriptions/listen" }, 404],
    ["/graphql", "no object", 400],
    ["/mcp", "no object", 400],
  ])("The OpenAPI document describes how %s refuses %j", async (path, message, status) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${running.token}` };
    const answer = await fetch(`${running.url}${path}`, { method: "POST", headers, body: JSON.stringify(message) });
    const { paths, components } = await readOpenapi();
    const responses = paths[path]?.post?.responses ?? {};
    const { $ref: name = "", content } = Object(responses[status]);
    const { content: shared } = Object(components.responses[name.replace("#/components/responses/", "")]);
    const schema = Object(content ?? shared)["application/json"]?.schema;
    const validate = new Ajv2020({ strict: false }).compile({ ...schema, components });
    expect([answer.status, validate(await answer.json()), validate.errors]).toEqual([status, true, null]);
  });

  test("The OpenAPI document lists every status that a path can answer", async () => {
    const { paths } = await readOpenapi();
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    for (const { operationId, requestBody, security, responses } of operations) {
      const takesBody = requestBody === undefined || operationId === "requestToken" ? [] : ["413", "415"];
      const takesToken = security.length === 0 ? [] : ["401", "403", "429"];
      const wanted = ["400", "405", "408", "431", "500", "503", ...takesBody, ...takesToken];
      expect([operationId, wanted.filter((status) => !(status in responses))]).toEqual([operationId, []]);
    }
  });

  test("The OpenAPI document names the media type of each page", async () => {
    const { paths } = await readOpenapi();
    const metadata = "/.well-known/oauth-protected-resource";
    for (const path of [
      "/docs",
      "/openapi.json",
      "/health/live",
      "/health/ready",
      "/graphql",
      metadata,
      `${metadata}/mcp`,
    ]) {
      const { content } = (paths[path]?.get?.responses["200"] ?? {}) as Response;
      const type = (await get(path, { accept: "text/html, */*" })).headers.get("content-type") ?? "";
      expect([path, Object.keys(content)]).toEqual([path, [type.split(";")[0]]]);
    }
  });

  test("The OpenAPI document is not sent again to a client that has it", async () => {
    const etag = (await get("/openapi.json")).headers.get("etag");
    const again = await sendRaw(running.url, `GET /openapi.json HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${etag}\r\n\r\n`);
    expect([again.status, again.body]).toEqual([304, ""]);
  });
});

describe("/docs", () => {
  test("The docs page loads only its own scripts, each with the nonce of the answer", async () => {
    const response = await get("/docs");
    const page = await response.text();
    const policy = response.headers.get("content-security-policy") ?? "";
    const [, nonce = ""] = /script-src 'nonce-([\w-]{22})'/.exec(policy) ?? [];

    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|(?:script|style)-src[^;]*'self'|https?:|\*/);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(page.match(/<(?:script|style|link rel="stylesheet")[^>]*>/g)).toEqual([
      `<link rel="stylesheet" nonce="${nonce}" href="/docs/brand.css" />`,
      `<script nonce="${nonce}" src="/docs/inline-styles.js">`,
      `<script type="module" nonce="${nonce}" src="/docs/redoc.js">`,
    ]);
  });

  test("The scripts of the docs page are cached, and name no file of another host that they would load", async () => {
    const script = await get("/docs/redoc.js");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await script.text()).not.toMatch(/https:\/\/cdn\.redoc\.ly\/redoc\/logo/);
    const etag = script.headers.get("etag");
    const again = await sendRaw(
      running.url,
      `GET /docs/redoc.js HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${etag}\r\n\r\n`,
    );
    expect([again.status, again.body]).toEqual([304, ""]);
  });

  test("Every route of the docs page has a curl line for this service, except those of the login", async () => {
    const { paths } = await readOpenapi();
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    const lines = operations.map((it) => [it.operationId, it.tags[0], it["x-codeSamples"]?.[0]?.source ?? ""] as const);
    const without = lines.filter(([, , line]) => !line.includes(`"${running.url}/`)).map(([, tag]) => tag);
    expect(new Set(without)).toEqual(new Set(["Login"]));
    const lineOf = (id: string) => lines.find(([name]) => name === id)?.[2];
    expect(lineOf("listAssets")).toContain(`"${running.url}/api/v1/catalog/assets?search=customers"`);
    expect(lineOf("assessImpact")).toMatch(/-d '\{"asset_id":"[0-9a-f]{32}","change_type":"column_drop"\}'/);
  });
});

describe("/graphql", () => {
  test("/graphql answers a query with a token", async () => {
    const response = await askGraphql(`Bearer ${running.token}`);
    expect(await response.json()).toEqual({ data: { assets: { nodes: [] } } });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("/graphql refuses a query without a token in the one error body", async () => {
    const response = await askGraphql();
    expect([response.status, await response.json()]).toMatchObject([401, { error: "unauthorized" }]);
  });

  test.each([
    ["*/*", "application/json"],
    ["application/json", "application/json"],
    ["application/graphql-response+json, application/json;q=0.9", "application/graphql-response+json"],
    ["text/html", "application/json"],
    ["text/event-stream", "application/json"],
  ])("/graphql answers a client that accepts %s in %s", async (accept, type) => {
    const response = await askGraphql(`Bearer ${running.token}`, "{ health { status } }", accept);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, `${type}; charset=utf-8`]);
    expect(await response.json()).toEqual({ data: { health: { status: "ok" } } });
  });

  test.each([
    ["a syntax error", "{ health"],
    ["an unknown field", "{ nonsense }"],
    ["an unknown operation", "subscription { __typename }"],
    ["a missing variable", "query ($id: ID!) { asset(id: $id) { id } }"],
  ])("/graphql answers %s with 400 to a client of GraphQL over HTTP", async (_what, query) => {
    const response = await askGraphql(`Bearer ${running.token}`, query, "application/graphql-response+json");
    expect([response.status, await response.json()]).toEqual([400, { errors: [expect.anything()] }]);
  });

  test("/graphql refuses a query by GET", async () => {
    const refused = await get("/graphql?query={health{status}}", { accept: "application/json" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await refused.json()).toMatchObject({ error: "method_not_allowed" });
  });

  test("/graphql opens GraphiQL for a browser", async () => {
    const response = await get("/graphql");
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await response.text()).toContain("GraphiQL");
  });

  test("/graphql refuses other methods", async () => {
    const response = await fetch(`${running.url}/graphql`, {
      method: "PUT",
      headers: { authorization: `Bearer ${running.token}` },
    });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });
});
