/** Models, seeds, snapshots and sources: the relations of the warehouse. */
import type { NodeRef } from "../../catalog/identity.ts";
import { storedParts } from "../../catalog/spelling.ts";
import type { AssetStatement } from "../../catalog/statement.ts";
import { fold } from "../../catalog/text.ts";
import type { CrawlEvent } from "../connector.ts";
import { certificationOf, metaOf, ownershipOf, tagsOf } from "./annotations.ts";
import type { Warehouse } from "./catalog.ts";
import { joinColumns } from "./columns.ts";
import { errorEvent, malformedMember, oversizedMember } from "./faults.ts";
import type { ProjectGraph } from "./project-graph.ts";
import type { Member, Wanted } from "./read-members.ts";
import { relationShape } from "./shapes.ts";
import type { Relation } from "./shapes.ts";
import type { Survey } from "./survey.ts";

const NODE_PREFIXES = ["model.", "seed.", "snapshot."];

/** Tests, analyses and operations, which are most of a manifest's nodes, are never built. */
export const isRelation: Wanted = (section, key) =>
  section === "sources" || (section === "nodes" && NODE_PREFIXES.some((prefix) => key.startsWith(prefix)));

/** A warehouse without databases, such as Spark, has two-part names. */
export function relationParts(database: string, schema: string, name: string): string[] {
  return [database, schema, name].filter((part) => part !== "");
}

/** States one relation, and its loader where it is a source that has one. */
export function* stateRelation(
  { key: id, value, excess }: Member,
  survey: Survey,
  warehouse: Warehouse,
  graph: ProjectGraph,
): Generator<CrawlEvent> {
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
  const { platform, instance, groups } = survey;
  const found = warehouse.get(id);
  const { columns, unseen, alike } = joinColumns(relation.columns, found, platform);
  const meta = metaOf(relation);
  const certification = certificationOf(meta, id);
  yield* certification.warnings;

  const name = relation.alias || relation.identifier || relation.name;
  const sql = compiledSql(relation);
  const isEphemeral = relation.config.materialized === "ephemeral";
  const parts = relationParts(relation.database, relation.schema, name);
  const asset: AssetStatement = {
    ref: {
      platform,
      instance,
      type: id.startsWith("model.") ? "model" : "table",
      parts,
      // It is no relation of the warehouse, and another project's of the same name is another one. A manifest need not
      // name its project.
      ...(isEphemeral ? { identifiedBy: [survey.projectName, id].filter((part) => part !== "") } : {}),
    },
    name,
    facts: {
      gap: tellLeftOut(alike),
      description: relation.description || (found?.comment ?? ""),
      tags: tagsOf(relation),
      ...certification.facts,
      ...ownershipOf(meta, groups.get(groupId(relation))),
      sql,
      materialization: relation.config.materialized,
      meta,
    },
    columns,
    columnsSeen: found !== undefined,
    columnsUnseen: unseen,
    columnsAdded: id.startsWith("snapshot.") ? snapshotColumns(relation) : [],
  };
  // Without code of its own it can only be read where it is written into others.
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

/** Columns that are named in a sentence. */
const MAX_TOLD = 5;

function tellLeftOut(columns: readonly string[]): string {
  if (columns.length === 0) return "";
  const told = columns.slice(0, MAX_TOLD).map((name) => JSON.stringify(name));
  const more = columns.length > told.length ? ` and ${columns.length - told.length} more` : "";
  return `its columns ${told.join(", ")}${more} are left out: their names differ from others only in case`;
}

/** Raw code is Jinja, and a Python model's code is Python: neither is SQL. */
function compiledSql({ language, compiled_code, compiled_sql }: Relation): string | null {
  return language === "python" ? null : compiled_code || compiled_sql || null;
}

/** What dbt adds to the columns of a snapshot's SQL: https://docs.getdbt.com/reference/resource-configs/snapshot_meta_column_names */
function snapshotColumns({ config }: Relation): string[] {
  const { snapshot_meta_column_names: names, hard_deletes: deletes } = config;
  const added = ["dbt_scd_id", "dbt_updated_at", "dbt_valid_from", "dbt_valid_to"];
  if (deletes === "new_record") added.push("dbt_is_deleted");
  return added.map((name) => names[name] ?? name);
}

export function groupId({ package_name, group, config }: Pick<Relation, "package_name" | "group" | "config">): string {
  return `group.${package_name}.${config.group || group}`;
}

/** What carries a source's rows into the warehouse. */
function toLoader(packageName: string, name: string, { platform, instance }: Survey): AssetStatement {
  const ref: NodeRef = { platform, instance, type: "pipeline", parts: [packageName, name] };
  return { ref, name, facts: {}, columns: [] };
}
