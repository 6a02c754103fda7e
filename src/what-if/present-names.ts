/**
 * The present names of tables and models that the new manifest builds in another schema. SQL may still use these names:
 * they are written in it, or dbt deferred to the present build (`--defer`). They mean the same relations.
 */
import { schemaPathOf } from "../catalog/change-set/target.ts";
import type { RelationIdentity } from "../catalog/change-set/change.ts";
import { columnRef, nodeId, type NodeRef } from "../catalog/identity.ts";
import { fold } from "../catalog/text.ts";
import type { NodeId, WorkspaceName } from "../ids.ts";
import { inferredColumns, type Relations } from "../ingest/known-relations.ts";

export type PresentNames = ReturnType<typeof createPresentNames>;

interface PresentName {
  id: NodeId;
  ref: NodeRef;
  /** The schema in lower case. SQL must contain it to name the relation. */
  schema: string;
}

/** @param known gets an entry for each present name */
export function createPresentNames(workspace: WorkspaceName, known: Relations) {
  /** By the new relation's id. */
  const names = new Map<NodeId, PresentName>();
  const newIds = new Map<NodeId, NodeId>();

  /** Copies the new relation's columns to its present name. Call it when they have changed. */
  function update(id: NodeId): void {
    const name = names.get(id);
    const relation = known.get(id);
    if (name === undefined || relation === undefined) return;
    known.set(name.id, { ...relation, ref: name.ref });
    for (const column of [...relation.columns, ...inferredColumns(relation)]) {
      newIds.set(nodeId(workspace, columnRef(name.ref, column)), nodeId(workspace, columnRef(relation.ref, column)));
    }
  }

  return {
    /**
     * @param id the new relation's id
     * @param ref the new relation
     */
    add(id: NodeId, ref: NodeRef, old: RelationIdentity): void {
      const schemaPath = schemaPathOf(old).split(".");
      const present = { ...ref, parts: [...schemaPath, old.name] };
      const presentId = nodeId(workspace, present);
      // The new project builds another relation there.
      if (known.has(presentId)) return;
      names.set(id, { id: presentId, ref: present, schema: fold(schemaPath.at(-1) ?? "") });
      newIds.set(presentId, id);
      update(id);
    },
    update,
    /** The ids under present names, for those of these new relations that the SQL may name. */
    namedIn(sql: string, ids: Iterable<NodeId>): NodeId[] {
      if (names.size === 0) return [];
      const text = fold(sql);
      return [...ids].flatMap((id) => {
        const name = names.get(id);
        return name !== undefined && text.includes(name.schema) ? [name.id] : [];
      });
    },
    /** Returns the new id for an id under a present name. Returns other ids unchanged. */
    toNewId: (id: NodeId) => newIds.get(id) ?? id,
  };
}
