/** Finds the relations that SQL names: first among those of the crawl, then in the graph. */
import { nodeId, type NodeRef } from "../catalog/identity.ts";
import type { NodeId, WorkspaceName } from "../ids.ts";
import type { RelationPath } from "../sql-lineage/request.ts";
import type { KnownRelation, Relations } from "./known-relations.ts";

/** Loads the relations that other connectors hold, by their ids. */
export type LoadElsewhere = (refs: readonly NodeRef[]) => Promise<ReadonlyMap<NodeId, KnownRelation>>;

/** A relation that an asset's SQL names. */
export interface Naming {
  path: RelationPath;
  /** The asset. */
  reader: NodeRef;
}

export interface RelationFinder {
  /**
   * One id for each naming; null if the relation is not known. Relations found in the graph are added to those of the
   * crawl.
   */
  find(namings: readonly Naming[]): Promise<(NodeId | null)[]>;
}

/** @param workspace the workspace's name, which is part of ids */
export function createRelationFinder(
  workspace: WorkspaceName,
  relations: Relations,
  loadElsewhere: LoadElsewhere,
): RelationFinder {
  /** Ids of unknown relations, so that each is looked up only once. */
  const unknown = new Set<NodeId>();
  return {
    async find(namings) {
      const refs = new Map(namings.map((naming) => toRef(naming)).map((ref) => [nodeId(workspace, ref), ref]));
      const asked = [...refs].filter(([id]) => !relations.has(id) && !unknown.has(id));
      if (asked.length > 0) {
        const loaded = await loadElsewhere(asked.map(([, ref]) => ref));
        for (const [id] of asked) {
          const relation = loaded.get(id);
          if (relation === undefined) unknown.add(id);
          else relations.set(id, relation);
        }
      }
      return namings.map((naming) => nodeId(workspace, toRef(naming))).map((id) => (relations.has(id) ? id : null));
    },
  };
}

/**
 * If the SQL leaves out the database or schema, those of the asset itself are used. dbt runs each model with its own
 * database and schema, and nothing else says which ones are meant.
 */
export function toRef({ path: { database, schema, name }, reader }: Naming): NodeRef {
  const [ownSchema = "", ownDatabase = ""] = reader.parts.slice(0, -1).toReversed();
  const parts = [database || ownDatabase, schema || ownSchema, name].filter((part) => part !== "");
  return { platform: reader.platform, instance: reader.instance, type: "table", parts };
}
