/** Crawls a dbt project: finds its artifacts, reads what must be known first, then states the project. */
import type { CrawlContext, CrawlEvent } from "../connector.ts";
import type { SourceFile } from "../source-file.ts";
import type { Network } from "./download.ts";
import { findInputs, type FoundInputs, type Inputs } from "./find-inputs.ts";
import { toInput } from "./input.ts";
import { type Artifact, ARTIFACTS, type DbtOptions, FILE_NAMES } from "./options.ts";
import { Meter, withPauses } from "../pacing.ts";
import { readProject } from "./read-project.ts";
import { stateProject } from "./state-project.ts";

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
  yield* stateInputs(found, signal);
  yield { kind: "state", state: found.state };
}

/**
 * States what a project says in these files, which nobody crawled yet.
 * @throws CrawlFailure if the manifest cannot be read
 */
export async function* readVersion(
  files: { manifest: SourceFile } & Partial<Record<Artifact, SourceFile>>,
  instance: string,
  signal: AbortSignal,
  { maxBytes }: Pick<Network, "maxBytes">,
): AsyncGenerator<CrawlEvent> {
  const inputs: Inputs = { manifest: toInput("manifest", files.manifest, maxBytes) };
  for (const artifact of ARTIFACTS) {
    const file = files[artifact];
    if (file !== undefined) inputs[artifact] = toInput(artifact, file, maxBytes);
  }
  yield* stateInputs({ inputs, instance, severityOf: () => "error", errors: [] }, signal);
}

/**
 * Reads everything that a crawl reads before it states anything.
 * @returns the errors
 * @throws CrawlFailure if the manifest cannot be read
 */
export async function surveyProject(
  options: DbtOptions,
  signal: AbortSignal,
  network: Network,
): Promise<Extract<CrawlEvent, { kind: "error" }>[]> {
  await using downloads = new AsyncDisposableStack();
  const found = await findInputs(options, { downloads, network, signal });
  const errors = found === null ? [] : (await readProject(found, { signal })).errors;
  return errors.filter((event) => event.kind === "error");
}

async function* stateInputs(found: Omit<FoundInputs, "state">, signal: AbortSignal): AsyncGenerator<CrawlEvent> {
  const { inputs } = found;
  // The manifest is read twice: once to check it and learn about the project, once to state its contents.
  const read = [inputs.manifest, ...Object.values(inputs)];
  const meter = new Meter(read.reduce((sum, { bytes }) => sum + bytes, 0));
  const reading = { signal, onBytes: (bytes: number) => meter.add(bytes) };
  yield { kind: "progress", fraction: 0, label: "Reading the project" };
  const project = await readProject(found, reading);
  yield* project.errors;

  yield { kind: "begin", scope: SCOPE };
  let complete = !project.errors.some(losesSomething);
  for await (const event of withPauses(stateProject(inputs.manifest, project, reading))) {
    complete &&= !losesSomething(event);
    yield event;
    const progress = meter.due("Storing the project's contents");
    if (progress !== null) yield progress;
  }
  yield { kind: "end", scope: SCOPE, complete };
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
