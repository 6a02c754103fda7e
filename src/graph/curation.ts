/** How a person's word is added to what was curated before, the same for every engine. */
import { EDITABLE_FIELDS, type EditStamp } from "../catalog/edits.ts";
import type { Curation } from "../catalog/layers.ts";
import type { CurationChange } from "./catalog-writes.ts";

/** Given keys are set; keys given as null go back to the connectors' word. Each given field notes who edited it. */
export function changeCuration(curation: Curation, change: CurationChange, { by, at }: EditStamp): Curation {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const edited = EDITABLE_FIELDS.filter((field) => change[field] !== undefined);
  const edits = { ...curation.edits, ...Object.fromEntries(edited.map((field) => [field, { by, at }])) };
  const merged = Object.entries({ ...curation, ...Object.fromEntries(given) });
  const kept: Curation = Object.fromEntries(merged.filter(([, value]) => value !== null));
  return edited.length === 0 ? kept : { ...kept, edits };
}
