/** What jobs, and the events of a dataset, say about datasets. */
import { compareCodePoints } from "../../catalog/text.ts";
import type { NoteTo } from "../connector.ts";
import { subjectOf } from "./bodies.ts";
import type { GoneName, PlacedNote } from "./kept.ts";
import type { FindDatasetRef } from "./dataset-refs.ts";

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
    const goneAt = about
      .flatMap((each) => each.goneAt ?? [])
      .toSorted(compareCodePoints)
      .at(-1);
    if (note === undefined || (note.heldAt === null && goneAt === undefined)) return [];
    return [{ subject, body: JSON.stringify({ ...note, goneAt: goneAt ?? null } satisfies PlacedNote) }];
  });
}
