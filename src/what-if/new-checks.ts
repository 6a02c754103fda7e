/** Reads the checks of a new project. */
import type { PresentRelation } from "../catalog/change-set/change.ts";
import type { Check, CheckStatement } from "../catalog/check.ts";
import { nodeId } from "../catalog/identity.ts";
import { fold } from "../catalog/text.ts";
import type { NodeId } from "../ids.ts";
import { readChecks } from "../ingest/checks.ts";
import type { Relations } from "../ingest/known-relations.ts";
import type { SqlContext } from "../ingest/statement-reader.ts";
import type { Slicer } from "../work/slicer.ts";

interface NewCheckOptions extends SqlContext {
  /** The present relations by their new ids. */
  olds: ReadonlyMap<NodeId, PresentRelation>;
  pace: Slicer;
}

/**
 * A check is read against the relations as they will be. If it names something that they do not have, it is also read
 * against the relations as they are now: a column that it names there, and that goes away, lets it fail.
 * @returns the checks by the names that their source gives them
 */
export async function readNewChecks(
  statements: readonly CheckStatement[],
  { olds, pace, ...options }: NewCheckOptions,
): Promise<Map<string, Check>> {
  const checks = new Map<string, Check>();
  const cut = { add: () => {} };
  const unresolved = new Set<string>();
  for await (const batch of readChecks([...statements], options, cut)) {
    if (pace.isDue()) await pace.next();
    for (const { check, isResolved } of batch) {
      checks.set(check.object, check);
      if (!isResolved) unresolved.add(check.object);
    }
  }
  const before = await withLostColumns(options.relations, olds, pace);
  const again = statements.filter(
    ({ object, assets }) => unresolved.has(object) && assets.some((ref) => before.has(nodeId(options.workspace, ref))),
  );
  const relations = new Map([...options.relations, ...before]);
  for await (const batch of readChecks(again, { ...options, relations }, cut)) {
    if (pace.isDue()) await pace.next();
    for (const { check } of batch) {
      const columns = [...(checks.get(check.object)?.columns ?? []), ...check.columns];
      checks.set(check.object, { ...check, columns: [...new Map(columns.map((each) => [each.id, each])).values()] });
    }
  }
  return checks;
}

/** The relations that lose columns, as they are now. */
async function withLostColumns(
  relations: Relations,
  olds: ReadonlyMap<NodeId, PresentRelation>,
  pace: Slicer,
): Promise<Relations> {
  const before: Relations = new Map();
  for (const [id, old] of olds) {
    if (pace.isDue()) await pace.next();
    const relation = relations.get(id);
    if (relation === undefined || old.columns.every(({ name }) => relation.names.has(fold(name)))) continue;
    const columns = old.columns.map(({ name }) => name);
    before.set(id, { ...relation, columns, names: new Set(columns.map(fold)) });
  }
  return before;
}
