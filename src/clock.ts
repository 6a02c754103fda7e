/** Time and chance, handed in so that tests can move the one and fix the other. */
import { randomBytes } from "node:crypto";

export interface Clock {
  now: () => Date;
}

export const systemClock: Clock = { now: () => new Date() };

/** Gives `size` unpredictable bytes. */
export type RandomBytes = (size: number) => Buffer;

export const systemRandom: RandomBytes = (size) => randomBytes(size);
