/** The log: JSON lines on standard error, so that standard output is left to people. */
import type { Writable } from "node:stream";

import { type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";

import { escapeInLines } from "./plain-text.ts";
import type { Settings } from "./settings.ts";

/** What waits for a slow reader of the log; a line that would come on top of it is lost. */
const MAX_WAITING_BYTES = 1024 * 1024;

export function createLog(level: Settings["logLevel"], stream: Writable = process.stderr): Logger {
  // JSON leaves some control characters as they are, and a log may be read in a terminal.
  const hooks = { streamWrite: escapeInLines };
  return pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, hooks }, createLossyDestination(stream));
}

/**
 * Writes lines as long as the stream takes them. It never throws and never waits: on a full disk, behind a closed pipe or
 * a reader that stands still, lines are lost, and counted. The next line that can be written comes with their number.
 *
 * pino's own destination is not used. An error that is not EPIPE ends the process, and its flush at the exit then tries
 * forever; and it writes from the thread pool, where a write to a full pipe keeps the process from ending.
 */
function createLossyDestination(stream: Writable): DestinationStream {
  let lost = 0;
  // Each failed write tells its callback and emits an event; nobody else listens to the latter.
  if (stream.listenerCount("error") === 0) stream.on("error", () => {});
  return {
    write(line) {
      if (stream.writableLength > MAX_WAITING_BYTES) {
        lost += 1;
        return;
      }
      const missing = lost;
      lost = 0;
      stream.write(missing === 0 ? line : `${tellLost(missing)}${line}`, (error) => {
        if (error) lost += missing + 1;
      });
    },
  };
}

/** Begins on a new line: the last write before a disk was full may have been cut short. */
function tellLost(lost: number): string {
  const msg = `${lost} lines of the log were lost: it could not be written`;
  return `\n${JSON.stringify({ level: 50, time: new Date().toISOString(), lost, msg })}\n`;
}
