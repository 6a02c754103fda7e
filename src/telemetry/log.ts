/** The log: JSON lines on standard error. Standard output is for people. */
import type { Writable } from "node:stream";

import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";

import { hideSecrets, toLoggedError } from "./log-secrets.ts";
import { escapeInLines } from "../plain-text.ts";
import type { Settings } from "../settings/settings.ts";

/** At most this much waits for a slow reader of the log. Further lines are lost. */
const MAX_WAITING_BYTES = 1024 * 1024;

export function createLog(level: Settings["logLevel"], stream: Writable = process.stderr): Logger {
  // JSON does not escape all control characters, and the log may be read in a terminal.
  const hooks = { streamWrite: (line: string) => hideSecrets(escapeInLines(line)) };
  const serializers = { err: toLoggedError };
  const options = { level, base: null, timestamp: stdTimeFunctions.isoTime, hooks, serializers };
  return pino(options, createLossyDestination(stream));
}

/**
 * Writes lines while the stream accepts them. It never throws and never waits. If the disk is full, the pipe is closed
 * or its reader is stuck, lines are lost and counted. The next line that can be written is preceded by their number.
 *
 * pino's own destination has two faults. An error other than EPIPE ends the process, and its flush at the exit then
 * tries forever. And it writes from the thread pool, where a write to a full pipe keeps the process from ending.
 */
function createLossyDestination(stream: Writable): DestinationStream {
  let lost = 0;
  // A failed write calls its callback and also emits this event. Without a listener, the event would end the process.
  if (stream.listenerCount("error") === 0) stream.on("error", () => {});
  return {
    write(line) {
      if (stream.writableLength > MAX_WAITING_BYTES) {
        lost += 1;
        return;
      }
      const missing = lost;
      lost = 0;
      stream.write(missing === 0 ? line : `${lostLines(missing)}${line}`, (error) => {
        if (error) lost += missing + 1;
      });
    },
  };
}

/** Begins with a line break, because the last write before the disk was full may be incomplete. */
function lostLines(lost: number): string {
  const msg = `${lost} lines of the log were lost: it could not be written`;
  return `\n${JSON.stringify({ level: 50, time: new Date().toISOString(), lost, msg })}\n`;
}
