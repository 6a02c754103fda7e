/** Finds the relations that SQL names: first among those of the crawl, then in the graph. */
import { nodeId, type NodeRef, toFqn } from "../catalog/identity.ts";
import type { NodeId } from "../ids.ts";
import type { RelationPath } from "../sql-lineage/request.ts";
import { isSoundRef } from "./expand-asset.ts";
import { type KnownRelation, newRelation } from "./known-relations.ts";
import type { SqlContext } from "./statement-reader.ts";

/** Loads the relations that other connectors hold, by their ids. */
export type LoadExternalRelations = (refs: readonly NodeRef[]) => Promise<ReadonlyMap<NodeId, KnownRelation>>;

/** A relation that SQL names. */
interface Naming {
  path: RelationPath;
  /** Where the SQL runs. `parts` are the database and schema of relations that the SQL names without them. */
  on: Pick<NodeRef, "platform" | "instance" | "parts">;
  /** The only relations that may be referenced if nobody states them. Absent: any. */
  only?: ReadonlySet<NodeId> | undefined;
}

export type RelationFinder = ReturnType<typeof createRelationFinder>;

/**
 * @param isPlaced whether the SQL surely runs in the schema of `Naming.on`. If not, a relation that nobody states is only
 *   referenced if the SQL names its schema.
 * @returns a function with one id for each naming; null if the relation is not known. Relations that the crawl does not
 *   state are added to those of the crawl: as the graph has them, or as only referenced.
 */
export function createRelationFinder(
  {
    workspace,
    relations,
    loadExternalRelations,
  }: Pick<SqlContext, "workspace" | "relations"> & { loadExternalRelations: LoadExternalRelations },
  isPlaced: boolean,
) {
  /** Ids of relations that no other connector holds, so that each is looked up only once. */
  const unheld = new Set<NodeId>();
  return async (namings: readonly Naming[]): Promise<(NodeId | null)[]> => {
    const named = namings.map((naming) => {
      const ref = toRef(naming);
      const id = nodeId(workspace, ref);
      const isSure = naming.only?.has(id) ?? (isPlaced || naming.path.schema !== "");
      return { id, ref, isSure };
    });
    const asked = new Map(
      named.flatMap(({ id, ref }) => (relations.has(id) || unheld.has(id) ? [] : [[id, ref] as const])),
    );
    const loaded = asked.size === 0 ? null : await loadExternalRelations([...asked.values()]);
    for (const id of asked.keys()) {
      const relation = loaded?.get(id);
      if (relation === undefined) unheld.add(id);
      else relations.set(id, relation);
    }
    return named.map(({ id, ref, isSure }) => {
      if (!relations.has(id) && isSure && isTable(ref)) relations.set(id, toReferenced(id, ref));
      return relations.has(id) ? id : null;
    });
  };
}

/** If the SQL leaves out the database or schema, those in which it runs are meant: dbt runs each model in its own. */
function toRef({ path: { database, schema, name }, on: { platform, instance, parts } }: Naming): NodeRef {
  const [ownSchema = "", ownDatabase = ""] = parts.toReversed();
  const path = [database || ownDatabase, schema || ownSchema, name].filter((part) => part !== "");
  return { platform, instance, type: "table", parts: path };
}

/** Whether a name can mean a table. Some warehouses also read files, by their path. */
function isTable(ref: NodeRef): boolean {
  return isSoundRef(ref) && ref.parts.every((part) => !part.includes("/"));
}

/** A relation that nobody states. Its columns are those that SQL names. */
function toReferenced(id: NodeId, ref: NodeRef): KnownRelation {
  const { type, platform, parts } = ref;
  const node = { id, type, platform, parentId: null, name: parts.at(-1) ?? "", fqn: toFqn(ref) };
  return { ...newRelation(ref, [], "some"), external: { node, columns: new Map(), named: new Set() } };
}
