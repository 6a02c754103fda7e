import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { at, createRestClient, type RestClient } from "../../support/rest-client.ts";

describe("a body of /graphql", () => {
  let running: RunningApp;
  let ask: RestClient;
  beforeAll(async () => {
    running = await startApp();
    ask = createRestClient(running);
  });
  afterAll(() => running.close());

  it.each([
    ["breaks off", '{"query":'],
    ["is no JSON", "{ viewer { workspaceName } }"],
    ["is empty", ""],
  ])("A body of /graphql that %s gets the one error body", async (_what, body) => {
    const answer = await ask("/graphql", { method: "POST", body });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: "bad_request", message: "The body is not well-formed JSON." });
    expect(answer.headers.get("x-ratelimit-limit")).toBe("1000");
  });

  it("A body of /graphql that is JSON is answered by GraphQL", async () => {
    const body = JSON.stringify({ query: "{ viewer { workspaceName } }" });
    const answer = await ask("/graphql", { method: "POST", body });
    expect(answer.body).toEqual({ data: { viewer: { workspaceName: "default" } } });
  });

  it.each(["null", "7", '"{ viewer }"', "[]", "[{}]"])(
    "A body of /graphql that is %s is refused by GraphQL",
    async (body) => {
      const answer = await ask("/graphql", { method: "POST", body });
      expect([answer.status, at(answer.body, "data"), at(answer.body, "errors")]).toEqual([
        400,
        undefined,
        [expect.objectContaining({ message: expect.any(String) })],
      ]);
    },
  );

  it.each(["application/json", "application/graphql-response+json"])(
    "/graphql answers data and errors as %s",
    async (accept) => {
      const post = (query: string) =>
        ask("/graphql", { method: "POST", body: JSON.stringify({ query }), headers: { accept } });
      const good = await post("{ viewer { workspaceName } }");
      expect([good.status, good.headers.get("content-type")]).toEqual([200, `${accept}; charset=utf-8`]);
      expect(good.headers.get("content-length")).toBe(String('{"data":{"viewer":{"workspaceName":"default"}}}'.length));
      const bad = await post("{ viewer { noSuchField } }");
      expect(bad.status).toBe(accept === "application/json" ? 200 : 400);
      // Extensions for Yoga alone, such as the status, are not shown.
      expect(JSON.stringify(bad.body)).not.toContain("http");
    },
  );
});
