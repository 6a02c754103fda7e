import { hash } from "node:crypto";

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
  test("is public and says where the service is", async () => {
    const document = await readOpenapi();
    expect(document.openapi).toBe("3.1.1");
    expect(document.servers).toEqual([{ url: running.url }]);
  });

  test("refers to nothing that it does not hold", async () => {
    const document = await readOpenapi();
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
    for (const [, pointer = ""] of references) {
      const found = pointer.split("/").reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
      expect([pointer, typeof found]).toEqual([pointer, "object"]);
    }
  });

  test("names every operation once", async () => {
    const document = await readOpenapi();
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map((it) => it.operationId));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("lists every path of the origin", async () => {
    const { paths } = await readOpenapi();
    const listed = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((it) => `${it} ${path}`));
    const besidesRoutes = [
      "get /",
      "get /docs",
      "get /openapi.json",
      "get /health/live",
      "get /health/ready",
      "get /graphql",
      "post /graphql",
      "post /mcp",
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

  test("lists every status that a path can answer", async () => {
    const { paths } = await readOpenapi();
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    for (const { operationId, requestBody, security, responses } of operations) {
      const takesBody = requestBody === undefined || operationId === "requestToken" ? [] : ["413", "415"];
      const takesToken = security.length === 0 ? [] : ["401", "403", "429"];
      const wanted = ["400", "405", "408", "431", "500", "503", ...takesBody, ...takesToken];
      expect([operationId, wanted.filter((status) => !(status in responses))]).toEqual([operationId, []]);
    }
  });

  test("says what a page of the origin answers", async () => {
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

  test("is not sent again to who has it", async () => {
    const etag = (await get("/openapi.json")).headers.get("etag");
    const again = await sendRaw(running.url, `GET /openapi.json HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${etag}\r\n\r\n`);
    expect([again.status, again.body]).toEqual([304, ""]);
  });
});

describe("/docs", () => {
  test("needs nothing but itself, and its policy says so", async () => {
    const response = await get("/docs");
    const page = await response.text();
    const [, style = ""] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
    const [, script = ""] = /<script>([^]*?)<\/script>/.exec(page) ?? [];

    const policy = response.headers.get("content-security-policy");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${hash("sha256", style, "base64")}'`);
    expect(policy).toContain(`script-src 'sha256-${hash("sha256", script, "base64")}'`);
    expect(policy).not.toMatch(/unsafe|self|https?:|\*/);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).not.toMatch(/<link[^>]+href="(?!data:)|\bsrc=/);
  });

  test("has an anchor for each of its links", async () => {
    const page = await (await get("/docs")).text();
    const links = new Set([...page.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor));
    const anchors = new Set([...page.matchAll(/\bid="([^"]+)"/g)].map(([, anchor]) => anchor));
    expect(links.difference(anchors)).toEqual(new Set());
    expect(links.size).toBeGreaterThan(20);
  });

  test("shows lines for this very service", async () => {
    const page = await (await get("/docs")).text();
    expect(page).toContain(`&quot;${running.url}/api/v1/catalog/assets?search=customers&quot;`);
    const body =
      "-d &#39;{&quot;asset_id&quot;:&quot;[0-9a-f]{32}&quot;,&quot;change_type&quot;:&quot;column_drop&quot;}&#39;";
    expect(page).toMatch(new RegExp(body));
  });
});

describe("/graphql", () => {
  test("answers a query to those with a token", async () => {
    const response = await askGraphql(`Bearer ${running.token}`);
    expect(await response.json()).toEqual({ data: { assets: { nodes: [] } } });
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("asks for a token in the one error body", async () => {
    const response = await askGraphql();
    expect([response.status, await response.json()]).toMatchObject([401, { error: "unauthorized" }]);
  });

  test.each([
    ["*/*", "application/json"],
    ["application/json", "application/json"],
    ["application/graphql-response+json, application/json;q=0.9", "application/graphql-response+json"],
    ["text/html", "application/json"],
    ["text/event-stream", "application/json"],
  ])("answers who accepts %s in %s", async (accept, type) => {
    const response = await askGraphql(`Bearer ${running.token}`, "{ health { status } }", accept);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, `${type}; charset=utf-8`]);
    expect(await response.json()).toEqual({ data: { health: { status: "ok" } } });
  });

  test.each([
    ["a syntax error", "{ health"],
    ["an unknown field", "{ nonsense }"],
    ["an unknown operation", "subscription { __typename }"],
    ["a missing variable", "query ($id: ID!) { asset(id: $id) { id } }"],
  ])("answers %s with 400 to who knows GraphQL over HTTP", async (_what, query) => {
    const response = await askGraphql(`Bearer ${running.token}`, query, "application/graphql-response+json");
    expect([response.status, await response.json()]).toEqual([400, { errors: [expect.anything()] }]);
  });

  test("answers no query by GET", async () => {
    const refused = await get("/graphql?query={health{status}}", { accept: "application/json" });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await refused.json()).toMatchObject({ error: "method_not_allowed" });
  });

  test("opens GraphiQL to a browser", async () => {
    const response = await get("/graphql");
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await response.text()).toContain("GraphiQL");
  });

  test("takes no other method", async () => {
    const response = await fetch(`${running.url}/graphql`, {
      method: "PUT",
      headers: { authorization: `Bearer ${running.token}` },
    });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  });
});
