import { describe, expect, it, onTestFinished } from "vitest";

import { createThread } from "../../../../src/graph/sqlite/thread.ts";
import type { FrailCalls } from "../../../support/frail-thread.ts";

const SCRIPT = new URL("../../../support/frail-thread.ts", import.meta.url);

function startThread() {
  const thread = createThread<FrailCalls>(SCRIPT, "graph.db");
  onTestFinished(() => thread.close());
  return thread;
}

describe.each(["exit", "break"] as const)("a thread that dies by %s", (death) => {
  it("rejects every call under way, and serves the next one anew", async () => {
    const thread = startThread();
    expect(await thread.call("answer", 1)).toBe(1);
    const calls = [thread.call(death), thread.call("answer", 2), thread.call("answer", 3)];
    for (const { status, ...outcome } of await Promise.allSettled(calls)) {
      expect(status).toBe("rejected");
      expect(outcome).toMatchObject({ reason: { code: "unavailable", message: "The work on graph.db broke off." } });
    }
    expect(await thread.call("answer", 4)).toBe(4);
  });

  it("is closed all the same", async () => {
    const thread = startThread();
    const [call, closing] = await Promise.allSettled([thread.call(death), thread.close()]);
    expect([call.status, closing.status]).toEqual(["rejected", "fulfilled"]);
  });
});

describe("a thread that is closed", () => {
  it("answers what it was asked before, and refuses what comes after", async () => {
    const thread = startThread();
    const before = [thread.call("answer", 1), thread.call("answer", 2)];
    const closing = [thread.close(), thread.close()];
    await expect(thread.call("answer", 3)).rejects.toMatchObject({ code: "unavailable" });
    expect(await Promise.all(before)).toEqual([1, 2]);
    await Promise.all(closing);
  });
});
