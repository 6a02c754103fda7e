/** Countdowns for tests of threads, which a busy machine may take seconds to start. */
import { type Countdown, systemCountdown } from "../../src/clock.ts";

/** Counts down as usual up to this duration. Longer countdowns never end. */
export const brieflyUpTo =
  (mostMs: number): Countdown =>
  (ms, onEnd) =>
    ms <= mostMs ? systemCountdown(ms, onEnd) : () => {};
