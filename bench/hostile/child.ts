/** A child process that answers each message with one message. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

import { asService } from "../support/as-service.ts";

export interface Child {
  /** Sends a message, and waits for the next one that comes back. */
  ask<T>(message: unknown): Promise<T>;
  /** Waits for a message without a request. */
  hear<T>(): Promise<T>;
  /** Lines that it wrote to its standard output, at most a thousand. */
  lines: string[];
  stop(): Promise<void>;
}

const MAX_LINES = 1_000;

/** @param args of the program, a file of this folder */
export function startChild(program: string, args: readonly string[] = []): Child {
  const child: ChildProcess = fork(path.join(import.meta.dirname, program), args, {
    ...asService(),
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const lines: string[] = [];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    if (lines.length < MAX_LINES) lines.push(...text.split("\n").filter(Boolean));
  });
  const gone = once(child, "exit").then(([code, signal]: unknown[]) => {
    throw new Error(`${program} ended by itself: ${String(code ?? signal)}\n${lines.slice(-5).join("\n")}`);
  });
  // A waiting caller gets the error. Without one, the child was meant to end.
  gone.catch(() => {});

  async function hear<T>(): Promise<T> {
    const [message] = (await Promise.race([once(child, "message"), gone])) as [T];
    return message;
  }

  return {
    hear,
    lines,
    ask<T>(message: unknown): Promise<T> {
      const answer = hear<T>();
      child.send(message as object);
      return answer;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
