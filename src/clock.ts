/** Time and randomness. They are injected, so that tests can control them. */
import { randomBytes } from "node:crypto";

export interface Clock {
  now: () => Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Returns `size` unpredictable bytes. */
export type RandomBytes = (size: number) => Buffer;

export const systemRandom: RandomBytes = (size) => randomBytes(size);

/** Calls back after this many milliseconds. Returns a function that cancels it. */
export type Countdown = (ms: number, onEnd: () => void) => () => void;

export const systemCountdown: Countdown = (ms, onEnd) => {
  const timer = setTimeout(onEnd, ms).unref();
  return () => clearTimeout(timer);
};
