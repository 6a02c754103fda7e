/** Where the things of Metabase are in the catalog. */
import type { NodeRef } from "../../catalog/identity.ts";

/** @param id stays the same when a thing is renamed, moved, or a card is made another kind of card */
export function metabaseRef(kind: "card" | "dashboard", instance: string, id: number): NodeRef {
  return { platform: "metabase", instance, type: "dashboard", parts: [kind, String(id)] };
}
