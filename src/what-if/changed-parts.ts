/** What a new manifest changes of the assets that stay: their SQL, a metric's definition, and columns. */
import type { CatalogNode } from "../catalog/asset.ts";
import type { Change, ChangeSet } from "../catalog/change-set/change.ts";
import type { ChangePart } from "../catalog/changes/change.ts";
import { compareParts } from "../catalog/changes/compare-states.ts";
import { DEFINITION_FIELDS, DEFINITION_TEXTS } from "../catalog/metric.ts";
import { isDataset } from "../catalog/node-types.ts";
import { sqlHash } from "../catalog/sql-text.ts";
import { fold } from "../catalog/text.ts";
import type { NodeId } from "../ids.ts";
import type { NewProject } from "./new-project.ts";
import type { NewStatements } from "./new-statements.ts";
import type { PresentProject } from "./present-project.ts";

export interface ComparedProjects {
  present: PresentProject;
  next: NewProject;
  statements: NewStatements;
  found: Pick<ChangeSet, "changes" | "follows">;
}

/** @param targetNames names of schemas and databases that differ, because the manifest is built for another target */
export function createChangedParts(
  { present, next, statements, found: { changes, follows } }: ComparedProjects,
  targetNames: ReadonlySet<string>,
) {
  const parts = new Map<NodeId, ChangePart[]>();
  const add = (id: NodeId, part: ChangePart): void => {
    parts.getOrInsertComputed(id, () => []).push(part);
  };
  for (const change of changes) {
    for (const part of toParts(change)) add(present.nodes.get(change.id)?.parentId ?? change.id, part);
  }
  const olds = new Map(present.relations.map((relation) => [relation.id, relation]));
  const news = new Map(next.relations.map((relation) => [relation.id, relation]));

  const follow = (id: NodeId): NodeId => follows.get(id) ?? id;
  const hide = createNameHider(targetNames);

  function isSameStatement({ id: old, columnLineage }: CatalogNode, id: NodeId): boolean {
    const { basis = null, reads = [] } = columnLineage ?? {};
    const now = next.lineage.nodes.get(id);
    const isSameBasis = basis !== null && basis === now?.basis;
    if (isSameBasis && reads.map(follow).join() === now?.reads.map(follow).join()) return true;
    const [before, after] = [olds.get(old)?.sql ?? "", news.get(id)?.sql ?? ""];
    // Some macros write names as text, which is a part of the basis.
    return targetNames.size > 0 && sqlHash(hide(before)) === sqlHash(hide(after));
  }

  return {
    /**
     * Compares the SQL or definition of an asset. SQL in another layout has not changed.
     * @param id its new id
     * @returns whether it says something else
     */
    compare(old: CatalogNode, id: NodeId): boolean {
      const part = { kind: "sql_changed", nodeId: old.id, name: old.fqn } as const;
      const type = statements.assets.get(id)?.ref.type ?? old.type;
      if (type !== old.type && !isDataset(type))
        add(old.id, { ...part, kind: "type_changed", before: old.type, after: type });
      const stated = present.nodes.get(old.id);
      // A definition over what could not be read is not known.
      const isKnown = stated === undefined || !next.lineage.isIncomplete(stated);
      const now = isKnown ? statements.assets.get(id)?.facts.metric : null;
      const definitions = [old.metric, now].filter((each) => each != null);
      let isRedefined = false;
      for (const field of DEFINITION_FIELDS) {
        const [before = "", after = before] = definitions.map(DEFINITION_TEXTS[field]);
        if (sqlHash(before) === sqlHash(after)) continue;
        add(old.id, { ...part, before, after });
        // What a metric can be grouped by does not decide its numbers.
        isRedefined ||= field !== "dimensions";
      }
      const relation = news.get(id);
      if (relation === undefined || isSameStatement(old, id)) return isRedefined;
      add(old.id, { ...part, before: null, after: null });
      if (!relation.listedBySql) return true;
      const listed = [...(olds.get(old.id)?.columns ?? []), ...(parts.get(old.id) ?? [])];
      const names = new Set(listed.map(({ name }) => fold(name)));
      for (const { id: nodeId, name, dataType } of relation.columns) {
        if (names.has(fold(name))) continue;
        add(old.id, { kind: "column_added", nodeId, name, before: null, after: dataType || null });
      }
      return true;
    },
    /** @param id the present id of an asset */
    of: (id: NodeId) => (parts.get(id) ?? []).toSorted(compareParts),
  };
}

function createNameHider(names: ReadonlySet<string>): (sql: string) => string {
  const longestFirst = [...names].toSorted((a, b) => b.length - a.length).map((name) => RegExp.escape(name));
  const pattern = new RegExp(longestFirst.join("|"), "gi");
  return (sql) => sql.replaceAll(pattern, "_");
}

function toParts({ kind, id, name, fqn, newName, oldType, newType }: Change): ChangePart[] {
  const [before, after] = [oldType || null, newType || null];
  const removed: ChangePart = { kind: "column_removed", nodeId: id, name, before, after: null };
  if (kind === "column_retyped") return [{ kind, nodeId: id, name, before, after }];
  if (kind === "column_dropped") return [removed];
  if (kind === "column_renamed")
    return [removed, { kind: "column_added", nodeId: id, name: newName, before: null, after }];
  return kind === "asset_moved"
    ? [{ kind: "asset_renamed", nodeId: id, name: newName, before: fqn, after: newName }]
    : [];
}
