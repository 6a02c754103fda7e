/** Reads semantic_manifest.json: details of metrics and semantic models that the manifest does not have. */
import { isRecord } from "../shapes.ts";
import { failure, oversizedMember } from "./faults.ts";
import type { Input } from "./input.ts";
import { readMembers, type ReadOptions } from "./read-members.ts";
import type { RawMembers, Survey } from "./survey.ts";

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
export async function addSemanticManifest(input: Input, survey: Survey, options: ReadOptions): Promise<void> {
  const toTarget = (type: string, known: RawMembers): Target => {
    return { prefix: `${type}.${survey.projectName}.`, known, ids: idsByName(known) };
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
