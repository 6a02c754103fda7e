/** Crawls a dbt project: finds its artifacts, reads what must be known first, then states the project. */
import type { CrawlContext, CrawlEvent } from "../connector.ts";
import { createMeter, type Pause, withPauses } from "../pacing.ts";
import type { SourceFile } from "../source-file.ts";
import { isCheck, ProjectChecks } from "./checks.ts";
import { errorEvent } from "../faults.ts";
import type { Network } from "./download.ts";
import { stateExposures } from "./exposures.ts";
import { findInputs, type FoundInputs, type Inputs } from "./find-inputs.ts";
import { type Input, toInput } from "./input.ts";
import { stateMetrics } from "./metrics.ts";
import { type Artifact, ARTIFACTS, type DbtOptions, FILE_NAMES } from "./options.ts";
import { ProjectGraph } from "./project-graph.ts";
import { readMembers, type ReadOptions, type Wanted } from "./read-members.ts";
import { ONLY_SEMANTIC, type Project, readProject } from "./read-project.ts";
import { isRelation } from "./relation-ref.ts";
import { stateRelation } from "./relations.ts";

const SCOPE = "manifest";

/**
 * The manifest is read once to its end before anything is stated. So a broken file changes nothing.
 * @throws CrawlFailure if the manifest cannot be read
 */
export async function* crawlProject(
  options: DbtOptions,
  { mode, previousState, signal }: Omit<CrawlContext, "now">,
  network: Network,
): AsyncGenerator<CrawlEvent> {
  await using downloads = new AsyncDisposableStack();
  yield { kind: "progress", fraction: 0, label: "Opening the artifacts" };
  const found = await findInputs(
    options,
    { downloads, network, signal },
    mode === "incremental" ? previousState : null,
  );
  if (found === null) {
    yield { kind: "progress", fraction: 1, label: "Nothing has changed" };
    return;
  }
  yield* stateInputs(found, { signal });
  yield { kind: "state", state: found.state };
}

/**
 * States what a project says in these files, which nobody crawled yet.
 * @throws CrawlFailure if the manifest cannot be read
 */
export async function* readVersion(
  files: { manifest: SourceFile } & Partial<Record<Artifact, SourceFile>>,
  instance: string,
  reading: ReadOptions,
  { maxBytes }: Pick<Network, "maxBytes">,
): AsyncGenerator<CrawlEvent> {
  const inputs: Inputs = { manifest: toInput("manifest", files.manifest, maxBytes) };
  for (const artifact of ARTIFACTS) {
    const file = files[artifact];
    if (file !== undefined) inputs[artifact] = toInput(artifact, file, maxBytes);
  }
  yield* stateInputs({ inputs, instance, severityOf: () => "error", errors: [] }, reading, NAMED_BY);
  if (files.semantic_manifest !== undefined) return;
  const message = `Only ${FILE_NAMES.semantic_manifest} has it, which is not compared.`;
  yield errorEvent({ code: "missing_reference", object: `${ONLY_SEMANTIC}.*`, stage: "resolve", message });
}

/** The type of the resources that are not known if the manifest does not have the section. */
const NAMED_BY = { metrics: "metric", semantic_models: "metric", exposures: "exposure" };

/** @param required without one of these sections, the resources of its type cannot be read */
async function* stateInputs(
  found: Omit<FoundInputs, "state">,
  options: ReadOptions,
  required: Readonly<Record<string, string>> = {},
): AsyncGenerator<CrawlEvent> {
  const { inputs } = found;
  // The manifest is read twice: once to check it and learn about the project, once to state its contents.
  const read = [inputs.manifest, ...Object.values(inputs)];
  const meter = createMeter(read.reduce((sum, { bytes }) => sum + bytes, 0));
  const reading = { ...options, onBytes: meter.add };
  yield { kind: "progress", fraction: 0, label: "Reading the project" };
  const project = await readProject(found, reading);
  yield* project.errors;
  for (const [section, type] of Object.entries(required)) {
    if (project.survey.sections.has(section)) continue;
    const message = `${inputs.manifest.name} has no section ${section}, so its ${type}s cannot be compared.`;
    yield errorEvent({ code: "missing_section", object: `${type}.*`, message });
  }

  yield { kind: "begin", scope: SCOPE };
  let complete = !project.errors.some(losesSomething);
  for await (const event of withPauses(stateProject(inputs.manifest, project, reading), reading.nextTurn)) {
    complete &&= !losesSomething(event);
    yield event;
    const progress = meter.due("Storing the project's contents");
    if (progress !== null) yield progress;
  }
  yield { kind: "end", scope: SCOPE, complete };
}

const isStated: Wanted = (section, key) => isRelation(section, key) || isCheck(section, key);

/** States relations while they are read, then metrics and exposures, then all edges and checks. */
async function* stateProject(
  manifest: Input,
  project: Project,
  reading: ReadOptions,
): AsyncGenerator<CrawlEvent | Pause> {
  const { survey } = project;
  const graph = new ProjectGraph(survey.shared);
  const checks = new ProjectChecks();
  for await (const member of readMembers(manifest, isStated, reading)) {
    yield* checks.add(member);
    yield null;
    if (isRelation(member.section, member.key)) yield* stateRelation(member, project, graph);
  }
  yield* graph.stateShared();
  yield* stateMetrics(survey, graph);
  yield* stateExposures(survey, graph);
  yield* graph.edges();
  yield* checks.state(graph, project.results);
}

/**
 * Whether something could not be read. If the scope were swept after this, what is still in the project would be
 * deleted.
 */
function losesSomething(event: CrawlEvent): boolean {
  if (event.kind !== "error" || event.error.severity === "warning") return false;
  // A check without results is still in the catalog. An asset left out because of its name is left out in every crawl.
  return !KEPT_BESIDE.has(event.error.code) && !RESULT_FILES.has(event.error.object);
}

const KEPT_BESIDE = new Set(["missing_reference", "alike_name"]);

const RESULT_FILES = new Set<string>([FILE_NAMES.run_results, FILE_NAMES.sources]);
