/** Where the things of Metabase are in the catalog. */
import type { NodeRef } from "../../catalog/identity.ts";

/** The name of the platform. */
const METABASE = "metabase";

/** A question, model or metric. Its number stays the same when it is renamed, moved, or made another kind of card. */
export function cardRef(instance: string, id: number): NodeRef {
  return { platform: METABASE, instance, type: "dashboard", parts: ["card", String(id)] };
}

export function dashboardRef(instance: string, id: number): NodeRef {
  return { platform: METABASE, instance, type: "dashboard", parts: ["dashboard", String(id)] };
}
