/** Ids of the metadata store's records. */
import type { RandomBytes } from "../clock.ts";
import type { WorkspaceId } from "../ids.ts";

/** What each prefix is the beginning of. */
export interface Ids {
  ws: WorkspaceId;
  usr: string;
  acc: string;
  sec: string;
  key: string;
  tok: string;
  aud: string;
  con: string;
  syn: string;
}

export type IdPrefix = keyof Ids;

/** 128 random bits in hexadecimal after a prefix for the kind of record, such as `con_5f0c…`. */
export function newId<Prefix extends IdPrefix>(prefix: Prefix, random: RandomBytes): Ids[Prefix] {
  return `${prefix}_${random(16).toString("hex")}` as Ids[Prefix];
}
