/** The first pass over a manifest. It checks the file, finds its project, and keeps all small sections. */
import type { CrawlEvent } from "../connector.ts";
import { compiledSql, hasSql, warnOfUncompiled } from "./compiled.ts";
import { failure, oversizedMember, type Source } from "./faults.ts";
import type { Input } from "./input.ts";
import { findShared } from "./project-graph.ts";
import { createMacros, type Macros } from "./macros.ts";
import { parseKept, readMembers, type ReadOptions, type Wanted } from "./read-members.ts";
import { isRelation, toRef } from "./relation-ref.ts";
import {
  codeShape,
  type DbtOwner,
  groupShape,
  macroShape,
  manifestMetadataShape,
  type RelationName,
  relationNameShape,
} from "./shapes.ts";

/** Values as they are in the file, by dbt's unique id. */
export type RawMembers = Map<string, unknown>;

export interface Survey {
  /** The warehouse's adapter, in lower case, such as `snowflake`. */
  platform: string;
  /** The connector's option `instance`. It distinguishes two warehouses of one platform. */
  instance: string;
  projectName: string;
  /** Owners by the unique id of their group. */
  groups: ReadonlyMap<string, DbtOwner>;
  exposures: RawMembers;
  metrics: RawMembers;
  semanticModels: RawMembers;
  macros: Macros;
  /** Unique ids of the relations that several resources state. */
  shared: ReadonlySet<string>;
  /** The names of the file's sections, also of empty ones. */
  sections: ReadonlySet<string>;
  errors: CrawlEvent[];
}

const VERSIONS = new Set(["10", "11", "12"]);

/**
 * Reads everything except nodes and sources, and of these only the names of their relations. Of macros it keeps hashes. It reads
 * to the end of the file, so a file that is cut off is found before anything is stated. Sections may come in any order.
 * @throws CrawlFailure if the file is not a dbt manifest, or has an unknown version
 */
export async function surveyManifest(
  input: Input,
  { instance, ...options }: ReadOptions & Pick<Survey, "instance">,
): Promise<Survey> {
  const sections = {
    metadata: new Map<string, unknown>(),
    groups: new Map<string, unknown>(),
    exposures: new Map<string, unknown>(),
    metrics: new Map<string, unknown>(),
    semantic_models: new Map<string, unknown>(),
  };
  const byName = new Map<string, RawMembers>(Object.entries(sections));
  const names = new Map<string, RelationName>();
  const uncompiled = new Set<string>();
  const macros = createMacros();
  let coded = 0;
  const errors: CrawlEvent[] = [];
  const isRead: Wanted = (section, key) => byName.has(section) || section === "macros" || isRelation(section, key);
  const found = new Set<string>();
  const reading = { ...options, onSection: (name: string) => void found.add(name) };
  for await (const { section, key, value, excess } of readMembers(input, isRead, reading)) {
    const kept = byName.get(section);
    if (section === "macros") {
      // One that cannot be read counts by its name.
      const { data: macro } = macroShape.safeParse(value);
      if (macro !== undefined) macros.add(key, macro);
    } else if (kept === undefined) {
      // What cannot be read is reported when it is stated.
      const named = relationNameShape.safeParse(value);
      if (named.success) names.set(structuredClone(key), structuredClone(named.data));
      const { data: code } = codeShape.safeParse(value);
      if (code === undefined || !hasSql(code)) continue;
      coded += 1;
      if (compiledSql(code) === null) uncompiled.add(structuredClone(key));
    } else if (excess === null) kept.set(key, structuredClone(value));
    else errors.push(oversizedMember(key, excess));
  }
  const { exposures, metrics, semantic_models: semanticModels } = sections;
  errors.push(...warnOfUncompiled(input, [...uncompiled], coded));
  const project = projectOf(input, sections.metadata);
  const groups = Array.from(parseKept(sections.groups, groupShape, errors));
  const refs = [...names].map(([id, name]) => [id, toRef(id, name, { ...project, instance })] as const);
  return {
    ...project,
    instance,
    groups: new Map(groups.flatMap(([id, { owner }]) => (owner === null ? [] : [[id, owner]]))),
    exposures,
    metrics,
    semanticModels,
    macros,
    shared: findShared(refs),
    sections: found,
    errors,
  };
}

function projectOf(source: Source, members: RawMembers): Pick<Survey, "platform" | "projectName"> {
  const parsed = manifestMetadataShape.safeParse(Object.fromEntries(members));
  const version = parsed.success ? /\/dbt\/manifest\/v(\d+)\b/.exec(parsed.data.dbt_schema_version)?.[1] : undefined;
  const refuse = (code: string, why: string) => failure(source, { code, stage: "parse", why });
  if (!parsed.success || version === undefined) {
    // dbt writes a URL there. The message contains only its part that names the artifact.
    const [, found] = /\/dbt\/([a-z-]{1,40}\/v\d{1,4})\b/.exec(parsed.data?.dbt_schema_version ?? "") ?? [];
    const reason = found === undefined ? "metadata.dbt_schema_version does not say so" : `it is ${found}`;
    throw refuse("not_a_manifest", `is not a dbt manifest: ${reason}`);
  }
  if (!VERSIONS.has(version)) {
    throw refuse("unsupported_version", `is a dbt manifest v${version}; v10, v11 and v12 are supported`);
  }
  const platform = parsed.data.adapter_type.toLowerCase();
  if (platform === "") throw refuse("not_a_manifest", "names no warehouse: metadata.adapter_type is missing");
  return { platform, projectName: parsed.data.project_name };
}
