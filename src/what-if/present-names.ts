/**
 * The names that tables and models have at present, where the new manifest builds them elsewhere. SQL may still call them so:
 * by a name that is written out, or because dbt deferred to the present build (`--defer`). What it then reads is the same thing.
 */
import { placeOf } from "../catalog/change-set/target.ts";
import type { RelationIdentity } from "../catalog/change-set/change.ts";
import { columnRef, nodeId, type NodeRef } from "../catalog/identity.ts";
import { fold } from "../catalog/text.ts";
import type { Relations } from "../crawl/scope-lineage.ts";

export interface PresentNames {
  /** @param ref of the new relation */
  add(id: string, ref: NodeRef, old: RelationIdentity): void;
  /** Takes over the columns that are known of a new relation now. */
  update(id: string): void;
  /** The ids of the present names of these new relations that the SQL may hold. */
  namedIn(sql: string, ids: Iterable<string>): string[];
  /** The new id of what has this id by its present name; other ids as they are. */
  toNewId(id: string): string;
}

interface PresentName {
  id: string;
  ref: NodeRef;
  /** The folded schema, without which no SQL names it. */
  schema: string;
}

/** @param known gains an entry for each present name */
export function createPresentNames(workspace: string, known: Relations): PresentNames {
  /** By the new relation's id. */
  const names = new Map<string, PresentName>();
  const newIds = new Map<string, string>();

  function update(id: string): void {
    const name = names.get(id);
    const relation = known.get(id);
    if (name === undefined || relation === undefined) return;
    known.set(name.id, { ...relation, ref: name.ref });
    for (const column of relation.columns) {
      newIds.set(nodeId(workspace, columnRef(name.ref, column)), nodeId(workspace, columnRef(relation.ref, column)));
    }
  }

  return {
    add(id, ref, old) {
      const places = placeOf(old).split(".");
      const present = { ...ref, parts: [...places, old.name] };
      const presentId = nodeId(workspace, present);
      // Something else of the new project is there.
      if (known.has(presentId)) return;
      names.set(id, { id: presentId, ref: present, schema: fold(places.at(-1) ?? "") });
      newIds.set(presentId, id);
      update(id);
    },
    update,
    namedIn(sql, ids) {
      if (names.size === 0) return [];
      const text = fold(sql);
      return [...ids].flatMap((id) => {
        const name = names.get(id);
        return name !== undefined && text.includes(name.schema) ? [name.id] : [];
      });
    },
    toNewId: (id) => newIds.get(id) ?? id,
  };
}
