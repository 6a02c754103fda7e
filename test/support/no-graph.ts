import type { TellParts } from "../../src/notices/tell-events.ts";

/** A graph without nodes. */
export const NO_GRAPH: TellParts["graph"] = {
  walk: () => Promise.resolve(null),
  readPast: () => Promise.reject(new Error("it has no past")),
  listMoments: () => Promise.resolve([]),
  listChanges: () => Promise.resolve({ items: [], next: null, begins: null }),
  loadNodes: (_workspace, ids) => Promise.resolve(ids.map(() => null)),
  loadTrails: (_workspace, ids) => Promise.resolve(ids.map(() => ({ steps: [], fingerprint: null }))),
};

export const PUBLIC_URL = "https://tributary.example";
