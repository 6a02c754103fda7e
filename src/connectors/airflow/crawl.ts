/** Crawls an Airflow: states its DAGs, their tasks, and the assets that they read and write. */
import type { CrawlContext, CrawlEvent } from "../connector.ts";
import { errorEvent, type Fault } from "../faults.ts";
import type { ApiNetwork } from "../http/api-client.ts";
import { inOrder } from "../http/in-order.ts";
import { identityOf } from "../identity.ts";
import { openApi } from "./api.ts";
import { createNaming, createPageUrls } from "./naming.ts";
import type { AirflowOptions } from "./options.ts";
import { readAssets, readDag, type ReadDag, readDags, readRunStates } from "./read-source.ts";
import { stateAssets } from "./state-assets.ts";
import { type PipelineContext, stateDag, stateSchedule, stateTask } from "./state-pipelines.ts";

const PIPELINES = "pipelines";
const ASSETS = "assets";

/** Progress is reported after this many DAGs. */
const PROGRESS_STEP = 20;

/**
 * DAGs and tasks are one scope, assets and lineage another. A scope of which something could not be read ends incomplete.
 * Nothing in the API says whether anything has changed, so each crawl reads everything.
 * @throws CrawlFailure if the list of DAGs cannot be read, or Airflow stops answering
 */
export async function* crawlAirflow(
  options: AirflowOptions,
  { signal, now }: Pick<CrawlContext, "signal" | "now">,
  network: ApiNetwork,
): AsyncGenerator<CrawlEvent> {
  yield { kind: "progress", fraction: 0, label: "Connecting to Airflow" };
  using api = await openApi(options, { network, signal, now });
  yield { kind: "progress", fraction: 0, label: `Reading the lists of Airflow ${api.version}` };
  // A run that begins while this crawl reads is not late.
  const began = now();
  const dags = await readDags(api, options);
  const assets = await readAssets(api);
  const runs = await readRunStates(api);
  yield* [...dags.faults, ...assets.faults, ...runs.faults];

  const naming = createNaming(options);
  const pages = createPageUrls(options.url, api);
  const gap = assets.isWhole ? "" : "what it reads and writes could not be read in full";
  const names = new StatedNames();

  yield { kind: "begin", scope: PIPELINES };
  let isWhole = dags.isWhole;
  let done = 0;
  for await (const read of inOrder(dags.items, network.concurrency, (dag) => readDag(api, dag))) {
    yield* read.faults;
    yield* stateOne(read, runs.states.get(read.dag.id), { naming, pages, gap, now: began }, names);
    isWhole &&= read.isWhole;
    done += 1;
    if (done % PROGRESS_STEP !== 0) continue;
    const label = `Reading DAGs: ${done} of ${dags.items.length}`;
    yield { kind: "progress", fraction: done / dags.items.length, label };
  }
  yield { kind: "end", scope: PIPELINES, complete: isWhole };

  yield { kind: "begin", scope: ASSETS };
  const { instance } = options;
  const hasDag = (dag: string): boolean => names.hasDag(dag);
  const hasTask = (dag: string, task: string): boolean => names.mayHaveTask(dag, task);
  yield* stateAssets(assets.items, { naming, pages, instance, hasDag, hasTask });
  // If a task or DAG is missing above, its edges are missing here.
  yield { kind: "end", scope: ASSETS, complete: assets.isWhole && isWhole };
}

function* stateOne(
  read: ReadDag,
  lastRun: string | undefined,
  context: PipelineContext,
  names: StatedNames,
): Generator<CrawlEvent> {
  const { dag, tasks } = read;
  const { naming } = context;
  const clash = names.add(identityOf(naming.dag(dag.id)), dag.id);
  if (clash !== null) {
    yield alike(dag.id, clash);
    return;
  }
  yield { kind: "asset", asset: stateDag(read, lastRun, context) };
  const schedule = stateSchedule(read, lastRun, context);
  if (schedule !== null) yield { kind: "check", check: schedule };
  const stated = new Set<string>();
  for (const task of tasks) {
    const name = `${dag.id}.${task.id}`;
    const other = names.add(identityOf(naming.task(dag.id, task.id)), name);
    if (other === null) {
      stated.add(task.id);
      yield { kind: "asset", asset: stateTask(dag, task, context) };
    } else yield alike(name, other);
  }
  names.addTasks(dag.id, read.isWhole ? stated : null);
}

/** What was stated. Two names that the catalog cannot tell apart must not be stated as one pipeline. */
class StatedNames {
  readonly #names = new Map<string, string>();
  /** The tasks of each DAG; null if they could not be read in full. */
  readonly #tasks = new Map<string, ReadonlySet<string> | null>();

  /** @returns the other name that has the same identity; null if there is none */
  add(identity: string, name: string): string | null {
    const other = this.#names.get(identity);
    if (other === undefined) this.#names.set(identity, name);
    return other ?? null;
  }

  addTasks(dag: string, tasks: ReadonlySet<string> | null): void {
    this.#tasks.set(dag, tasks);
  }

  hasDag(dag: string): boolean {
    return this.#tasks.has(dag);
  }

  /** A task that could not be read may be in the catalog since an earlier crawl. */
  mayHaveTask(dag: string, task: string): boolean {
    const tasks = this.#tasks.get(dag);
    return tasks !== undefined && (tasks === null || tasks.has(task));
  }
}

function alike(name: string, other: string): Fault {
  const why = name === other ? "OpenLineage gives both this name" : "upper and lower case do not count";
  const message = `${name} was left out, because the catalog cannot tell it from ${name === other ? "another pipeline" : other}: ${why}.`;
  return errorEvent({ code: "alike_name", object: name, stage: "resolve", message });
}
