/**
 * A parcel: the edges, or the references, into one node that a scope states together. Most crawls state most parcels as
 * before, and then a parcel's row is written instead of each of its connections. Its digest is of what was stated, and it
 * is only there while all of that is stored in this parcel: triggers remove it when a connection goes, or is stated in
 * another parcel.
 */
import { hash } from "node:crypto";

import type { Reference } from "../../catalog/reference.ts";
import type { Stated } from "../graph-copy.ts";
import type { EdgeText } from "../rows.ts";
import { type Rows, stampOf } from "./rowids.ts";
import { integer } from "./statements.ts";

/** Enough against chance and ill will. */
const DIGEST_BYTES = 16;

const RESTATE = "UPDATE parcels SET sync = ?1 WHERE source = ?2 AND digest = ?3";

/** Whether each of these is stated exactly as before. */
export function restate(rows: Rows, stated: Stated, items: readonly (EdgeText | Reference)[]): boolean[] {
  const { source, sync } = stampOf(rows, stated);
  const isKnown = new Map(
    Array.from(
      Map.groupBy(items, ({ to }) => to),
      ([to, parcel]) => [to, rows.sql.runWith(RESTATE, [sync, source, digestOf(parcel)]) > 0],
    ),
  );
  return items.map(({ to }) => isKnown.get(to) === true);
}

/**
 * Saves connections parcel by parcel, except those that are stated exactly as before.
 * @param save writes one connection
 */
export function saveParcels<T extends (EdgeText | Reference) & Stated>(
  rows: Rows,
  items: readonly T[],
  save: (item: T, source: number, parcel: number) => void,
): void {
  const parcels = Map.groupBy(items, ({ connectorId, scope, syncId, to }) =>
    [connectorId, scope, syncId, to].join("\n"),
  );
  for (const own of parcels.values()) {
    const [first] = own;
    if (first === undefined) continue;
    const { source, sync } = stampOf(rows, first);
    const digest = digestOf(own);
    if (rows.sql.runWith(RESTATE, [sync, source, digest]) > 0) continue;
    const parcel = integer(
      rows.sql.get("INSERT INTO parcels (source, sync, digest) VALUES ($source, $sync, $digest) RETURNING seq", {
        source,
        sync,
        digest,
      }) ?? {},
      "seq",
    );
    for (const item of own) save(item, source, parcel);
  }
}

function digestOf(parcel: readonly (EdgeText | Reference)[]): Uint8Array {
  const [{ to } = { to: "" }] = parcel;
  const from = parcel.map((item) => ("kind" in item ? `${item.from} ${item.kind} ${item.uses}` : item.from));
  return hash("sha256", [to, ...from].join("\n"), "buffer").subarray(0, DIGEST_BYTES);
}
