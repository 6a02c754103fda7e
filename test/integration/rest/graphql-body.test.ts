import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { createRestClient, type RestClient } from "../../support/rest-client.ts";

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
  ])("that %s gets the one error body", async (_what, body) => {
    const answer = await ask("/graphql", { method: "POST", body });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: "bad_request", message: "The body is not well-formed JSON." });
    expect(answer.headers.get("x-ratelimit-limit")).toBe("1000");
  });

  it("that is JSON is answered by GraphQL", async () => {
    const body = JSON.stringify({ query: "{ viewer { workspaceName } }" });
    const answer = await ask("/graphql", { method: "POST", body });
    expect(answer.body).toEqual({ data: { viewer: { workspaceName: "default" } } });
  });
});
