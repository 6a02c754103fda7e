/** The log of one id's admissions in the window. An admission takes one unit or more. */
import { WINDOW_MS } from "./rate-limiter.ts";

/** An admission as it is told to others. */
export interface Admission {
  /** A number that no other admission of this process has. */
  number: number;
  ageMs: number;
}

export class AdmissionLog {
  /** Of each admission when it was, and its number, oldest first. */
  #times: number[] = [];
  #numbers: number[] = [];
  /** The index of the oldest admission in the window. */
  #first = 0;

  get size(): number {
    return this.#times.length - this.#first;
  }

  /** @param firstNumber of the first unit; the others follow */
  add(now: number, units: number, firstNumber: number): void {
    for (let unit = 0; unit < units; unit++) {
      this.#times.push(now);
      this.#numbers.push(firstNumber + unit);
    }
  }

  /**
   * Drops admissions before the window. The arrays are cut only when half of them is dropped, so each admission is
   * copied about once.
   */
  slideTo(now: number): void {
    while ((this.#times[this.#first] ?? Infinity) <= now - WINDOW_MS) this.#first++;
    if (this.#first * 2 < this.#times.length) return;
    this.#times = this.#times.slice(this.#first);
    this.#numbers = this.#numbers.slice(this.#first);
    this.#first = 0;
  }

  /** Milliseconds until this many of the oldest admissions have left the window; 0 if there are fewer. */
  msUntilGone(count: number, now: number): number {
    const last = this.#times[this.#first + count - 1];
    return last === undefined ? 0 : last + WINDOW_MS - now;
  }

  toList(now: number): Admission[] {
    const numbers = this.#numbers.slice(this.#first);
    return numbers.map((number, index) => ({ number, ageMs: now - (this.#times[this.#first + index] ?? now) }));
  }
}
