/** A server whose log or other output cannot be written. */
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import {
  CAN_LIMIT_FILES,
  limitFileSize,
  readLog,
  type ShellServer,
  startFromShell,
  waitUntil,
} from "../../support/shell-server.ts";

const IS_LINUX = process.platform === "linux";

/** Requests without a token, each of which leaves a line in the log. */
async function askOften(server: ShellServer, times: number): Promise<number[]> {
  const answers = [];
  for (let i = 0; i < times; i++) answers.push((await server.get(`/health/live?${"x".repeat(2_000)}`)).status);
  return answers;
}

const always = (status: number, times: number): number[] => Array.from({ length: times }, () => status);

describe.runIf(IS_LINUX)("a server whose output cannot be written", () => {
  it.each([
    ["with a log on a full disk", "2>/dev/full"],
    ["with all of its output on a full disk", ">/dev/full 2>/dev/full"],
    ["with a closed standard error", "2>&-"],
    ["with all of its output closed", ">&- 2>&-"],
    ["with output and a log that go to pipes whose readers are gone", "", true],
  ])(
    "A server %s goes on serving, ends at SIGTERM with 0 and releases its data folder",
    async (_what, redirect, hangUp = false) => {
      const server = await startFromShell({ redirect, hangUp, env: { LOG_LEVEL: "info" } });
      expect(await askOften(server, 20)).toEqual(always(200, 20));
      expect(server.isLocked()).toBe(true);
      server.kill("SIGTERM");
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(server.isLocked()).toBe(false);
    },
  );

  it("A server whose log goes to a pipe that is no longer read goes on serving, and ends at SIGTERM with 0", async () => {
    // Nobody reads the test's end of the pipe: it takes 64 KB, then no more.
    const server = await startFromShell({ env: { LOG_LEVEL: "info" } });
    const path = `/${"y".repeat(8_000)}`;
    for (let i = 0; i < 400; i++) expect((await server.get(path)).status).toBe(404);
    server.kill("SIGTERM");
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(server.isLocked()).toBe(false);
  });
});

it.runIf(CAN_LIMIT_FILES)("The log says how many lines were lost once it can be written again", async () => {
  const server = await startFromShell({ redirect: "2>log", env: { LOG_LEVEL: "info" } });
  const path = join(server.folder, "log");
  // By then the first start has written all its output.
  await server.printedKey();
  await limitFileSize(server.pid, 1);
  expect(await askOften(server, 10)).toEqual(always(200, 10));
  await limitFileSize(server.pid, null);
  await server.get("/health/live");
  await waitUntil(() => readLog(path).some(({ lost }) => lost === 10));
  expect(readLog(path).at(-1)).toMatchObject({ msg: "request", status: 200 });
});

it("An uncaught error is logged, and the server stops in good order with the exit code 1", async () => {
  for (const fault of ["exception", "rejection"] as const) {
    const preload = new URL("../../support/fault-at-signal.ts", import.meta.url);
    preload.search = fault;
    const server = await startFromShell({ redirect: "2>log", preload });
    server.kill("SIGUSR2");
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.isLocked()).toBe(false);
    expect(readLog(join(server.folder, "log"))).toMatchObject([
      { level: 60, err: { message: `the test's ${fault}` }, msg: expect.stringContaining("the server stops") },
    ]);
  }
});
