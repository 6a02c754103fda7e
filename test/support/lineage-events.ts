/** OpenLineage events for tests: short ones, those of other tools, and what they state without a store. */
import { readFileSync } from "node:fs";

import type { AskSql, CrawlEvent, Kept } from "../../src/connectors/connector.ts";
import { openLineageConnector } from "../../src/connectors/openlineage/connector.ts";
import { toWorkspaceName } from "../../src/ids.ts";
import { runAtOnce } from "../../src/work/slicer.ts";
import { nodeId, toFqn } from "../../src/catalog/identity.ts";

const PRODUCER = "https://example.com/scheduler";
const SCHEMA_URL = "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent";

export type Event = Record<string, unknown>;

export interface EventDataset {
  namespace: string;
  name: string;
  facets?: Record<string, unknown>;
}

/** A UUID that ends with the number. */
export function runId(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

interface RunOf {
  /** Minutes after the start of 2026. */
  at?: number;
  state?: string;
  run?: number;
  job?: string;
  inputs?: readonly EventDataset[];
  outputs?: readonly EventDataset[];
  jobFacets?: Record<string, unknown>;
  runFacets?: Record<string, unknown>;
}

export function timeOf(minutes: number): string {
  return new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString();
}

export function runEvent(given: RunOf = {}): Event {
  const { at = 0, state = "COMPLETE", run = 1, job = "load", inputs, outputs, jobFacets, runFacets } = given;
  return {
    eventType: state,
    eventTime: timeOf(at),
    producer: PRODUCER,
    schemaURL: SCHEMA_URL,
    run: { runId: runId(run), ...(runFacets && { facets: runFacets }) },
    job: { namespace: "nightly", name: job, ...(jobFacets && { facets: jobFacets }) },
    ...(inputs && { inputs }),
    ...(outputs && { outputs }),
  };
}

export function jobEvent({ run: _run, state: _state, ...given }: RunOf): Event {
  const { eventType: _type, run: _id, ...event } = runEvent(given);
  return event;
}

export function datasetEvent(dataset: EventDataset, at = 0): Event {
  return { eventTime: timeOf(at), producer: PRODUCER, schemaURL: SCHEMA_URL, dataset };
}

export function facet(values: Record<string, unknown>): Record<string, unknown> {
  return { _producer: PRODUCER, _schemaURL: SCHEMA_URL, ...values };
}

/** The facets of a run that is a part of a larger one. Airflow numbers the runs of a mapped task. */
export function partFacets(of: number, index?: number, began?: number): Record<string, unknown> {
  const dagRun = began === undefined ? {} : { dagRun: { start_date: timeOf(began) } };
  return {
    parent: facet({ run: { runId: runId(900_000 + of) }, job: { namespace: "nightly", name: "dag" } }),
    ...(index !== undefined && { airflow: facet({ taskInstance: { map_index: index }, ...dagRun }) }),
  };
}

export function schemaFacet(...columns: string[]): Record<string, unknown> {
  return { schema: facet({ fields: columns.map((name) => ({ name, type: "text" })) }) };
}

/** A table of one PostgreSQL, by its name in the schema `shop.public`. */
export function pg(name: string, facets?: Record<string, unknown>): EventDataset {
  return { namespace: "postgres://db.example.com:5432", name: `shop.public.${name}`, ...(facets && { facets }) };
}

/** A column that feeds another one, as `columnLineage` names it. */
export function inputField(table: string, field: string, ...transformations: Record<string, unknown>[]) {
  const { namespace, name } = pg(table);
  return { namespace, name, field, ...(transformations.length > 0 && { transformations }) };
}

const CORPUS = ["event-large", "marquez-seed", "spark-column-lineage", "column-lineage-facet"] as const;

/** The events of each file, with the parts that its project omits filled in. */
export function readCorpus(): { name: string; events: Event[] }[] {
  return CORPUS.map((name) => {
    const path = new URL(`../corpus/openlineage/${name}.json`, import.meta.url);
    const text = readFileSync(path, "utf8")
      .replaceAll("{{RUN_START_TIME}}", timeOf(0))
      .replaceAll(/\{\{RUN_END_TIME_AFTER_(\d+)_MINUTES\}\}/g, (_, minutes: string) => timeOf(Number(minutes)));
    const read: Event | Event[] = JSON.parse(text);
    return { name, events: (Array.isArray(read) ? read : [read]).map(fillIn) };
  });
}

function fillIn(event: Event): Event {
  const { namespace, name } = { namespace: "SnowflakeOpenLineage", name: "TEST" };
  if ("columnLineage" in event) return runEvent({ outputs: [{ namespace, name, facets: event }] });
  const { job, run = { runId: runId(1) }, ...rest } = event;
  const named = { name: "test", ...(job as Event) };
  return { eventTime: timeOf(0), producer: PRODUCER, schemaURL: SCHEMA_URL, ...rest, job: named, run };
}

/** Later than the events of all tests. */
const LATE = new Date(timeOf(10_000_000));

interface Inbox {
  send(event: unknown): void;
  /** The statements of each scope, sorted. */
  state(): Record<string, string[]>;
  /** All statements of all scopes. */
  events(): CrawlEvent[];
  /** All assets that were stated at any time. */
  seen(): string[];
  /** The number of stored messages and notes, without the memory of subjects. */
  kept(): number;
}

/** Stores messages as the service does, and writes each subject at once. */
export function createInbox(
  given: Record<string, string> = {},
  now = new Date(timeOf(0)),
  ask: AskSql = () => null,
): Inbox {
  const options = openLineageConnector.options.parse(given);
  const { receive } = openLineageConnector;
  const messages = new Map<string, Map<string, Kept & { isNote: boolean }>>();
  const stated = new Map<string, CrawlEvent[]>();
  const seen = new Set<string>();
  const boxOf = (subject: string) => messages.get(subject) ?? new Map<string, Kept & { isNote: boolean }>();

  function put(subject: string, message: Kept & { isNote: boolean }): void {
    messages.set(subject, boxOf(subject).set(message.key, message));
  }

  function applyEvents(subject: string): void {
    const { events, needed, notes, isAsking } = runAtOnce(
      receive.stateSubject(subject, [...boxOf(subject).values()], options, now, ask),
    );
    if (!isAsking) {
      stated.set(subject, [...events]);
      for (const event of stated.get(subject) ?? []) if (event.kind === "asset") seen.add(toFqn(event.asset.ref));
    }
    for (const { key, isNote } of boxOf(subject).values()) {
      if (!isNote && needed?.has(key) === false) boxOf(subject).delete(key);
    }
    const touched: string[] = [];
    const written = new Map(notes.map((note) => [note.subject, note.body]));
    if (written.size < notes.length) throw new Error(`${subject} wrote two notes about one subject`);
    for (const other of new Set([...messages.keys(), ...written.keys()])) {
      const before = boxOf(other).get(subject);
      const after = written.get(other);
      if (before?.body === after) continue;
      if (after !== undefined) put(other, { key: subject, body: after, isNote: true });
      else if (isAsking) continue;
      else boxOf(other).delete(subject);
      if (other !== subject) touched.push(other);
    }
    touched.forEach(applyEvents);
  }

  return {
    send(event) {
      const { subject, key, body } = runAtOnce(receive.read(event, LATE));
      put(subject, { key, body, isNote: false });
      applyEvents(subject);
    },
    state: () =>
      Object.fromEntries(
        [...stated]
          .map(([subject, events]) => [subject, events.flatMap(describe).toSorted()] as const)
          .filter(([, events]) => events.length > 0)
          .toSorted(([a], [b]) => (a < b ? -1 : 1)),
      ),
    events: () => [...stated.values()].flat(),
    seen: () => [...seen].toSorted(),
    kept: () => [...messages].reduce((sum, [subject, box]) => sum + box.size - Number(box.has(subject)), 0),
  };
}

/** One line for each statement. */
function describe(event: CrawlEvent): string[] {
  if (event.kind === "asset") {
    const { ref, ...rest } = event.asset;
    return [`${ref.platform} ${ref.type} ${toFqn(ref)} ${nodeId(toWorkspaceName(""), ref)} ${JSON.stringify(rest)}`];
  }
  if (event.kind === "edge") {
    const { from, to, kind, uses = [] } = event.edge;
    const how = uses.map((use) => ` ${use.kind} ${use.transformation} [${use.expression}]`).join("");
    return [`${toFqn(from)} ${kind} ${toFqn(to)}${how}`];
  }
  return event.kind === "error" ? [`${event.error.severity} ${event.error.code}`] : [];
}

/** The edges. Names of jobs are written without their namespace. */
export function edgesOf(inbox: Inbox): string[] {
  return inbox
    .events()
    .filter((event) => event.kind === "edge")
    .flatMap(describe)
    .toSorted();
}

/** The tables that are stated, each with its columns. */
export function tablesOf(inbox: Inbox): Record<string, string[]> {
  return Object.fromEntries(
    inbox.events().flatMap((event) => {
      if (event.kind !== "asset" || event.asset.ref.type === "pipeline") return [];
      return [[toFqn(event.asset.ref), event.asset.columns.map(({ name }) => name)]];
    }),
  );
}
