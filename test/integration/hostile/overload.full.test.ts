/** Overload: the service refuses early, and continues. */
import { connect } from "node:net";

import { describe, expect, it } from "vitest";

import { createAnswers } from "../../../src/http/answer/answers.ts";
import { createEventLoopScheduler } from "../../../src/work/event-loop-scheduler.ts";
import { at, createRestClient } from "../../support/rest-client.ts";
import { serve } from "../../support/serve.ts";

describe("a flooded service", () => {
  it("A flooded service refuses what it reads too late, but says that it is alive, and answers again at once", async () => {
    let now = 0;
    // The time from one look to the next.
    let stepMs = 0;
    const url = await serve(
      (ctx) => {
        ctx.body = "{}";
      },
      { processorMs: () => (now += stepMs) },
    );
    const ask = createRestClient({ url, token: "any" });
    stepMs = 300;
    const { status, headers, body } = await ask("/api/v1/connectors");
    expect([status, headers.get("retry-after"), at(body, "error")]).toEqual([503, "1", "unavailable"]);
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect((await ask("/health/live")).status).toBe(200);
    stepMs = 0;
    expect((await ask("/api/v1/connectors")).status).toBe(200);
  });
});

describe("large answers that clients do not read", () => {
  it("Unread large answers stop another large one, and no small one", async () => {
    const answers = createAnswers({
      turns: createEventLoopScheduler(),
      maxAnswerBytes: 20_000_000,
      maxWaiting: 15_000_000,
    });
    const url = await serve((ctx) => answers.sendValue(ctx, { text: "x".repeat(Number(ctx.query["size"])) }));
    const ask = createRestClient({ url, token: "any" });
    const lazy = connect({ port: Number(new URL(url).port), host: "127.0.0.1" });
    // The request ends with the server, if not before.
    lazy.on("error", () => {});
    lazy.pause();
    lazy.write("GET /?size=10000000 HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(async () => (await ask("/?size=6000000")).status).toBe(503);
    expect((await ask("/?size=100")).status).toBe(200);
    lazy.destroy();
    await expect.poll(async () => (await ask("/?size=6000000")).status).toBe(200);
  });

  it("Unread large answers are refused beyond the largest permitted size", async () => {
    const answers = createAnswers({ turns: createEventLoopScheduler(), maxAnswerBytes: 1_000 });
    const url = await serve((ctx) => answers.sendValue(ctx, { text: "x".repeat(Number(ctx.query["size"])) }));
    const ask = createRestClient({ url, token: "any" });
    expect((await ask("/?size=989")).status).toBe(200);
    const { status, body } = await ask("/?size=990");
    expect([status, at(body, "details")]).toEqual([400, { reason: "budget", budget: "bytes", limit: 1_000 }]);
  });
});
