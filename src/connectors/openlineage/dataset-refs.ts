/** Finds the identity of a dataset by any of its names, and notes what jobs and its own events say about it. */
import type { NodeRef } from "../../catalog/identity.ts";
import type { NoteTo } from "../connector.ts";
import { latestOf, subjectOf } from "./bodies.ts";
import type { GoneName, PlacedNote } from "./kept.ts";
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
  return (name) =>
    datasetRefs.getOrInsertComputed(nameKey(name), (key) => {
      const table = tables.get(key);
      const ref = toDatasetRef(table !== undefined && isPath(name) ? table : name, options);
      return { ref, subject: subjectOf(ref) };
    });
}

/** A dataset that was renamed to a name that means the same is not gone. */
export function noteGone(gone: GoneName, datasetRefOf: FindDatasetRef): PlacedNote[] {
  const { ref, subject } = datasetRefOf(gone);
  if (gone.to !== null && datasetRefOf(gone.to).subject === subject) return [];
  return [{ ref, heldAt: null, goneAt: gone.at, facts: {} }];
}

/** Joins notes to one for each dataset. At most one note of a dataset says more than that the dataset is gone. */
export function joinNotes(notes: readonly PlacedNote[]): NoteTo[] {
  return [...Map.groupBy(notes, ({ ref }) => subjectOf(ref))].flatMap(([subject, about]) => {
    const note = about.find(({ heldAt }) => heldAt !== null) ?? about[0];
    const goneAt = latestOf(about.map((each) => each.goneAt)) || null;
    if (note === undefined || (note.heldAt === null && goneAt === null)) return [];
    return [{ subject, body: JSON.stringify({ ...note, goneAt } satisfies PlacedNote) }];
  });
}
