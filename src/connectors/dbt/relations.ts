/** Models, seeds, snapshots and sources: the relations of the warehouse. */
import type { NodeRef } from "../../catalog/identity.ts";
import { storedParts } from "../../catalog/spelling.ts";
import type { AssetStatement } from "../../catalog/statement.ts";
import { fold } from "../../catalog/text.ts";
import type { CrawlEvent } from "../connector.ts";
import { certificationOf, metaOf, ownershipOf, tagsOf } from "./annotations.ts";
import type { Warehouse } from "./catalog.ts";
import { joinColumns, readColumns } from "./columns.ts";
import { errorEvent, malformedMember, oversizedMember } from "./faults.ts";
import { resourceType } from "./one-statement.ts";
import type { Pause } from "./pacing.ts";
import type { ProjectGraph } from "./project-graph.ts";
import type { Member } from "./read-members.ts";
import { nameOf, toRef } from "./relation-ref.ts";
import { relationShape } from "./shapes.ts";
import type { Relation } from "./shapes.ts";
import type { Survey } from "./survey.ts";

/** States one relation. For a source with a loader, states the loader too. */
export function* stateRelation(
  { key: id, value, excess }: Member,
  survey: Survey,
  warehouse: Warehouse,
  graph: ProjectGraph,
): Generator<CrawlEvent | Pause> {
  if (excess !== null) {
    yield oversizedMember(id, excess);
    return;
  }
  const parsed = relationShape.safeParse(value);
  if (!parsed.success) {
    yield malformedMember(id, parsed.error);
    return;
  }
  const relation = parsed.data;
  const read = yield* readColumns(relation.columns ?? {});
  if ("error" in read) {
    yield malformedMember(id, read.error);
    return;
  }
  const { platform, groups } = survey;
  const found = warehouse.get(id);
  const { columns, unseen, alike } = joinColumns(read.columns, found, platform);
  const meta = metaOf(relation);
  const certification = certificationOf(meta, id);
  yield* certification.warnings;

  const sql = compiledSql(relation);
  const isEphemeral = relation.config.materialized === "ephemeral";
  const name = nameOf(relation);
  const asset: AssetStatement = {
    ref: toRef(id, relation, survey),
    name,
    facts: {
      gap: describeLeftOut(alike),
      description: relation.description || (found?.comment ?? ""),
      tags: tagsOf(relation),
      ...certification.facts,
      ...ownershipOf(meta, groups.get(groupId(relation))),
      sql,
      materialization: relation.config.materialized,
      resourceTypes: [resourceType(id)],
      meta,
    },
    columns,
    columnsSeen: found !== undefined,
    columnsUnseen: unseen,
    columnsAdded: id.startsWith("snapshot.") ? snapshotColumns(relation) : [],
  };
  // If its own SQL is known, its copies in other models need not be read.
  if (isEphemeral && sql !== null) asset.inlinedAs = `__dbt__cte__${name}`;
  for (const column of alike) {
    const message = `${id} has a column ${JSON.stringify(column)} whose name differs from another column's only in case; it is left out.`;
    yield errorEvent({ code: "alike_name", object: id, stage: "resolve", message });
  }
  const stored = relation.relation_name === "" ? null : storedParts(platform, relation.relation_name);
  const loader = relation.loader.trim();
  if (loader === "") {
    yield* graph.state(id, asset, { from: relation.depends_on, stored });
    return;
  }
  const loaderId = `loader.${relation.package_name}.${fold(loader)}`;
  if (graph.findById(loaderId) === null) yield* graph.state(loaderId, toLoader(relation.package_name, loader, survey));
  yield* graph.state(id, asset, { kind: "materializes", from: [loaderId], stored });
}

/** A sentence names at most this many columns. */
const MAX_NAMED = 5;

function describeLeftOut(columns: readonly string[]): string {
  if (columns.length === 0) return "";
  const named = columns.slice(0, MAX_NAMED).map((name) => JSON.stringify(name));
  const more = columns.length > named.length ? ` and ${columns.length - named.length} more` : "";
  return `its columns ${named.join(", ")}${more} are left out: their names differ from others only in case`;
}

/** The compiled SQL. Returns null for a Python model, and if only raw code with Jinja is there. */
function compiledSql({ language, compiled_code, compiled_sql }: Relation): string | null {
  return language === "python" ? null : compiled_code || compiled_sql || null;
}

/**
 * The columns that dbt adds to those of a snapshot's SQL:
 * https://docs.getdbt.com/reference/resource-configs/snapshot_meta_column_names
 */
function snapshotColumns({ config }: Relation): string[] {
  const { snapshot_meta_column_names: names, hard_deletes: deletes } = config;
  const added = ["dbt_scd_id", "dbt_updated_at", "dbt_valid_from", "dbt_valid_to"];
  if (deletes === "new_record") added.push("dbt_is_deleted");
  return added.map((name) => names[name] ?? name);
}

export function groupId({ package_name, group, config }: Pick<Relation, "package_name" | "group" | "config">): string {
  return `group.${package_name}.${config.group || group}`;
}

/** The tool that loads a source's rows into the warehouse. */
function toLoader(packageName: string, name: string, { platform, instance }: Survey): AssetStatement {
  const ref: NodeRef = { platform, instance, type: "pipeline", parts: [packageName, name] };
  return { ref, name, facts: {}, columns: [] };
}
