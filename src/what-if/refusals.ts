/** Refuses manifests of which nothing can be compared, so that none of them passes. */
import type { ChangeSet, NextRelation } from "../catalog/change-set/change.ts";
import { type AppError, badField } from "../errors.ts";
import type { Connector } from "../metadata/records.ts";
import type { NewProject } from "./new-project.ts";
import type { NewStatements } from "./new-statements.ts";
import type { PresentProject } from "./present-project.ts";

/** Whether its SQL or a catalog must tell its columns. A Python model with the same code has the same ones. */
function mustBeRead({ type, seen, hasOtherCode }: NextRelation): boolean {
  return type === "model" && (seen || hasOtherCode !== false);
}

/** @throws AppError `bad_request` if there are models that must be read, and the manifest tells none that could be */
export function requireReadable({ assets }: NewStatements, { relations }: NewProject): void {
  const models = relations.filter(mustBeRead);
  const told = models.filter(({ id, seen }) => seen || (assets.get(id)?.facts.sql ?? null) !== null);
  if (models.length === 0 || told.some(({ unread }) => unread === null)) return;
  const [first] = told;
  // `dbt parse` writes a manifest without compiled SQL.
  throw badField(
    "manifest",
    first === undefined
      ? "contains no compiled SQL; run dbt compile first"
      : `cannot be compared: the SQL of none of its ${models.length} models could be read. That of ${first.fqn}: ${first.unread}`,
  );
}

/** @throws AppError `bad_request` if it is another project's manifest, or none of the shared models can be compared */
export function requireComparable(
  { name }: Connector,
  { relations }: PresentProject,
  next: NewProject,
  { changes, coverage: { models, found }, follows }: ChangeSet,
): void {
  const gone = changes.filter(({ kind }) => kind === "asset_dropped").length;
  if (gone === relations.length) {
    throw badField("manifest", `contains none of the ${gone} tables and models of ${name}: it is another project's`);
  }
  const ids = new Set(relations.map(({ id }) => follows.get(id) ?? id));
  const shared = next.relations.filter((relation) => mustBeRead(relation) && ids.has(relation.id));
  const isComparable = shared.length === 0 || shared.some(({ unread }) => unread === null);
  if (models === 0 || (found > 0 && isComparable)) return;
  throw badField(
    "manifest",
    found === 0
      ? `contains none of the ${models} models of ${name}: it is another project's`
      : `cannot be compared: it has no readable SQL of any of the ${shared.length} models that it shares with ${name}`,
  );
}

export function tooManyChanges(found: number, allowed: number): AppError {
  return badField(
    "manifest",
    `makes ${found} changes, and at most ${allowed} are assessed at once; use tributary impact on the data folder`,
  );
}
