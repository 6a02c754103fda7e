/** Finds the identity of a dataset by any of its names. */
import type { NodeRef } from "../../catalog/identity.ts";
import { subjectOf } from "./bodies.ts";
import { type DatasetName, isPath, nameKey, toDatasetRef } from "./naming.ts";
import type { OpenLineageOptions } from "./options.ts";
import type { Tables } from "./paths.ts";

interface DatasetRef {
  ref: NodeRef;
  /** The same for all names of the dataset. */
  subject: string;
}

export type FindDatasetRef = (name: DatasetName) => DatasetRef;

/** If a dataset's name is a path and the dataset is also a table, the name of the table is its identity. */
export function createDatasetRefs(options: OpenLineageOptions, tables: Tables): FindDatasetRef {
  // An event may name a dataset for each of its columns.
  const datasetRefs = new Map<string, DatasetRef>();
  return (name) => {
    const key = nameKey(name);
    const known = datasetRefs.get(key);
    if (known !== undefined) return known;
    const table = tables.get(key);
    const ref = toDatasetRef(table !== undefined && isPath(name) ? table : name, options);
    const datasetRef = { ref, subject: subjectOf(ref) };
    datasetRefs.set(key, datasetRef);
    return datasetRef;
  };
}
