/** The form of an entry of the attack catalogue. */
import type { Shot } from "../client.ts";
import type { Targets } from "../world.ts";

export interface Attack {
  name: string;
  /** @param random uniform numbers in [0, 1), for the parts that differ each time */
  aim: (targets: Targets, random: () => number) => Shot;
}

/** A little less than the largest body that the service accepts. */
export const MEGABYTE = 1_040_000;

/** A whole number that is almost never repeated. */
export const nonce = (random: () => number): number => Math.floor(random() * 1e15);

/** @param items at least one */
export function pick<T>(items: readonly T[], random: () => number): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** The same selection under this number of aliases. */
export function aliases(amount: number, selection: (at: number) => string): string {
  return Array.from({ length: amount }, (_, at) => `a${at}: ${selection(at)}`).join(" ");
}
