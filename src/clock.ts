/** Time and randomness. They are injected, so that tests can control them. */
import { randomBytes } from "node:crypto";

export interface Clock {
  /** The time of day. It goes back if somebody sets the machine's clock back. */
  now: () => Date;
  /** Milliseconds since an arbitrary moment, to measure periods of this process. It never goes back. */
  steadyMs: () => number;
}

export const systemClock: Clock = { now: () => new Date(), steadyMs: () => performance.now() };

/** The clocks of two machines differ by less than this. */
export const CLOCK_SKEW_MS = 60_000;

/**
 * The latest time that anybody may have stored for something that begins now and lasts this long. A later one was stored
 * before the clock was set back. ISO 8601.
 */
export function latestFrom(now: Date, lastsMs = 0): string {
  return new Date(now.getTime() + lastsMs + CLOCK_SKEW_MS).toISOString();
}

/** Returns `size` unpredictable bytes. */
export type RandomBytes = (size: number) => Buffer;

export const systemRandom: RandomBytes = (size) => randomBytes(size);

/** Calls back after this many milliseconds. Returns a function that cancels it. */
export type Countdown = (ms: number, onEnd: () => void) => () => void;

export const systemCountdown: Countdown = (ms, onEnd) => {
  const timer = setTimeout(onEnd, ms).unref();
  return () => clearTimeout(timer);
};
