/** The aspects that are kept, and what is kept of each. All else in them is left out when they are read. */
import { z } from "zod";

import { lenient, lenientFlag, lenientOrNull, lenientText } from "../shapes.ts";

/** A text, also in the form that Avro gives to one of several types: `{ "string": "…" }`. */
const text = z.preprocess((value) => {
  const [inner, ...others] = typeof value === "object" && value !== null ? Object.values(value) : [];
  return typeof inner === "string" && others.length === 0 ? inner : value;
}, z.string());

const textOrNone = lenient(text, "");
const time = lenientOrNull(z.number());

/** A list without the entries of another form. */
function listOf<T>(item: z.ZodType<T>) {
  return lenient(z.array(z.unknown()), []).transform((items) =>
    items.flatMap((each): T[] => {
      const { success, data } = item.safeParse(each);
      return success ? [data] : [];
    }),
  );
}

const properties = lenient(z.record(z.string(), z.unknown()), {}).transform((all): Record<string, string> =>
  Object.fromEntries(Object.entries(all).flatMap(([key, value]) => (typeof value === "string" ? [[key, value]] : []))),
);

const edges = listOf(z.object({ destinationUrn: z.string() }));
const tags = listOf(z.object({ tag: z.string() }));
const terms = listOf(z.object({ urn: z.string() }));
const described = { description: lenientOrNull(z.string()) };
const named = { customProperties: properties, description: lenientText, externalUrl: lenientText };
const labels = {
  globalTags: lenient(z.object({ tags }), { tags: [] }),
  glossaryTerms: lenient(z.object({ terms }), { terms: [] }),
};

const field = z.object({ ...labels, fieldPath: z.string(), description: lenientText, nativeDataType: lenientText });

const editedField = z.object({ ...labels, fieldPath: z.string(), description: lenientText });

const flow = z.object({
  upstreams: listOf(z.string()),
  downstreams: listOf(z.string()),
  transformOperation: lenientText,
});
/** An entry of `fineGrainedLineages`. */
export type Flow = z.infer<typeof flow>;

const inputFields = z.object({ fields: listOf(z.object({ schemaFieldUrn: z.string() })) });
const usage = z.object({
  timestampMillis: z.number(),
  eventGranularity: lenientOrNull(z.object({ unit: textOrNone, multiple: lenientOrNull(z.number()) })),
  totalSqlQueries: lenientOrNull(z.number()),
  viewsCount: lenientOrNull(z.number()),
  uniqueUserCount: lenientOrNull(z.number()),
  userCounts: listOf(z.object({ user: z.string() })),
});
export type Usage = z.infer<typeof usage>;

const native = { nativeType: lenientText, logic: lenientText };

/** By the name of the aspect, which means the same for all entities. */
export const ASPECTS = {
  status: z.object({ removed: lenientFlag }),
  dataPlatformInstance: z.object({ instance: lenientText }),
  ownership: z.object({ owners: listOf(z.object({ owner: z.string(), type: lenientText })) }),
  globalTags: z.object({ tags }),
  glossaryTerms: z.object({ terms }),
  domains: z.object({ domains: listOf(z.string()) }),
  deprecation: z.object({ deprecated: lenientFlag, note: lenientText, replacement: lenientText }),
  institutionalMemory: z.object({ elements: listOf(z.object({ url: z.string(), description: lenientText })) }),
  subTypes: z.object({ typeNames: listOf(z.string()) }),
  container: z.object({ container: z.string() }),
  siblings: z.object({ siblings: listOf(z.string()) }),
  containerProperties: z.object({ name: lenientText }),

  datasetProperties: z.object({ ...named, name: lenientText }),
  editableDatasetProperties: z.object(described),
  schemaMetadata: z.object({ fields: listOf(field), primaryKeys: listOf(z.string()) }),
  editableSchemaMetadata: z.object({ editableSchemaFieldInfo: listOf(editedField) }),
  viewProperties: z.object({
    materialized: lenientFlag,
    viewLogic: lenientText,
    formattedViewLogic: lenientText,
    viewLanguage: lenientText,
  }),
  upstreamLineage: z.object({
    upstreams: listOf(z.object({ dataset: z.string(), type: lenientText })),
    fineGrainedLineages: listOf(flow),
  }),
  operation: z.object({ timestampMillis: z.number(), lastUpdatedTimestamp: time }),
  datasetUsageStatistics: usage,
  chartUsageStatistics: usage,
  dashboardUsageStatistics: usage,

  chartInfo: z.object({ ...named, title: lenientText, chartUrl: textOrNone, inputs: listOf(text), inputEdges: edges }),
  editableChartProperties: z.object(described),
  chartQuery: z.object({ rawQuery: lenientText }),
  dashboardInfo: z.object({
    ...named,
    title: lenientText,
    dashboardUrl: textOrNone,
    charts: listOf(z.string()),
    chartEdges: edges,
    datasets: listOf(z.string()),
    datasetEdges: edges,
    dashboards: edges,
  }),
  editableDashboardProperties: z.object(described),
  inputFields,

  dataFlowInfo: z.object({ ...named, name: lenientText }),
  editableDataFlowProperties: z.object(described),
  dataJobInfo: z.object({ ...named, name: lenientText, type: textOrNone }),
  editableDataJobProperties: z.object(described),
  dataJobInputOutput: z.object({
    inputDatasets: listOf(z.string()),
    inputDatasetEdges: edges,
    outputDatasets: listOf(z.string()),
    outputDatasetEdges: edges,
    inputDatajobs: listOf(z.string()),
    inputDatajobEdges: edges,
    fineGrainedLineages: listOf(flow),
  }),
  dataTransformLogic: z.object({ transforms: listOf(z.object({ queryStatement: z.object({ value: z.string() }) })) }),

  corpUserInfo: z.object({ displayName: textOrNone, fullName: textOrNone, email: textOrNone }),
  corpUserEditableInfo: z.object({ displayName: textOrNone, email: textOrNone }),
  corpGroupInfo: z.object({ displayName: textOrNone, email: textOrNone }),
  tagProperties: z.object({ name: lenientText }),
  glossaryTermInfo: z.object({ name: lenientText }),
  domainProperties: z.object({ name: lenientText }),

  assertionInfo: z.object({
    customProperties: properties,
    type: lenientText,
    description: lenientText,
    datasetAssertion: lenientOrNull(
      z.object({ ...native, dataset: z.string(), fields: listOf(z.string()), operator: lenientText }),
    ),
    freshnessAssertion: lenientOrNull(z.object({ entity: z.string() })),
    volumeAssertion: lenientOrNull(z.object({ entity: z.string() })),
    sqlAssertion: lenientOrNull(z.object({ entity: z.string(), statement: lenientText })),
    fieldAssertion: lenientOrNull(z.object({ entity: z.string() })),
    schemaAssertion: lenientOrNull(z.object({ entity: z.string() })),
    customAssertion: lenientOrNull(
      z.object({ entity: z.string(), field: lenientText, type: lenientText, logic: lenientText }),
    ),
  }),
  assertionRunEvent: z.object({
    timestampMillis: z.number(),
    status: lenientText,
    asserteeUrn: lenientText,
    result: lenientOrNull(
      z.object({
        type: lenientText,
        unexpectedCount: lenientOrNull(z.number()),
        nativeResults: properties,
      }),
    ),
  }),
  queryProperties: z.object({ name: lenientText, statement: z.object({ value: z.string() }) }),
  querySubjects: z.object({ subjects: listOf(z.object({ entity: z.string() })) }),
};

export type AspectName = keyof typeof ASPECTS;
export type Aspects = { [Name in AspectName]?: z.infer<(typeof ASPECTS)[Name]> };

/** Aspects of what becomes an asset. */
const OF_ASSETS = [
  "status",
  "dataPlatformInstance",
  "ownership",
  "globalTags",
  "glossaryTerms",
  "domains",
  "deprecation",
  "institutionalMemory",
  "subTypes",
  "container",
] as const;

/** The aspects of each entity that are kept. */
export const KEPT: Readonly<Record<string, readonly AspectName[]>> = {
  dataset: [
    ...OF_ASSETS,
    "siblings",
    "datasetProperties",
    "editableDatasetProperties",
    "schemaMetadata",
    "editableSchemaMetadata",
    "viewProperties",
    "upstreamLineage",
    "operation",
    "datasetUsageStatistics",
  ],
  chart: [...OF_ASSETS, "chartInfo", "editableChartProperties", "chartQuery", "inputFields", "chartUsageStatistics"],
  dashboard: [...OF_ASSETS, "dashboardInfo", "editableDashboardProperties", "inputFields", "dashboardUsageStatistics"],
  dataFlow: [...OF_ASSETS, "dataFlowInfo", "editableDataFlowProperties"],
  dataJob: [...OF_ASSETS, "dataJobInfo", "editableDataJobProperties", "dataJobInputOutput", "dataTransformLogic"],
  container: ["status", "dataPlatformInstance", "container", "containerProperties"],
  corpuser: ["status", "corpUserInfo", "corpUserEditableInfo"],
  corpGroup: ["status", "corpGroupInfo"],
  tag: ["status", "tagProperties"],
  glossaryTerm: ["status", "glossaryTermInfo"],
  domain: ["status", "domainProperties"],
  assertion: ["status", "assertionInfo", "assertionRunEvent"],
  query: ["status", "queryProperties", "querySubjects"],
};

/** Aspects that say nothing but the urn, which is known anyway. */
export function isKey(aspect: string): boolean {
  return aspect.endsWith("Key");
}

/** Of these, each proposal tells of another time. */
export const SERIES: ReadonlySet<string> = new Set<AspectName>([
  "datasetUsageStatistics",
  "chartUsageStatistics",
  "dashboardUsageStatistics",
]);

/** Entries of a list that are read at one time, in some milliseconds. */
const CHUNK = 500;

/** Reads a value in the shape of its aspect, and long lists by parts, between which it yields. Null: it has another shape. */
export function* readingAspect(name: AspectName, value: unknown): Generator<void, object | null> {
  const shape = ASPECTS[name];
  const given = new Map<string, unknown>(Object.entries(Object(value)));
  const lists = [...given].flatMap(([key, list]): [string, unknown[]][] =>
    Array.isArray(list) && list.length > CHUNK ? [[key, list]] : [],
  );
  if (lists.length === 0) return shape.safeParse(value).data ?? null;
  for (const [key] of lists) given.set(key, []);
  const read = (more: object): Record<string, unknown> | null =>
    shape.safeParse({ ...Object.fromEntries(given), ...more }).data ?? null;
  const whole = read({});
  for (const [key, list] of whole === null ? [] : lists) {
    const items: unknown[] = [];
    for (let from = 0; from < list.length; from += CHUNK) {
      yield;
      const part = read({ [key]: list.slice(from, from + CHUNK) })?.[key];
      if (Array.isArray(part)) items.push(...part);
    }
    if (whole !== null && Array.isArray(whole[key])) whole[key] = items;
  }
  return whole;
}
