/** The one `:Store`: a node about the whole graph. It notes its format, and the metadata store that it belongs to. */
import { int } from "neo4j-driver";

import { UnusableStore } from "../../work/connecting.ts";
import type { Run } from "./bolt.ts";
import { textOrNull } from "./values.ts";

/** Its id. */
const STORE = "graph";

/** Raised whenever lists or searches would miss what was stored before, above all if `searchEntry` changes. */
const FORMAT = 5;

export const FIND_FORMAT = `
MERGE (s:Store {id: $store})
RETURN s.searchVersion AS format`;

export const SET_FORMAT = `
MATCH (s:Store {id: $store})
SET s.searchVersion = $format`;

/** Of any workspace. */
export const ANY_ASSET = `
MATCH (a:Asset)
RETURN a.id AS id LIMIT $limit`;

/**
 * Notes the format of an empty graph.
 * @throws UnusableStore if the graph was filled in another format
 */
export async function checkFormat(run: Run, location: string): Promise<void> {
  const [row] = await run(FIND_FORMAT, { store: STORE });
  if (row?.[0] === FORMAT) return;
  if ((await run(ANY_ASSET, { limit: int(1) })).length > 0) {
    throw new UnusableStore(
      "The graph store was filled by another version, in a form that this one does not read. With that version, export " +
        "the workspaces, then import them into an empty Memgraph; or empty this one by MATCH (n) DETACH DELETE n; and " +
        "sync all connectors again.",
      { location },
    );
  }
  await run(SET_FORMAT, { store: STORE, format: int(FORMAT) });
}

export const FIND_OWNER = `
MERGE (s:Store {id: $store})
RETURN s.owner AS owner`;

export const SET_OWNER = `
MATCH (s:Store {id: $store})
SET s.owner = $owner`;

/**
 * Notes which metadata store a graph belongs to, if it belongs to none yet. Two services with different metadata stores
 * would write to the same nodes, because ids follow from names of workspaces.
 * @param owner the id of the metadata store
 * @throws UnusableStore if the graph belongs to another one
 */
export async function claimStore(run: Run, owner: string, location: string): Promise<void> {
  const [row] = await run(FIND_OWNER, { store: STORE });
  const found = textOrNull(row?.[0] ?? null);
  if (found === null) await run(SET_OWNER, { store: STORE, owner });
  else if (found !== owner) {
    throw new UnusableStore(
      "The graph store belongs to another service: it was filled with another metadata store (METADATA_URL or " +
        "DATA_DIR). Give each service a Memgraph of its own. If the other service is gone for good and this one shall " +
        "take over the graph, run there first: MATCH (s:Store) REMOVE s.owner;",
      { location },
    );
  }
}
