/** Leaves out the columns that Iceberg makes up when it is asked for them. No table has them, and their names are reserved. */
import type { KeptDataset, KeptInput, KeptLineage, Said } from "./kept.ts";
import { nameKey } from "./naming.ts";
import { type EventDataset, storageFacet } from "./shapes.ts";

/** https://iceberg.apache.org/docs/latest/spark-queries/#querying-with-metadata-columns */
const METADATA_COLUMNS = new Set(["_file", "_pos", "_spec_id", "_partition", "_deleted"]);

/** @param given the same datasets, with the facets that are not kept */
export function withoutMetadataColumns(kept: readonly KeptDataset[], given: readonly EventDataset[]): KeptDataset[] {
  const icebergs = new Set(given.filter(isIceberg).map(nameKey));
  if (icebergs.size === 0) return [...kept];
  const isReal = (input: KeptInput): boolean => !icebergs.has(nameKey(input)) || !isMadeUp(input.field ?? "");
  const ofLineage = ({ inputs, fields }: KeptLineage): KeptLineage => ({
    inputs: inputs.filter(isReal),
    fields: fields.map(([field, of]) => [field, of.filter(isReal)]),
  });
  return kept.map((dataset) => {
    const { columns, columnLineage, ...others } = dataset.facts;
    const real = icebergs.has(nameKey(dataset))
      ? columns && mapSaid(columns, (all) => all.filter(({ name }) => !isMadeUp(name)))
      : columns;
    // A schema without columns says nothing.
    const isTold = real !== undefined && real.value?.length !== 0;
    const facts = {
      ...others,
      ...(isTold && { columns: real }),
      ...(columnLineage && { columnLineage: mapSaid(columnLineage, ofLineage) }),
    };
    return { ...dataset, facts };
  });
}

/** `_partition` is a struct. */
function isMadeUp(column: string): boolean {
  return METADATA_COLUMNS.has(column.split(".", 1)[0] ?? "");
}

function isIceberg({ facets }: EventDataset): boolean {
  return storageFacet.safeParse(facets?.["storage"]).data?.storageLayer.toLowerCase() === "iceberg";
}

function mapSaid<Value>({ at, value }: Said<Value>, map: (value: Value) => Value): Said<Value> {
  return { at, value: value === null ? null : map(value) };
}
