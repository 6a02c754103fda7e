/** Reads catalog.json: the columns in the warehouse. */
import type { CrawlEvent } from "../connector.ts";
import { failure, malformedMember, oversizedMember } from "./faults.ts";
import type { Input } from "./input.ts";
import { readMembers, type ReadOptions } from "./read-members.ts";
import { catalogRelationShape, type WarehouseRelation } from "./shapes.ts";

/** Relations by dbt's unique id. */
export type Warehouse = ReadonlyMap<string, WarehouseRelation>;

const SECTIONS = new Set(["metadata", "nodes", "sources"]);

/**
 * @returns the relations, and an error for each one that cannot be read
 * @throws CrawlFailure if the file is not a dbt catalog
 */
export async function readCatalog(
  input: Input,
  options: ReadOptions,
): Promise<{ warehouse: Warehouse; errors: CrawlEvent[] }> {
  const warehouse = new Map<string, WarehouseRelation>();
  const errors: CrawlEvent[] = [];
  let isCatalog = false;
  for await (const { section, key, value, excess } of readMembers(input, (name) => SECTIONS.has(name), options)) {
    if (excess !== null) {
      errors.push(oversizedMember(key, excess));
      continue;
    }
    if (section === "metadata") {
      isCatalog ||= key === "dbt_schema_version" && typeof value === "string" && value.includes("/dbt/catalog/");
      continue;
    }
    const parsed = catalogRelationShape.safeParse(value);
    if (parsed.success) warehouse.set(key, structuredClone(parsed.data));
    else errors.push(malformedMember(key, parsed.error));
  }
  if (!isCatalog) {
    const why = "is not a dbt catalog: metadata.dbt_schema_version does not say so";
    throw failure(input, { code: "not_a_catalog", stage: "parse", why });
  }
  return { warehouse, errors };
}
