/** How a person's word is added to what was curated before, the same for every engine. */
import type { Curation } from "../catalog/layers.ts";
import type { CurationChange } from "./catalog-graph.ts";

/** Given keys are set; keys given as null go back to the connectors' word. */
export function changeCuration(curation: Curation, change: CurationChange): Curation {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ ...curation, ...Object.fromEntries(given) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null));
}
