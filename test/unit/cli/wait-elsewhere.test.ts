import { describe, expect, it } from "vitest";

import type { SyncState } from "../../../src/cli/sync-json.ts";
import { waitForRemoteSync } from "../../../src/cli/wait-for-remote-sync.ts";
import { AppError } from "../../../src/errors.ts";

const RUNNING: SyncState = {
  id: "syn_1",
  connectorId: "con_1",
  status: "running",
  mode: "full",
  queuedAt: "2026-01-01T00:00:00.000Z",
  startedAt: "2026-01-01T00:00:01.000Z",
  completedAt: null,
  estimatedDurationSeconds: 30,
  failedTries: 0,
  nextTryAt: null,
  progress: 0.5,
  progressLabel: "Reading SQL",
  assetsDiscovered: 0,
  assetsUpdated: 0,
  errors: [],
  errorsTotal: 0,
};

const away = (): AppError => new AppError("unavailable", "http://service cannot be reached (ECONNREFUSED).");
const later = (seconds: number): AppError =>
  new AppError("rate_limited", "Too many requests.", { retryAfterSeconds: seconds });

/** An answer: a status, no sync, an error, or a function that runs while the service does not answer. */
type Look = string | null | Error | (() => void);

/**
 * Waits for a sync of a service that gives these answers, and then the last one for ever. Time passes only in pauses.
 */
function wait(...looks: [Look, ...Look[]]) {
  const pauses: number[] = [];
  const shown: string[] = [];
  const deadlines: { ms: number; pass: () => void }[] = [];
  const stop = new AbortController();
  let time = 0;
  let asked = 0;
  const client = {
    async find(operation: string, variables: unknown, signal = new AbortController().signal): Promise<never> {
      expect([operation, variables]).toEqual(["SyncProgress", { id: "syn_1" }]);
      const look = looks[Math.min(asked, looks.length - 1)] ?? null;
      asked += 1;
      if (look instanceof Error) throw look;
      if (typeof look !== "function") {
        return { sync: look === null ? null : { ...RUNNING, status: look } } as never;
      }
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(away()));
        look();
      });
    },
  };
  const result = waitForRemoteSync(
    client,
    "syn_1",
    { show: ({ status }) => shown.push(status), signal: stop.signal },
    {
      now: () => time,
      async sleep(ms, signal) {
        signal.throwIfAborted();
        pauses.push(ms);
        time += ms;
      },
      deadline(ms) {
        const controller = new AbortController();
        deadlines.push({ ms, pass: () => controller.abort() });
        return controller.signal;
      },
    },
  );
  return { result, pauses, shown, stop, deadlines, asked: () => asked };
}

describe("Waiting for a sync of another service", () => {
  it.each(["completed", "failed", "cancelled"])(
    "waitForRemoteSync asks once a second until the sync is %s",
    async (status) => {
      const { result, pauses, shown, asked } = wait("queued", "running", "running", status, "running");
      expect((await result).status).toBe(status);
      expect({ pauses, asked: asked() }).toEqual({ pauses: [1_000, 1_000, 1_000], asked: 4 });
      expect(shown).toEqual(["queued", "running", "running", status]);
    },
  );

  it("waitForRemoteSync continues while the service restarts", async () => {
    const { result, pauses, shown } = wait("running", away(), away(), "completed");
    expect((await result).status).toBe("completed");
    expect({ pauses, shown }).toEqual({ pauses: [1_000, 1_000, 1_000], shown: ["running", "completed"] });
  });

  it("waitForRemoteSync waits as long as the service says, but never less than a second", async () => {
    const { result, pauses } = wait(later(59), later(0), "completed");
    expect((await result).status).toBe("completed");
    expect(pauses).toEqual([59_000, 1_000]);
  });

  it("waitForRemoteSync gives up when the service was away for two minutes", async () => {
    const { result, pauses } = wait("running", away());
    await expect(result).rejects.toThrow("ECONNREFUSED");
    expect(pauses).toHaveLength(120);
  });

  it("waitForRemoteSync counts the two minutes from the last answer", async () => {
    const { result, pauses } = wait(later(100), "running", later(100), "running", later(100), "completed");
    expect((await result).status).toBe("completed");
    expect(pauses).toEqual([100_000, 1_000, 100_000, 1_000, 100_000]);
  });

  it("waitForRemoteSync gives up at once if it may not ask again within two minutes", async () => {
    const { result, pauses } = wait(later(900));
    await expect(result).rejects.toThrow("Too many requests.");
    expect(pauses).toEqual([]);
  });

  it("waitForRemoteSync counts a request without an answer in half a minute as failed", async () => {
    const waiting = wait("running", () => waiting.deadlines.at(-1)?.pass(), "completed");
    expect((await waiting.result).status).toBe("completed");
    expect(waiting.deadlines.map(({ ms }) => ms)).toEqual([30_000, 30_000, 30_000]);
    expect(waiting.pauses).toEqual([1_000, 1_000]);
  });

  it.each([new AppError("forbidden", "Not yours."), new Error("a bug")])(
    "waitForRemoteSync ends at any other error: %s",
    async (error) => {
      const { result, pauses } = wait("running", error, "completed");
      await expect(result).rejects.toBe(error);
      expect(pauses).toEqual([1_000]);
    },
  );

  it("waitForRemoteSync ends when the sync was deleted with its connector", async () => {
    await expect(wait("running", null).result).rejects.toMatchObject({ code: "not_found" });
  });

  it("waitForRemoteSync asks no more when it is stopped during a pause", async () => {
    const { result, stop, asked } = wait("running");
    stop.abort();
    await expect(result).rejects.toMatchObject({ name: "AbortError" });
    expect(asked()).toBe(1);
  });

  it("waitForRemoteSync aborts the request in progress when it is stopped", async () => {
    const waiting = wait("running", () => waiting.stop.abort());
    await expect(waiting.result).rejects.toMatchObject({ name: "AbortError" });
    expect({ asked: waiting.asked(), pauses: waiting.pauses }).toEqual({ asked: 2, pauses: [1_000] });
  });
});
