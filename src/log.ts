/** The log: JSON lines on standard error, so that standard output is left to people. */
import { destination, type Logger, pino, stdTimeFunctions } from "pino";

import { escapeInLines } from "./plain-text.ts";
import type { Settings } from "./settings.ts";

const STANDARD_ERROR = 2;

export function createLog(level: Settings["logLevel"]): Logger {
  // JSON leaves some control characters as they are, and a log may be read in a terminal.
  const hooks = { streamWrite: escapeInLines };
  return pino({ level, base: null, timestamp: stdTimeFunctions.isoTime, hooks }, destination({ dest: STANDARD_ERROR }));
}
