/**
 * The shapes of events and facets, as the specification has them: https://openlineage.io/spec/2-0-2/OpenLineage.json and
 * https://openlineage.io/spec/facets. Whatever they do not name is dropped.
 */
import { z } from "zod";

import { isRecord } from "../shapes.ts";

/** Longer names are in no catalog. */
const MAX_NAME = 1_000;
/** Inputs and outputs of one event. */
export const MAX_DATASETS = 1_000;
/** Columns of one dataset, nested ones included. */
export const MAX_FIELDS = 10_000;
/** Pairs of a column and one that it comes from, in one event. */
export const MAX_FLOWS = 100_000;

const name = z
  .string("must be text")
  .min(1, "must not be empty")
  .max(MAX_NAME, `may have at most ${MAX_NAME} characters`);
/** Some clients write null for what they do not know. */
const text = z.string("must be text").nullish();

const datasetName = z.object({ namespace: name, name });

/** Facets are read one by one, so that one that does not fit does not refuse the event. */
const facets = z.record(z.string(), z.unknown(), "must be a JSON object").nullish();

const dataset = datasetName.extend({ facets, inputFacets: facets, outputFacets: facets });
const datasets = z
  .array(dataset, "must be a list")
  .max(MAX_DATASETS, `may have at most ${MAX_DATASETS} datasets`)
  .nullish();
const job = z.object({ namespace: name, name, facets }, "must be a JSON object");

const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const RUN_STATES = ["START", "RUNNING", "COMPLETE", "ABORT", "FAIL", "OTHER"] as const;

/** RFC 3339. A time without an offset could be that of any time zone. */
const time = z.string("must be text").transform((written, context) => {
  const isZoned = /^\d{4}-\d\d-\d\d[t ].*(?:z|[+-]\d\d:?\d\d)$/i.test(written);
  const ms = isZoned ? Date.parse(written) : Number.NaN;
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  context.addIssue({ code: "custom", message: "must be a time as RFC 3339 writes it, with its offset from UTC" });
  return z.NEVER;
});

const base = z.object({
  eventTime: time,
  producer: z.string("must be text"),
  schemaURL: z.string("must be text"),
});

export const runEvent = base.extend({
  eventType: z
    .string("must be text")
    .transform((state) => state.toUpperCase())
    .pipe(z.enum(RUN_STATES, `must be one of ${RUN_STATES.join(", ")}`))
    .nullish(),
  run: z.object(
    {
      runId: z
        .string("must be text")
        .regex(UUID, "must be a UUID")
        .transform((id) => id.toLowerCase()),
      facets,
    },
    "must be a JSON object",
  ),
  job,
  inputs: datasets,
  outputs: datasets,
});

export const jobEvent = base.extend({ job, inputs: datasets, outputs: datasets });

export const datasetEvent = base.extend({ dataset: z.object(dataset.shape, "must be a JSON object") });

export type EventDataset = z.infer<typeof dataset>;

const schemaField = z.object({
  name,
  type: text,
  description: text,
  get fields(): z.ZodOptional<z.ZodNullable<z.ZodArray<typeof schemaField>>> {
    return z.array(schemaField).max(MAX_FIELDS).nullish();
  },
});
export type SchemaField = z.infer<typeof schemaField>;

const transformation = z.object({
  type: z.string("must be text"),
  subtype: text,
  description: text,
  masking: z.boolean("must be true or false").nullish(),
});
export type Transformation = z.infer<typeof transformation>;

const transformations = z.array(transformation).nullish();
export const inputField = datasetName.extend({ field: name, transformations });

/** A dataset or a job; a job without a name is the event's own. */
export const lineageInput = z.object({
  namespace: text,
  name: text,
  type: text,
  field: text,
  transformations,
});
export type LineageInput = z.infer<typeof lineageInput>;

/** Its values are read one by one, because there may be very many. */
const anyFields = z.custom<Record<string, unknown>>(isRecord, "must be a JSON object");
const lineageFields = anyFields.nullish();
export const lineageField = z.object({ inputs: z.array(z.unknown()) });
export const columnField = z.object({
  inputFields: z.array(z.unknown()),
  transformationDescription: text,
  transformationType: text,
});
const lineageEntry = z.object({
  namespace: text,
  name: text,
  type: text,
  inputs: z.array(lineageInput).nullish(),
  fields: lineageFields,
});
export type LineageEntry = z.infer<typeof lineageEntry>;

const owners = z.object({ owners: z.array(z.object({ name: z.string("must be text"), type: text })).nullish() });
const tags = z.object({
  tags: z
    .array(
      z.object({
        key: z.string("must be text"),
        value: z.union([z.string(), z.number(), z.boolean()]).nullish(),
        field: text,
      }),
    )
    .nullish(),
});
const documentation = z.object({ description: text });

export const datasetFacets = {
  schema: z.object({ fields: z.array(schemaField).max(MAX_FIELDS).nullish() }),
  documentation,
  ownership: owners,
  tags,
  datasetType: z.object({ datasetType: z.string("must be text"), subType: text }),
  symlinks: z.object({
    identifiers: z.array(datasetName.extend({ type: z.string("must be text") })).nullish(),
  }),
  lifecycleStateChange: z.object({
    lifecycleStateChange: z.string("must be text"),
    previousIdentifier: datasetName.nullish(),
  }),
  /** The fields are read by `toColumnLineage`. */
  columnLineage: z.object({ fields: anyFields, dataset: z.array(inputField).nullish() }),
  /** The fields are read by `toExplicitLineage`. */
  lineage: z.object({ inputs: z.array(lineageInput).nullish(), fields: lineageFields }),
} as const;
export type DatasetFacetValues = { [Facet in keyof typeof datasetFacets]: z.infer<(typeof datasetFacets)[Facet]> };

export const jobFacets = {
  documentation,
  ownership: owners,
  tags,
  sql: z.object({ query: z.string("must be text") }),
  jobType: z.object({ processingType: text, integration: text, jobType: text }),
  sourceCodeLocation: z.object({ url: text }),
  /** `entries` as the specification has it; `lineage` as its drafts had it. */
  lineage: z.object({ entries: z.array(lineageEntry).nullish(), lineage: z.array(lineageEntry).nullish() }),
} as const;

const runName = z.object({ runId: z.string().max(MAX_NAME) }).nullish();
export const runFacets = {
  parent: z.object({
    job: datasetName,
    run: runName.catch(null),
    root: z.object({ job: datasetName, run: runName.catch(null) }).nullish(),
  }),
  lineage: jobFacets.lineage,
} as const;

/** The facet `storage` of a dataset. */
export const storageFacet = z.object({ storageLayer: z.string() });

/** The facet `airflow` of a task's run. */
export const airflowFacet = z.object({
  taskInstance: z.object({ map_index: z.int().min(0).nullish().catch(null) }),
  dagRun: z.object({ start_date: time.nullish() }).nullish().catch(null),
});
