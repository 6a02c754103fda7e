import { GraphQLError } from "graphql";
import { describe, expect, it } from "vitest";

import { AppError } from "../../../src/errors.ts";
import { runToEnd } from "../../../src/graphql/run-to-end.ts";
import { Budget } from "../../../src/work/budget.ts";

function openRequest() {
  const work = new AbortController();
  const held = { rows: 0, isReleased: false };
  const budget = new Budget({
    limits: { rows: 10, fields: 10, bytes: 1_000 },
    held: {
      hold: (rows) => void (held.rows += rows),
      release: () => void (held.isReleased = true),
    },
    onSpent: (reason) => work.abort(reason),
  });
  return { budget, signal: work.signal, held };
}

describe("Running an operation", () => {
  it("An operation returns its result, with the errors of single fields", async () => {
    const request = openRequest();
    const result = { data: { a: null }, errors: [new GraphQLError("a failed")] };
    expect(await runToEnd(() => Promise.resolve(result), request)).toBe(result);
    expect(request.held.isReleased).toBe(true);
  });

  it("An operation ends as soon as its budget is spent, even if work is still running", async () => {
    const request = openRequest();
    const running = runToEnd(async () => {
      await Promise.resolve();
      expect(() => request.budget.draw("rows", 11)).toThrow("too much for one request");
      return new Promise(() => {});
    }, request);
    await expect(running).rejects.toMatchObject({ code: "bad_request", details: { reason: "budget" } });
    expect(request.held.isReleased).toBe(true);
  });

  it("An operation fails as a whole by an error that ends its request", async () => {
    const ending = new AppError("rate_limited", "Too many.", { endsRequest: true });
    const errors = [new GraphQLError("first"), new GraphQLError("Too many.", { originalError: ending })];
    await expect(runToEnd(() => ({ data: {}, errors }), openRequest())).rejects.toBe(ending);
  });
});
