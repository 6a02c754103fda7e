import { expect, test } from "vitest";

import { readHeads } from "../../../../src/connectors/openlineage/bodies.ts";
import { readEvent as readEventAt } from "../../../../src/connectors/openlineage/read-event.ts";
import { runAtOnce } from "../../../../src/work/slicer.ts";
import { AppError } from "../../../../src/errors.ts";
import {
  datasetEvent,
  type Event,
  facet,
  jobEvent,
  pg,
  readCorpus,
  runEvent,
  schemaFacet,
  timeOf,
} from "../../../support/lineage-events.ts";
import { present } from "../../../support/present.ts";

const readEvent = (event: unknown) => runAtOnce(readEventAt(event, new Date(timeOf(0))));

/** The fields at fault. */
function faultsOf(event: unknown): string[] {
  try {
    readEvent(event);
  } catch (error) {
    if (error instanceof AppError && Array.isArray(error.details)) {
      return error.details.map(({ field, message }: { field: string; message: string }) => `${field} ${message}`);
    }
    throw error;
  }
  return [];
}

function contentOf(event: unknown) {
  const [message] = readHeads([readEvent(event)]);
  return runAtOnce(present(message).readContent());
}

function ignoredOf(event: Event): string[] {
  return contentOf(event).ignored;
}

test.each(readCorpus())("readEvent accepts every event of $name", ({ events }) => {
  for (const event of events) expect(ignoredOf(event)).toEqual([]);
});

test("readEvent returns the subject of each kind of event", () => {
  expect(readEvent(runEvent()).subject).toBe("job:nightly\nload");
  expect(readEvent(jobEvent({})).subject).toBe("job:nightly\nload");
  expect(readEvent(datasetEvent(pg("t"))).subject).toBe("said:postgres://db.example.com:5432\nshop.public.t");
});

test("An event that is sent again has the same key, whatever facets it has that are not kept", () => {
  const outputs = [pg("t", schemaFacet("a"))];
  const { key } = readEvent(runEvent({ outputs }));
  expect(readEvent(runEvent({ outputs, runFacets: { environment: facet({ a: 1 }) } })).key).toBe(key);
  expect(readEvent(runEvent({ outputs, at: 1 })).key).not.toBe(key);
});

test("readEvent keeps nothing of unknown facets", () => {
  const plan = facet({ plan: "x".repeat(100_000) });
  expect(readEvent(runEvent({ runFacets: { "spark.logicalPlan": plan } })).body.length).toBeLessThan(1_000);
});

test.each([
  ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000Z"],
  ["2026-01-01T02:00:00.123456+02:00", "2026-01-01T00:00:00.123Z"],
])("readEvent reads the time %s", (eventTime, at) => {
  expect(readHeads([readEvent({ ...runEvent(), eventTime })])[0]?.head.at).toBe(at);
});

const NO_TIME = "eventTime must be a time as RFC 3339 writes it, with its offset from UTC";

test.each([
  [null, ["body must be a JSON object: a RunEvent, a JobEvent or a DatasetEvent"]],
  [[], ["body must be a JSON object: a RunEvent, a JobEvent or a DatasetEvent"]],
  ["text", ["body must be a JSON object: a RunEvent, a JobEvent or a DatasetEvent"]],
  [
    {},
    ["eventTime is required", "producer is required", "schemaURL is required", "run is required", "job is required"],
  ],
  [{ ...runEvent(), eventTime: "yesterday" }, [NO_TIME]],
  [{ ...runEvent(), eventTime: "2026-01-01T00:00:00" }, [NO_TIME]],
  [{ ...runEvent(), eventTime: "2026-01-01" }, [NO_TIME]],
  [{ ...runEvent(), eventTime: "2026-01-01T00:00:00 Europe/Berlin" }, [NO_TIME]],
  [{ ...runEvent(), eventTime: 1 }, ["eventTime must be text"]],
  [{ ...runEvent(), eventType: "DONE" }, ["eventType must be one of START, RUNNING, COMPLETE, ABORT, FAIL, OTHER"]],
  [{ ...runEvent(), run: { runId: "1" } }, ["run.runId must be a UUID"]],
  [{ ...runEvent(), job: { namespace: "", name: "x" } }, ["job.namespace must not be empty"]],
  [{ ...runEvent(), inputs: {} }, ["inputs must be a list"]],
  [{ ...runEvent(), inputs: [{ namespace: "a" }] }, ["inputs.0.name is required"]],
  [{ ...runEvent(), job: { namespace: "a", name: "b", facets: [] } }, ["job.facets must be a JSON object"]],
  [{ ...jobEvent({}), job: undefined, dataset: { name: "t" } }, ["dataset.namespace is required"]],
  [
    { ...runEvent(), outputs: Array.from({ length: 1_001 }, () => pg("t")) },
    ["outputs may have at most 1000 datasets"],
  ],
])("readEvent names every fault of event %#", (event, faults) => {
  const given =
    event !== null && typeof event === "object" && "dataset" in event ? datasetEvent(event.dataset as never) : event;
  expect(faultsOf(given)).toEqual(faults);
});

test("An event more than a day in the future is refused, because it would decide until then", () => {
  const day = 24 * 60;
  const fault = "eventTime must be at most one day ahead of the service's clock, which says 2026-01-01T00:00:00.000Z";
  expect(faultsOf(runEvent({ at: day }))).toEqual([]);
  expect(faultsOf(runEvent({ at: day + 1 }))).toEqual([fault]);
  expect(faultsOf(jobEvent({ at: day + 1 }))).toEqual([fault]);
  expect(faultsOf(datasetEvent(pg("t"), day + 1))).toEqual([fault]);
});

test("An event may have a lower-case state, no state, and null for unknown values", () => {
  expect(faultsOf({ ...runEvent(), eventType: "complete" })).toEqual([]);
  expect(faultsOf({ ...runEvent(), eventType: null, inputs: null })).toEqual([]);
  expect(faultsOf(runEvent({ outputs: [pg("t", { schema: facet({ fields: null }) })] }))).toEqual([]);
});

test("A facet that does not fit is left out, and is named", () => {
  const outputs = [pg("t", { ...schemaFacet("a"), ownership: facet({ owners: [{ name: 1 }] }) })];
  expect(ignoredOf(runEvent({ outputs }))).toEqual(["outputs.0.facets.ownership.owners.0.name: must be text"]);
  expect(Object.keys(present(contentOf(runEvent({ outputs })).outputs[0]).facts)).toEqual(["columns"]);
});

test("Nested fields are read as paths, up to a limited depth", () => {
  const fields = [{ name: "address", type: "struct", fields: [{ name: "city", type: "text" }] }];
  const nested = contentOf(runEvent({ outputs: [pg("t", { schema: facet({ fields }) })] }));
  const columns = nested.outputs[0]?.facts.columns?.value ?? [];
  expect(columns.map(({ name }) => name)).toEqual(["address", "address.city"]);
  let deep: Record<string, unknown> = { name: "leaf" };
  for (let level = 0; level < 20_000; level++) deep = { name: "n", fields: [deep] };
  const event = runEvent({ outputs: [pg("t", { schema: facet({ fields: [deep] }) })] });
  expect(ignoredOf(event)).toEqual(["outputs.0.facets.schema: is nested too deep"]);
});

test("An event with too much lineage is refused", () => {
  const inputFields = Array.from({ length: 100_001 }, (_, i) => ({ namespace: "a", name: "b", field: `c${i}` }));
  const outputs = [pg("t", { columnLineage: facet({ fields: { x: { inputFields } } }) })];
  expect(faultsOf(runEvent({ outputs }))).toEqual([
    "outputs may have at most 100000 pairs of columns in their lineage",
  ]);
});

const withFields = (fields: Record<string, unknown>) =>
  runEvent({ outputs: [pg("t", { columnLineage: facet({ fields }) })] });

test("Pairs of columns are read one by one, so that other work can run between them, and one that does not fit is named", () => {
  const inputFields = Array.from({ length: 500 }, (_, at) => ({ ...pg("s"), field: `c${at}` }));
  const event = withFields({ a: { inputFields }, b: { inputFields } });
  expect([...readEventAt(event, new Date(timeOf(0)))].length).toBeGreaterThan(1_000);
  expect(ignoredOf(withFields({ a: { inputFields: [...inputFields, { ...pg("s"), field: 7 }] } }))).toEqual([
    "outputs.0.facets.columnLineage.fields.a.inputFields.500.field: must be text",
  ]);
});
