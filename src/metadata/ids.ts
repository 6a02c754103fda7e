/** Ids of the metadata store's records. */
import type { RandomBytes } from "../clock.ts";

export type IdPrefix = "ws" | "usr" | "acc" | "sec" | "key" | "tok" | "aud" | "con" | "syn";

/** 128 random bits in hexadecimal after a prefix for the kind of record, such as `con_5f0c…`. */
export function newId(prefix: IdPrefix, random: RandomBytes): string {
  return `${prefix}_${random(16).toString("hex")}`;
}
