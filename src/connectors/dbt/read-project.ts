/** Reads everything that must be known before a project can be stated. */
import type { CheckResult } from "../../catalog/check.ts";
import { type CrawlEvent, CrawlFailure } from "../connector.ts";
import { isRecord } from "../shapes.ts";
import { readRunResults, readSourceResults } from "./check-results.ts";
import { failure, malformedMember, oversizedMember } from "./faults.ts";
import type { FoundInputs } from "./find-inputs.ts";
import type { Input } from "./input.ts";
import type { Artifact } from "./options.ts";
import { readMembers, type ReadOptions } from "./read-members.ts";
import { catalogRelationShape, type WarehouseRelation } from "./shapes.ts";
import { type RawMembers, type Survey, surveyManifest } from "./survey.ts";

export interface Project {
  survey: Survey;
  warehouse: Warehouse;
  /** The last result of each check, by its name. */
  results: ReadonlyMap<string, CheckResult>;
  errors: CrawlEvent[];
}

/**
 * If an optional artifact cannot be read, the project has an error, and is read without it.
 * @throws CrawlFailure if the manifest cannot be read
 */
export async function readProject(
  { inputs, instance, severityOf, errors: before }: Omit<FoundInputs, "state">,
  reading: ReadOptions,
): Promise<Project> {
  const errors = [...before];
  async function readOptional<T>(artifact: Artifact, read: (input: Input, options: ReadOptions) => Promise<T>) {
    const input = inputs[artifact];
    if (input === undefined) return null;
    try {
      return await read(input, reading);
    } catch (error) {
      if (!(error instanceof CrawlFailure)) throw error;
      errors.push({ kind: "error", error: { ...error.error, severity: severityOf(artifact) } });
      return null;
    }
  }
  const survey = await surveyManifest(inputs.manifest, { ...reading, instance });
  await readOptional("semantic_manifest", (input) => addSemanticManifest(input, survey, reading));
  const catalog = await readOptional("catalog", readCatalog);
  const tests = await readOptional("run_results", readRunResults);
  const freshness = await readOptional("sources", readSourceResults);
  for (const read of [survey, catalog, tests, freshness]) errors.push(...(read?.errors ?? []));
  const results = new Map([...(tests?.results ?? []), ...(freshness?.results ?? [])]);
  return { survey, warehouse: catalog?.warehouse ?? new Map(), results, errors };
}

/** Relations by dbt's unique id. */
type Warehouse = ReadonlyMap<string, WarehouseRelation>;

const SECTIONS = new Set(["metadata", "nodes", "sources"]);

/**
 * Reads catalog.json: the columns in the warehouse.
 * @returns the relations, and an error for each one that cannot be read
 * @throws CrawlFailure if the file is not a dbt catalog
 */
async function readCatalog(
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

/** Begins the ids of what only semantic_manifest.json has. */
export const ONLY_SEMANTIC = "semantic_manifest";

interface Target {
  prefix: string;
  known: RawMembers;
  ids: ReadonlyMap<string, string>;
}

/**
 * Adds values that are missing in the manifest. If both files have a value, the manifest's is kept.
 * The file does not name packages, so a metric that only this file has is assigned to the project itself.
 * @throws CrawlFailure if the file is not a semantic manifest
 */
async function addSemanticManifest(input: Input, survey: Survey, options: ReadOptions): Promise<void> {
  const toTarget = (type: string, known: RawMembers): Target => {
    return { prefix: `${ONLY_SEMANTIC}.${type}.${survey.projectName}.`, known, ids: idsByName(known) };
  };
  const targets: Record<string, Target> = {
    semantic_models: toTarget("semantic_model", survey.semanticModels),
    metrics: toTarget("metric", survey.metrics),
  };
  let isSemanticManifest = false;
  const wanted = (section: string) => {
    isSemanticManifest ||= section === "project_configuration" || Object.hasOwn(targets, section);
    return Object.hasOwn(targets, section);
  };
  for await (const { section, key, value, excess } of readMembers(input, wanted, options)) {
    const target = targets[section];
    // The name of a list's entry is inside the entry, so one that is too large is named by its index.
    if (excess !== null) survey.errors.push(oversizedMember(`${section}[${key}] of the semantic manifest`, excess));
    if (target === undefined || !isRecord(value) || typeof value["name"] !== "string") continue;
    const { name } = value;
    const id = target.ids.get(name);
    const added = structuredClone({ package_name: survey.projectName, ...value });
    target.known.set(id ?? target.prefix + name, id === undefined ? added : fillIn(target.known.get(id), added));
  }
  if (isSemanticManifest) return;
  const why = "is not a dbt semantic manifest: it has neither semantic_models nor metrics";
  throw failure(input, { code: "not_a_semantic_manifest", stage: "parse", why });
}

/** Fills in values of the other that are null, empty or missing in the known one. */
function fillIn(known: unknown, other: unknown): unknown {
  if (known === null || known === undefined || known === "" || (Array.isArray(known) && known.length === 0))
    return other;
  if (!isRecord(known) || !isRecord(other)) return known;
  const keys = new Set([...Object.keys(known), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, fillIn(ownValue(known, key), ownValue(other, key))]));
}

/** Ignores inherited keys, such as `constructor`, which are not in the file. */
function ownValue(of: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(of, key) ? of[key] : undefined;
}

/** If two have the same name, the first counts. */
function idsByName(known: RawMembers): Map<string, string> {
  const named = [...known].flatMap(([id, value]) => {
    const name = isRecord(value) ? value["name"] : undefined;
    return typeof name === "string" ? [[name, id] as const] : [];
  });
  return new Map(named.toReversed());
}
