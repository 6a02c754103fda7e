/** What an entry of the attack catalogue is. */
import type { Shot } from "../client.ts";
import type { Targets } from "../world.ts";

export interface Attack {
  name: string;
  /** @param random even numbers in [0, 1), for what has to differ from one time to the next */
  aim: (targets: Targets, random: () => number) => Shot;
}

/** A little less than the service takes as a body. */
export const MEGABYTE = 1_040_000;

/** A whole number that is hardly ever the same. */
export const nonce = (random: () => number): number => Math.floor(random() * 1e15);

/** @param items at least one */
export function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** The same selection under so many aliases. */
export function aliases(amount: number, selection: (at: number) => string): string {
  return Array.from({ length: amount }, (_, at) => `a${at}: ${selection(at)}`).join(" ");
}
