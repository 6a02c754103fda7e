/** `tributary mcp` as a process: its output, and its end. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type RunningApp, startApp } from "../../support/app.ts";
import { COMPILED } from "../../support/command-line.ts";
import { request } from "../../support/mcp.ts";

const BIN = fileURLToPath(new URL("../../../bin/tributary.js", import.meta.url));

let running: RunningApp;
beforeAll(async () => {
  running = await startApp();
});
afterAll(() => running.close());

const INITIALIZE = request("initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
});

/**
 * Sends lines.
 * @param end ends the process after the answer to the last one; null: the input ends with the last line
 */
async function talk(lines: readonly unknown[], end: ((child: ReturnType<typeof spawn>) => void) | null, env = {}) {
  const child = spawn(process.execPath, [BIN, "mcp"], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: COMPILED, DATA_DIR: running.app.settings.dataDir, ...env },
  });
  const output = { stdout: "", stderr: "" };
  child.stderr.on("data", (chunk) => (output.stderr += chunk));
  child.stdout.on("data", (chunk) => {
    output.stdout += chunk;
    // The answer to the last line says that the process may end.
    if (output.stdout.includes('"id":"last"')) end?.(child);
  });
  // A process that has ended takes no more input.
  child.stdin.on("error", () => {});
  const closed = once(child, "close");
  for (const line of [INITIALIZE, ...lines]) {
    child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  }
  if (end === null) child.stdin.end();
  const [code, signal] = (await closed) as [number | null, string | null];
  return { code, signal, ...output };
}

const toCall = (id: string, name: string) => ({ ...request("tools/call", { name, arguments: {} }), id });
const LAST = { ...request("tools/list"), id: "last" };

describe("tributary mcp", () => {
  it("`tributary mcp` writes only messages, whatever it reads, and ends when its input ends", async () => {
    const odd = ["nonsense", "[]", "{}", '{"jsonrpc":"2.0","id":7,"method":"nope"}', "", "null", LAST];
    const { code, signal, stdout } = await talk(odd, (child) => child.stdin?.end());
    expect([code, signal]).toEqual([0, null]);
    const messages: { id?: unknown; jsonrpc: string }[] = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(new Set(messages.map(({ jsonrpc }) => jsonrpc))).toEqual(new Set(["2.0"]));
    expect(messages.map(({ id }) => id)).toEqual(expect.arrayContaining([1, 7, "last"]));
  });

  it("`tributary mcp` answers all that it has read before its input ended, and then ends", async () => {
    const calls = ["one", "two", "three"].map((id) => toCall(id, "list_metrics"));
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "two" } };
    const { code, signal, stdout } = await talk([...calls, cancelled, toCall("four", "no_tool")], null);
    expect([code, signal]).toEqual([0, null]);
    const ids = stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: unknown }).id);
    expect(ids).toEqual(expect.arrayContaining([1, "one", "three", "four"]));
  });

  it("`tributary mcp` ends at a message that is too large for its memory", async () => {
    const { code, stdout } = await talk([request("ping", { text: "x".repeat(2_000_000) })], () => {});
    expect([code, stdout.trimEnd().split("\n").length]).toEqual([0, 1]);
  });

  it("`tributary mcp` ends cleanly when it is told to stop", async () => {
    const { code, signal } = await talk([LAST], (child) => child.kill("SIGTERM"));
    expect([code, signal]).toEqual([0, null]);
  });

  it("`tributary mcp` without a data folder or a token says what is wrong, and serves nothing", async () => {
    const nowhere = await talk([], () => {}, { DATA_DIR: `${running.app.settings.dataDir}/nowhere` });
    expect([nowhere.code, nowhere.stdout]).toEqual([1, ""]);
    expect(nowhere.stderr).toContain("nowhere");
    const tokenless = await talk([], () => {}, { TRIBUTARY_URL: running.url });
    expect([tokenless.code, tokenless.stdout]).toEqual([2, ""]);
    expect(tokenless.stderr).toContain("TRIBUTARY_TOKEN");
  });
});
