/** Reads DAGs, their tasks and the assets from Airflow's API, whatever its version. */
import { z } from "zod";

import { errorEvent, explainIssues, type Fault, warningEvent } from "../faults.ts";
import { passingFailure } from "../http/api-faults.ts";
import { type AirflowApi, toPath } from "./api.ts";
import { type AirflowOptions, isWanted } from "./options.ts";
import { listAll, type ReadList } from "./pages.ts";
import {
  type AirflowAsset,
  assetShape,
  type Dag,
  dagDetailsShape,
  dagShape,
  type Task,
  taskListShape,
  taskShape,
} from "./shapes.ts";

const DAGS = { path: "dags", key: "dags", id: "dag_id", what: "the list of DAGs" };

/**
 * The DAGs that the options name. Airflow leaves out those whose file is gone.
 * @throws ApiFailure if the list cannot be read
 */
export async function readDags(api: AirflowApi, options: AirflowOptions): Promise<ReadList<Dag>> {
  const { items, ...rest } = parseAll(await listAll(api, DAGS), dagShape, "dag_id");
  return { ...rest, items: items.filter((dag) => isWanted(dag, options)) };
}

/** @returns the assets, or why they cannot be read */
export async function readAssets(api: AirflowApi): Promise<ReadList<AirflowAsset>> {
  const path = api.isLegacy ? "datasets" : "assets";
  const list = { path, key: path, id: "id", what: `the list of ${path}` };
  const listing = await orFault(listAll(api, list));
  if (isFault(listing)) return { items: [], isWhole: false, faults: [listing] };
  return parseAll(listing, assetShape, "uri");
}

/** States of runs by which Airflow 3 can filter its list of DAGs. */
const RUN_STATES = ["success", "failed", "running", "queued"] as const;

/**
 * The state of each DAG's last run. It is read for all DAGs at once; Airflow 2 could only be asked for each DAG alone.
 */
export async function readRunStates(api: AirflowApi) {
  const states = new Map<string, string>();
  if (api.isLegacy) return { states, faults: [] };
  for (const state of RUN_STATES) {
    const what = "the states of last runs";
    const listing = await orFault(listAll(api, { ...DAGS, what, params: { last_dag_run_state: state } }));
    if (isFault(listing)) return { states, faults: [warningEvent(listing.error)] };
    for (const { id } of parseAll(listing, dagShape, "dag_id").items) states.set(id, state);
  }
  return { states, faults: [] };
}

/** A DAG, and the list of its tasks. */
export interface ReadDag extends ReadList<Task> {
  dag: Dag;
  /** The documentation in Markdown; "" if there is none. */
  doc: string;
}

/** @throws ApiFailure if everything else would fail too */
export async function readDag(api: AirflowApi, dag: Dag): Promise<ReadDag> {
  const path = toPath("dags", dag.id);
  if (path === null) {
    const message = `The tasks of the DAG ${dag.id} cannot be read: no URL can contain its id.`;
    const fault = errorEvent({ code: "invalid_name", object: dag.id, stage: "read", message });
    return { dag, doc: "", items: [], isWhole: false, faults: [fault] };
  }
  const [details, list] = await Promise.all([
    orFault(api.get(`${path}/details`, { what: `the DAG ${dag.id}`, shape: dagDetailsShape })),
    orFault(api.get(`${path}/tasks`, { what: `the tasks of the DAG ${dag.id}`, shape: taskListShape })),
  ]);
  const doc = isFault(details) ? "" : details.doc;
  // Usually both fail for the same reason, such as that the DAG has gone since it was listed.
  if (isFault(list)) return { dag, doc, items: [], isWhole: false, faults: [list] };
  const faults = isFault(details) ? [details] : [];
  return { dag, doc, ...parseAll({ items: list.tasks, isWhole: true, faults }, taskShape, "task_id", dag.id) };
}

/** Leaves out entries of another form, each with an error that names it. */
function parseAll<T>(
  { items, isWhole, faults }: ReadList<unknown>,
  shape: z.ZodType<T>,
  key: string,
  of = "",
): ReadList<T> {
  const read: ReadList<T> = { items: [], isWhole, faults: [...faults] };
  for (const entry of items) {
    const parsed = shape.safeParse(entry);
    if (parsed.success) {
      read.items.push(parsed.data);
      continue;
    }
    const name = z.object({ [key]: z.string() }).safeParse(entry);
    const object = [of, name.success ? name.data[key] : `an entry without ${key}`].filter(Boolean).join(".");
    const message = `${object} cannot be read: ${explainIssues(parsed.error, 1)}`;
    read.isWhole = false;
    read.faults.push(errorEvent({ code: "malformed_entry", object, message }));
  }
  return read;
}

/**
 * Reads something that the crawl can do without.
 * @throws ApiFailure if everything else would fail too
 */
function orFault<T>(reading: Promise<T>): Promise<T | Fault> {
  return reading.catch((error: unknown) => errorEvent(passingFailure(error).error));
}

function isFault(read: unknown): read is Fault {
  return typeof read === "object" && read !== null && "kind" in read && read.kind === "error";
}
