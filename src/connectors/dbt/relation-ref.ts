/** Which relation of the warehouse a model, seed, snapshot or source is, and which node an exposure is. */
import type { EdgeKind } from "../../catalog/edge.ts";
import type { NodeRef } from "../../catalog/identity.ts";
import type { Wanted } from "./read-members.ts";
import type { RelationName } from "./shapes.ts";

const NODE_PREFIXES = ["model.", "seed.", "snapshot."];

/** Most nodes of a manifest are not relations, but tests, analyses and operations. */
export const isRelation: Wanted = (section, key) =>
  section === "sources" || (section === "nodes" && NODE_PREFIXES.some((prefix) => key.startsWith(prefix)));

/** The parts of a relation's name. A warehouse without databases, such as Spark, has two-part names. */
export function relationParts(database: string, schema: string, name: string): string[] {
  return [database, schema, name].filter((part) => part !== "");
}

/** What the relation itself is called, without its database and schema. */
export function nameOf({ alias, identifier, name }: RelationName): string {
  return alias || identifier || name;
}

/** @param id dbt's unique id */
export function toRef(
  id: string,
  relation: RelationName,
  { platform, instance, projectName }: { platform: string; instance: string; projectName: string },
): NodeRef {
  // An ephemeral model is not in the warehouse. Another project may have a different one with the same name, so the
  // project is part of its identity, if the manifest names it.
  const isEphemeral = relation.config.materialized === "ephemeral";
  return {
    platform,
    instance,
    type: id.startsWith("model.") ? "model" : "table",
    parts: relationParts(relation.database, relation.schema, nameOf(relation)),
    ...(isEphemeral ? { identifiedBy: [projectName, id].filter((part) => part !== "") } : {}),
  };
}

/** Applications and machine-learning models take data out of the warehouse. The other types show it. */
const EXPORTING_TYPES = new Set(["application", "ml"]);

/** @param on the warehouse that the project is built for */
export function exposureRef(
  { type, package_name: packageName, name }: { type: string; package_name: string; name: string },
  { platform, instance }: Pick<NodeRef, "platform" | "instance">,
): NodeRef {
  const exports = EXPORTING_TYPES.has(type);
  return { platform, instance, type: exports ? "pipeline" : "dashboard", parts: [packageName, name] };
}

/** The kind of the edges into an exposure. */
export function usageOf({ type }: NodeRef): EdgeKind {
  return type === "pipeline" ? "exports" : "powers";
}
