import { expect, it } from "vitest";

import { systemCountdown } from "../../../src/clock.ts";
import { overloaded } from "../../../src/errors.ts";
import { endInTime } from "../../../src/http/end-in-time.ts";
import type { RestContext } from "../../../src/http/state.ts";
import { serve } from "../../support/serve.ts";

/** @param work what the request does @returns the status of its answer, and the signal of its work */
async function ask(work: (ctx: RestContext) => void): Promise<{ status: number; signal: AbortSignal | undefined }> {
  let signal: AbortSignal | undefined;
  const end = endInTime({ countdown: systemCountdown, requestSeconds: 60 });
  const url = await serve((ctx) =>
    end(ctx, async () => {
      signal = ctx.state.signal;
      work(ctx);
    }),
  );
  const { status } = await fetch(url);
  return { status, signal };
}

it.each([
  ["is refused", 503, overloaded("Too much.")],
  ["fails", 500, new Error("broken")],
])("A request that %s stops all its remaining work", async (_what, expected, error) => {
  const { status, signal } = await ask(() => {
    throw error;
  });
  expect([status, signal?.aborted]).toEqual([expected, true]);
});

it("A request that was answered stops its remaining work, and not before", async () => {
  let wasAborted = true;
  const { status, signal } = await ask((ctx) => {
    wasAborted = ctx.state.signal.aborted;
    ctx.body = "{}";
  });
  expect([status, wasAborted]).toEqual([200, false]);
  await expect.poll(() => signal?.aborted).toBe(true);
});
