/** Time and chance, handed in so that tests can move the one and fix the other. */
import { randomBytes } from "node:crypto";

export interface Clock {
  now: () => Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Gives `size` unpredictable bytes. */
export type RandomBytes = (size: number) => Buffer;

export const systemRandom: RandomBytes = (size) => randomBytes(size);

/** Calls back after so many milliseconds, unless the function that it returns is called before. */
export type Countdown = (ms: number, onEnd: () => void) => () => void;

export const systemCountdown: Countdown = (ms, onEnd) => {
  const timer = setTimeout(onEnd, ms).unref();
  return () => clearTimeout(timer);
};
