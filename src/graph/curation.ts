/** How an edit by a person is added to earlier edits, the same for every engine. */
import { EDITABLE_FIELDS, type EditStamp } from "../catalog/edits.ts";
import type { Curation } from "../catalog/layers.ts";
import type { CurationChange } from "./catalog-writes.ts";

/**
 * Keys with a value are set. Keys with null return to what the connectors say. Each given field notes who edited it.
 */
export function changeCuration(curation: Curation, change: CurationChange, { by, at }: EditStamp): Curation {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const edited = EDITABLE_FIELDS.filter((field) => change[field] !== undefined);
  const edits = { ...curation.edits, ...Object.fromEntries(edited.map((field) => [field, { by, at }])) };
  const merged = Object.entries({ ...curation, ...Object.fromEntries(given) });
  const kept: Curation = Object.fromEntries(merged.filter(([, value]) => value !== null));
  return edited.length === 0 ? kept : { ...kept, edits };
}
