/** Finds the relations that SQL names: among those that a crawl knows, else in the graph. */
import { nodeId, type NodeRef } from "../catalog/identity.ts";
import { fold } from "../catalog/text.ts";
import type { RelationPath } from "../sql-lineage/request.ts";
import type { KnownRelation, Relations } from "./known-relations.ts";

/** Loads those of the relations that other connectors hold, by their ids. */
export type LoadElsewhere = (refs: readonly NodeRef[]) => Promise<ReadonlyMap<string, KnownRelation>>;

/** What an asset's SQL names. */
interface Naming {
  path: RelationPath;
  /** The asset. */
  reader: NodeRef;
}

export interface RelationFinder {
  /** One id a naming, null where nobody knows the relation. Those that are found in the graph are added to the crawl's. */
  find(namings: readonly Naming[]): Promise<(string | null)[]>;
}

/** @param workspace the workspace's name, which ids are made of */
export function createRelationFinder(
  workspace: string,
  relations: Relations,
  loadElsewhere: LoadElsewhere,
): RelationFinder {
  const ids = new Map<string, string | null>();
  for (const [id, { ref }] of relations) {
    const key = placeOf(ref);
    // Where a model and a source of one project are the same relation, it is what the model makes it.
    if (!ids.has(key) || ref.type === "model") ids.set(key, id);
  }
  return {
    async find(namings) {
      const refs = namings.map(toRef);
      const unknown = new Map<string, NodeRef>();
      for (const ref of refs) if (!ids.has(placeOf(ref))) unknown.set(placeOf(ref), ref);
      if (unknown.size > 0) {
        const loaded = await loadElsewhere([...unknown.values()].flatMap(asEither));
        for (const [key, ref] of unknown) {
          const id = asEither(ref)
            .map((each) => nodeId(workspace, each))
            .find((each) => loaded.has(each));
          ids.set(key, id ?? null);
          const relation = loaded.get(id ?? "");
          if (id !== undefined && relation !== undefined) relations.set(id, relation);
        }
      }
      return refs.map((ref) => ids.get(placeOf(ref)) ?? null);
    },
  };
}

/**
 * What the SQL leaves out of a path is as it is for the asset itself: dbt runs each model with its own database and schema,
 * and nothing else says which ones are meant.
 */
function toRef({ path: { database, schema, name }, reader }: Naming): NodeRef {
  const [ownSchema = "", ownDatabase = ""] = reader.parts.slice(0, -1).toReversed();
  const parts = [database || ownDatabase, schema || ownSchema, name].filter((part) => part !== "");
  return { platform: reader.platform, instance: reader.instance, type: "model", parts };
}

/** SQL does not tell models from tables. */
function asEither(ref: NodeRef): NodeRef[] {
  return [
    { ...ref, type: "model" },
    { ...ref, type: "table" },
  ];
}

function placeOf({ platform, instance, parts }: NodeRef): string {
  return JSON.stringify([fold(platform), instance, ...parts.map(fold)]);
}
