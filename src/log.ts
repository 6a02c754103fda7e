/** The log: JSON lines on standard error, so that standard output is left to people. */
import { destination, type Logger, pino, stdTimeFunctions } from "pino";

import type { Settings } from "./settings.ts";

const STANDARD_ERROR = 2;

export function createLog(level: Settings["logLevel"]): Logger {
  return pino({ level, base: null, timestamp: stdTimeFunctions.isoTime }, destination({ dest: STANDARD_ERROR }));
}
