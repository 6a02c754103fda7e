/** semantic_manifest.json: what it knows of metrics and semantic models beyond the manifest. */
import { failure, oversizedMember } from "./faults.ts";
import type { Input } from "./input.ts";
import { readMembers } from "./read-members.ts";
import type { ReadOptions } from "./read-members.ts";
import type { RawMembers, Survey } from "./survey.ts";

interface Target {
  prefix: string;
  known: RawMembers;
  ids: ReadonlyMap<string, string>;
}

/**
 * Adds what the semantic manifest has and the manifest lacks; the manifest's word comes first.
 * The file names no packages, so that what only it knows belongs to the project itself.
 * @throws CrawlFailure where the file is no semantic manifest
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
    // Entries of a list have no name before they are built.
    if (excess !== null) survey.errors.push(oversizedMember(`${section}[${key}] of the semantic manifest`, excess));
    if (target === undefined || !isRecord(value) || typeof value["name"] !== "string") continue;
    const { name } = value;
    const id = target.ids.get(name);
    const added = structuredClone({ package_name: survey.projectName, ...value });
    target.known.set(id ?? target.prefix + name, id === undefined ? added : fillIn(target.known.get(id), added));
  }
  if (isSemanticManifest) return;
  const why = "is no dbt semantic manifest: it has neither semantic_models nor metrics";
  throw failure(input, { code: "not_a_semantic_manifest", stage: "parse", why });
}

/** Takes the other's value wherever the known one is null, empty or missing. */
function fillIn(known: unknown, other: unknown): unknown {
  if (known === null || known === undefined || known === "" || (Array.isArray(known) && known.length === 0))
    return other;
  if (!isRecord(known) || !isRecord(other)) return known;
  const keys = new Set([...Object.keys(known), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, fillIn(ownValue(known, key), ownValue(other, key))]));
}

/** What every object has from its class, such as `constructor`, is no word of the file. */
function ownValue(of: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(of, key) ? of[key] : undefined;
}

/** Of two with one name the first counts. */
function idsByName(known: RawMembers): Map<string, string> {
  const named = [...known].flatMap(([id, value]) => {
    const name = isRecord(value) ? value["name"] : undefined;
    return typeof name === "string" ? [[name, id] as const] : [];
  });
  return new Map(named.toReversed());
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
