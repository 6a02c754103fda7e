/** Crawls an Airflow: states its DAGs, their tasks, and the assets that they read and write. */
import type { NodeRef } from "../../catalog/identity.ts";
import type { CrawlContext, CrawlEvent, FindPipelines } from "../connector.ts";
import { errorEvent, type Fault } from "../faults.ts";
import type { ApiNetwork } from "../http/api-client.ts";
import { inOrder } from "../http/in-order.ts";
import { identityOf } from "../identity.ts";
import { openApi } from "./api.ts";
import { createNaming, createPageUrls } from "./naming.ts";
import type { AirflowOptions } from "./options.ts";
import { readAssets, readDag, type ReadDag, readDags, readRunStates } from "./read-source.ts";
import { stateAssets } from "./state-assets.ts";
import { warnOfEvents } from "./warn-of-events.ts";
import { type PipelineContext, stateDag, stateLastRun, stateSchedule, stateTask } from "./state-pipelines.ts";

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
  findPipelines: FindPipelines,
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
  const context = { naming, pages, gap, now: began, knowsRuns: !api.isLegacy };
  const stated: Stated = { names: new Map(), tasks: new Map() };

  yield { kind: "begin", scope: PIPELINES };
  let isWhole = dags.isWhole;
  let done = 0;
  for await (const read of inOrder(dags.items, network.concurrency, (dag) => readDag(api, dag))) {
    yield* read.faults;
    yield* stateOne(read, runs.states.get(read.dag.id), context, stated);
    isWhole &&= read.isWhole;
    done += 1;
    if (done % PROGRESS_STEP !== 0) continue;
    const label = `Reading DAGs: ${done} of ${dags.items.length}`;
    yield { kind: "progress", fraction: done / dags.items.length, label };
  }
  yield { kind: "end", scope: PIPELINES, complete: isWhole };

  yield { kind: "begin", scope: ASSETS };
  yield* stateAssets(assets.items, { naming, pages, instance: options.instance, tasks: stated.tasks });
  // If a task or DAG is missing above, its edges are missing here.
  yield { kind: "end", scope: ASSETS, complete: assets.isWhole && isWhole };
  if (options.openlineage_namespace === undefined) yield* warnOfEvents(dags.items, findPipelines);
}

function* stateOne(
  read: ReadDag,
  lastRun: string | undefined,
  context: PipelineContext,
  { names, tasks }: Stated,
): Generator<CrawlEvent> {
  const { dag } = read;
  const { naming } = context;
  const clash = addName(names, naming.dag(dag.id), dag.id);
  if (clash !== null) {
    yield alike(dag.id, clash);
    return;
  }
  yield { kind: "asset", asset: stateDag(read, lastRun, context) };
  const schedule = stateSchedule(read, lastRun, context);
  if (schedule !== null) yield { kind: "check", check: schedule };
  if (context.knowsRuns) yield { kind: "check", check: stateLastRun(dag, lastRun, context) };
  const own = new Set<string>();
  for (const task of read.items) {
    const name = `${dag.id}.${task.id}`;
    const other = addName(names, naming.task(dag.id, task.id), name);
    if (other === null) {
      own.add(task.id);
      yield { kind: "asset", asset: stateTask(dag, task, context) };
    } else yield alike(name, other);
  }
  tasks.set(dag.id, read.isWhole ? own : null);
}

/** What was stated. Two names that the catalog cannot tell apart must not be stated as one pipeline. */
interface Stated {
  /** By their identities. */
  names: Map<string, string>;
  tasks: Map<string, ReadonlySet<string> | null>;
}

/** @returns the other name that has the same identity; null if there is none */
function addName(names: Map<string, string>, ref: NodeRef, name: string): string | null {
  const identity = identityOf(ref);
  const other = names.get(identity);
  if (other === undefined) names.set(identity, name);
  return other ?? null;
}

function alike(name: string, other: string): Fault {
  const why = name === other ? "OpenLineage gives both this name" : "upper and lower case do not count";
  const message = `${name} was left out, because the catalog cannot tell it from ${name === other ? "another pipeline" : other}: ${why}.`;
  return errorEvent({ code: "alike_name", object: name, stage: "resolve", message });
}
