/** What is kept of the facets that describe a dataset or a job. */
import { isEmailAddress } from "../../catalog/email.ts";
import type { KeptColumn, KeptTag } from "./kept.ts";
import type { DatasetName } from "./naming.ts";
import { type DatasetFacetValues, MAX_FIELDS, type SchemaField } from "./shapes.ts";

/** How deep nested fields are read. */
export const MAX_DEPTH = 16;
/** A longer name is in no catalog. */
const MAX_PATH = 1_000;

/** All fields with those that are nested in them, each after the field that it belongs to; undefined if there are none. */
export function toColumns({ fields }: DatasetFacetValues["schema"]): KeptColumn[] | undefined {
  const columns: KeptColumn[] = [];
  const add = (all: readonly SchemaField[], prefix: string, depth: number): void => {
    for (const { name, type, description, fields: nested } of all) {
      if (columns.length >= MAX_FIELDS) return;
      const path = `${prefix}${name}`;
      if (path.length > MAX_PATH) continue;
      columns.push({ name: path, dataType: type ?? "", description: description ?? "" });
      if (depth < MAX_DEPTH) add(nested ?? [], `${path}.`, depth + 1);
    }
  };
  add(fields ?? [], "", 1);
  return columns.length > 0 ? columns : undefined;
}

/** Airflow's owner of tasks whose author names none. */
export const NOBODY = "airflow";

/** The names, without the words that some integrations put before them; e-mail addresses first. */
export function toOwners({ owners }: DatasetFacetValues["ownership"]): string[] {
  return (owners ?? [])
    .map(({ name }) => name.replace(/^(?:team|user|group):/i, "").trim())
    .filter((name) => name !== "" && name !== NOBODY)
    .toSorted((a, b) => Number(isEmailAddress(b)) - Number(isEmailAddress(a)));
}

/** A tag whose value only says that it is set is its key. Airflow's tags have no values, so it repeats the key. */
export function toTags({ tags }: DatasetFacetValues["tags"]): KeptTag[] {
  return (tags ?? []).map(({ key, value, field }) => {
    const said = String(value ?? "");
    return {
      label: ["", "true", key.toLowerCase()].includes(said.toLowerCase()) ? key : `${key}:${said}`,
      field: field || null,
    };
  });
}

export function toType({ datasetType, subType }: DatasetFacetValues["datasetType"]): string {
  return (subType || datasetType).toLowerCase();
}

export function toLifecycle({ lifecycleStateChange, previousIdentifier }: DatasetFacetValues["lifecycleStateChange"]) {
  return { change: lifecycleStateChange.toUpperCase(), previous: previousIdentifier ?? null };
}

/** The first identifier that is a table; undefined if there is none. */
export function toTable({ identifiers }: DatasetFacetValues["symlinks"]): DatasetName | undefined {
  const table = (identifiers ?? []).find(({ type }) => type.toUpperCase() === "TABLE");
  return table && { namespace: table.namespace, name: table.name };
}
