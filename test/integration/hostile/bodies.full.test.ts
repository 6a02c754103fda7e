import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { at, createRestClient, type Json, type RestClient } from "../../support/rest-client.ts";

let running: RunningApp;
let ask: RestClient;
beforeAll(async () => {
  running = await startApp();
  ask = createRestClient(running);
});
afterAll(() => running.close());

const IMPACT = "/api/v1/lineage/impact";
const AGENT = "/api/v1/agents/query";
const post = (path: string, body: string) => ask(path, { method: "POST", body });
const search = (text: string) => ask(`/api/v1/catalog/assets?search=${encodeURIComponent(text)}`);
const sizeOf = (body: Json) => JSON.stringify(body).length;
const keys = (count: number) => Array.from({ length: count }, (_, i) => `"unknown_${i}":1`).join(",");

describe("a body with many faults", () => {
  it("A body with many faults is answered with twenty of them, and the number of the others", async () => {
    const { status, body } = await post(IMPACT, `{${keys(15_000)}}`);
    expect(status).toBe(400);
    expect(at(body, "details")).toHaveLength(20);
    expect(at(body, "message")).toMatch(/; and 14982 more$/);
    expect(sizeOf(body)).toBeLessThan(5_000);
  });

  it("An error about a long key shows the beginning of the key", async () => {
    const { status, body } = await post(IMPACT, `{"${"k".repeat(900_000)}":1}`);
    expect(status).toBe(400);
    expect(sizeOf(body)).toBeLessThan(2_000);
    expect(at(body, "message")).toContain(`${"k".repeat(100)}…: is not known here`);
  });

  it("An error about a long key that comes twice shows the beginning of the key", async () => {
    const key = `"${"k".repeat(400_000)}":1`;
    const { status, body } = await post(IMPACT, `{${key},${key}}`);
    expect([status, at(body, "details", 0, "message")]).toEqual([400, "is given more than once"]);
    expect(sizeOf(body)).toBeLessThan(1_000);
  });

  it("An answer about many unknown ids is short", async () => {
    const asset_ids = Array.from({ length: 100 }, (_, i) => `${i}${"x".repeat(190)}`);
    const { status, body } = await post(AGENT, JSON.stringify({ query: "What is this?", context: { asset_ids } }));
    expect([400, 404]).toContain(status);
    expect(sizeOf(body)).toBeLessThan(2_000);
  });
});

describe("a body of very many values", () => {
  it.each([
    ["an object", `{${keys(50_000)}}`],
    ["a list", `[${"{},".repeat(300_000)}{}]`],
  ])("A body of very many values is refused before it is parsed: %s", async (_what, body) => {
    for (const path of [IMPACT, AGENT, "/graphql"]) {
      const answer = await post(path, body);
      expect([answer.status, at(answer.body, "message")]).toEqual([400, "The body has more than 20000 JSON values."]);
    }
  });
});

describe("unknown ids and paths", () => {
  it("The error for a long unknown id shows the beginning of the id", async () => {
    const { status, body } = await post(
      IMPACT,
      JSON.stringify({ asset_id: '"'.repeat(400_000), change_type: "deprecate" }),
    );
    expect(status).toBe(404);
    expect(sizeOf(body)).toBeLessThan(1_000);
  });

  it("The error for a long unknown path shows the beginning of the path", async () => {
    for (const [path, status] of [
      [`/api/v1/${"x".repeat(10_000)}`, 404],
      [`/api/v1/catalog/assets/${"x".repeat(10_000)}`, 404],
    ] as const) {
      const answer = await ask(path);
      expect(answer.status).toBe(status);
      expect(sizeOf(answer.body)).toBeLessThan(500);
    }
    const posted = await post(`/api/v1/catalog/assets/${"x".repeat(10_000)}`, "{}");
    expect(posted.status).toBe(405);
    expect(sizeOf(posted.body)).toBeLessThan(500);
  });
});

it("A URL with many faults is answered with twenty of them", async () => {
  const query = Array.from({ length: 1_000 }, (_, i) => `x${i}=1`).join("&");
  const { status, body } = await ask(`/api/v1/catalog/assets?${query}`);
  expect(status).toBe(400);
  expect(at(body, "details")).toHaveLength(20);
  expect(at(body, "message")).toMatch(/; and 980 more$/);
});

describe("a deeply nested body", () => {
  const nestings: [string, string][] = [
    ["lists in lists", `${"[".repeat(400_000)}${"]".repeat(400_000)}`],
    ["objects in objects", `${'{"a":'.repeat(150_000)}1${"}".repeat(150_000)}`],
    ["backslashes", JSON.stringify("\\".repeat(450_000))],
    ["line breaks", JSON.stringify("\n".repeat(450_000))],
  ];

  it.each(nestings)("REST refuses a body of %s like any other", async (_what, value) => {
    const inField = await post(IMPACT, `{"asset_id":"a","change_type":${value}}`);
    expect(inField.status).toBe(400);
    const inContext = await post(AGENT, `{"query":"x","context":${value}}`);
    expect([inContext.status, sizeOf(inContext.body) < 1_000]).toEqual([400, true]);
  });

  it.each(nestings)("GraphQL refuses a body of %s like any other", async (_what, value) => {
    const query = "query ($id: [ChangeInput!]!) { changeSetImpact(changes: $id) { truncated } }";
    const { status, body } = await post("/graphql", `{"query":${JSON.stringify(query)},"variables":{"id":${value}}}`);
    expect(status).toBe(400);
    expect(sizeOf(body)).toBeLessThan(2_000);
  });
});

describe("the length of a text", () => {
  it("The length of a text in a body is counted in characters, not in units of UTF-16", async () => {
    expect((await search("🦀".repeat(256))).status).toBe(200);
    const { status, body } = await search("🦀".repeat(257));
    expect([status, at(body, "details", 0)]).toEqual([
      400,
      { field: "search", message: "may have at most 256 characters" },
    ]);
  });
});
