/** The one `:Store`: a node about the whole graph. It notes the metadata store that the graph belongs to. */
import { UnusableStore } from "../../work/connecting.ts";
import type { Run } from "./bolt.ts";
import { textOrNull } from "./values.ts";

/** Its id. */
export const STORE = "graph";

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
