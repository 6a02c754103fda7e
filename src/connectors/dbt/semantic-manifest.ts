/** semantic_manifest.json: what it knows of metrics and semantic models beyond the manifest. */
import { failure } from "./faults.ts";
import type { Input } from "./input.ts";
import { readMembers } from "./read-members.ts";
import type { ReadOptions } from "./read-members.ts";
import type { RawMembers, Survey } from "./survey.ts";

/**
 * Adds what the semantic manifest has and the manifest lacks; the manifest's word comes first.
 * The file names no packages, so that what only it knows belongs to the project itself.
 * @throws CrawlFailure where the file is no semantic manifest
 */
export async function addSemanticManifest(input: Input, survey: Survey, options: ReadOptions): Promise<void> {
  const targets: Record<string, { prefix: string; known: RawMembers }> = {
    semantic_models: { prefix: `semantic_model.${survey.projectName}.`, known: survey.semanticModels },
    metrics: { prefix: `metric.${survey.projectName}.`, known: survey.metrics },
  };
  let isSemanticManifest = false;
  const wanted = (section: string) => {
    isSemanticManifest ||= section === "project_configuration" || Object.hasOwn(targets, section);
    return Object.hasOwn(targets, section);
  };
  for await (const { section, value } of readMembers(input, wanted, options)) {
    const target = targets[section];
    if (target === undefined || !isRecord(value) || typeof value["name"] !== "string") continue;
    const { name } = value;
    const id = [...target.known].find(([, known]) => isRecord(known) && known["name"] === name)?.[0];
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
  return Object.fromEntries([...keys].map((key) => [key, fillIn(known[key], other[key])]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
