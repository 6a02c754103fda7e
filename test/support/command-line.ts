/** The package's own command, in a separate process or in this one. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { vi } from "vitest";

import { answerJson } from "../../src/cli/print.ts";
import { runCommandLine } from "../../src/cli/program.ts";

const BIN = fileURLToPath(new URL("../../bin/tributary.js", import.meta.url));
/** With compiled sources, a command starts in half the time. */
export const COMPILED = fileURLToPath(new URL("../../node_modules/.cache/compiled", import.meta.url));

/** A command that waits listens to these signals until its process ends. */
const SIGNALS = ["SIGHUP", "SIGINT", "SIGTERM"] as const;

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  process: ChildProcess;
  /** The output so far. */
  output: { stdout: string; stderr: string };
  ended: Promise<Ended>;
  /** Resolves to all of standard output once it matches the pattern. Rejects if the command ends before. */
  printed(pattern: RegExp): Promise<string>;
  /** Sends SIGINT and waits for the end. */
  interrupt(): Promise<Ended>;
}

/** @param env settings; of this process's environment only PATH is passed on */
export function startCommand(args: readonly string[], env: Record<string, string>, cwd?: string): RunningCommand {
  const child = spawn(process.execPath, [BIN, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: COMPILED, ...env },
    cwd,
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (output.stdout += chunk));
  child.stderr.on("data", (chunk) => (output.stderr += chunk));
  const ended = once(child, "close").then(([code]: (number | null)[]): Ended => ({ code: code ?? null, ...output }));
  return {
    process: child,
    output,
    ended,
    async printed(pattern) {
      while (!pattern.test(output.stdout)) {
        const last = await Promise.race([once(child.stdout, "data"), ended]);
        if ("code" in last && !pattern.test(output.stdout)) throw new Error(`it ended: ${JSON.stringify(last)}`);
      }
      return output.stdout;
    },
    interrupt() {
      child.kill("SIGINT");
      return ended;
    },
  };
}

export function runCommand(args: readonly string[], env: Record<string, string>, cwd?: string): Promise<Ended> {
  return startCommand(args, env, cwd).ended;
}

/**
 * Runs a command in this process, which saves the start of another one. Only one at a time, because they share the
 * output.
 */
export async function runCommandHere(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  // A server of this process that has begun a transaction ends it. The command would wait for it in vain.
  await setTimeout(20);
  const output = { stdout: "", stderr: "" };
  // A command may set the exit code. It must not affect the next command or the process of the tests.
  const { exitCode } = process;
  const listeners = SIGNALS.map((signal) => [signal, new Set(process.listeners(signal))] as const);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((chunk) => {
      output[stream] += String(chunk);
      return true;
    }),
  );
  try {
    return { code: await runCommandLine(args), ...output };
  } finally {
    for (const spy of spies) spy.mockRestore();
    vi.unstubAllEnvs();
    // A command with `--json` leaves it on.
    answerJson(false);
    process.exitCode = exitCode;
    for (const [signal, before] of listeners) {
      const added = process.listeners(signal).filter((listener) => !before.has(listener));
      for (const listener of added) process.removeListener(signal, listener);
    }
  }
}
