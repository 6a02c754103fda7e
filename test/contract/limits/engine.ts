/** An engine of the limits store whose time a test moves. */
import type { Limits } from "../../../src/limits/limits.ts";

export interface Engine extends Pick<Limits, "rateLimiter" | "lockouts"> {
  nowMs: () => number;
  /** Moves the time; a negative value sets it back. */
  advance: (ms: number) => Promise<void>;
  close: () => Promise<void>;
}

/** @param blockMs how long a lockout lasts */
export type OpenEngine = (blockMs?: number) => Promise<Engine>;
