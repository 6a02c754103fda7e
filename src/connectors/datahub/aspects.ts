/** The aspects that are kept, and what is kept of each. All else in them is left out when they are read. */
import { z } from "zod";

import { MAX_COLUMNS, MAX_SQL_CHARACTERS } from "../../catalog/limits.ts";
import { MOST_USERS, MOST_USES } from "../../catalog/usage.ts";
import { findUrl } from "../http/find-url.ts";
import { lenient, lenientOrNull, listOf, mapOf, type ReadValue, readingValue } from "./bounded-lists.ts";
import { typeOf } from "./urn.ts";

/** One character more stays than the catalog keeps of any text, so whatever cuts it there tells that it was longer. */
const string = z.string().transform((given) => given.slice(0, MAX_SQL_CHARACTERS + 1));

/** A text, also in the form that Avro gives to one of several types: `{ "string": "…" }`. */
const text = z.preprocess((value) => {
  const [inner, ...others] = typeof value === "object" && value !== null ? Object.values(value) : [];
  return typeof inner === "string" && others.length === 0 ? inner : value;
}, string);

const lenientText = lenient(string, "");
const lenientFlag = lenient(z.boolean(), false);
const textOrNone = lenient(text, "");
const time = lenientOrNull(z.number());

/** Pairs of columns that the lineage of one entity may state. */
export const MAX_PAIRS = 100_000;
/** Names of other entities in one list, such as what a dashboard shows. */
const MAX_NAMES = 10_000;

const properties = mapOf(string);

/** The name of another entity. */
const urn = string.refine((name) => typeOf(name) !== undefined);
const urns = listOf(urn, MAX_NAMES);
const edges = listOf(z.object({ destinationUrn: urn }), MAX_NAMES);
/** A link of another scheme could run a program. */
const link = string.refine((url) => findUrl(url) !== null);
const tags = listOf(z.object({ tag: string }));
const terms = listOf(z.object({ urn: string }));
const described = { description: lenientOrNull(string) };
const named = { customProperties: properties, description: lenientText, externalUrl: lenientText };
const labels = {
  globalTags: lenient(z.object({ tags }), { tags: [] }),
  glossaryTerms: lenient(z.object({ terms }), { terms: [] }),
};

const field = z.object({ ...labels, fieldPath: string, description: lenientText, nativeDataType: lenientText });

const editedField = z.object({ ...labels, fieldPath: string, description: lenientText });

const flow = z.object({
  upstreams: urns,
  downstreams: urns,
  transformOperation: lenientText,
});
/** An entry of `fineGrainedLineages`. */
export type Flow = z.infer<typeof flow>;

const uses = lenientOrNull(z.number().min(0).max(MOST_USES));
const inputFields = z.object({ fields: listOf(z.object({ schemaFieldUrn: string }), MAX_NAMES) });
const usage = z.object({
  timestampMillis: z.number(),
  eventGranularity: lenientOrNull(z.object({ unit: textOrNone, multiple: lenientOrNull(z.number()) })),
  totalSqlQueries: uses,
  viewsCount: uses,
  uniqueUserCount: lenientOrNull(z.number().min(0).max(MOST_USERS)),
  userCounts: listOf(z.object({ user: string }), MAX_NAMES),
});
export type Usage = z.infer<typeof usage>;

const native = { nativeType: lenientText, logic: lenientText, nativeParameters: properties };

/** By the name of the aspect, which means the same for all entities. */
export const ASPECTS = {
  status: z.object({ removed: lenientFlag }),
  dataPlatformInstance: z.object({ instance: lenientText }),
  ownership: z.object({ owners: listOf(z.object({ owner: string, type: lenientText })) }),
  globalTags: z.object({ tags }),
  glossaryTerms: z.object({ terms }),
  domains: z.object({ domains: listOf(string) }),
  deprecation: z.object({ deprecated: lenientFlag, note: lenientText, replacement: lenientText }),
  institutionalMemory: z.object({ elements: listOf(z.object({ url: link, description: lenientText })) }),
  subTypes: z.object({ typeNames: listOf(string) }),
  container: z.object({ container: string }),
  siblings: z.object({ siblings: urns }),
  containerProperties: z.object({ name: lenientText }),

  datasetProperties: z.object({ ...named, name: lenientText }),
  editableDatasetProperties: z.object(described),
  schemaMetadata: z.object({ fields: listOf(field, MAX_COLUMNS), primaryKeys: listOf(string) }),
  editableSchemaMetadata: z.object({ editableSchemaFieldInfo: listOf(editedField, MAX_COLUMNS) }),
  viewProperties: z.object({
    materialized: lenientFlag,
    viewLogic: lenientText,
    formattedViewLogic: lenientText,
    viewLanguage: lenientText,
  }),
  upstreamLineage: z.object({
    upstreams: listOf(z.object({ dataset: urn, type: lenientText }), MAX_NAMES),
    fineGrainedLineages: listOf(flow, MAX_PAIRS),
  }),
  operation: z.object({ timestampMillis: z.number(), lastUpdatedTimestamp: time }),
  datasetUsageStatistics: usage,
  chartUsageStatistics: usage,
  dashboardUsageStatistics: usage,

  chartInfo: z.object({
    ...named,
    title: lenientText,
    chartUrl: textOrNone,
    inputs: listOf(text, MAX_NAMES),
    inputEdges: edges,
  }),
  editableChartProperties: z.object(described),
  chartQuery: z.object({ rawQuery: lenientText }),
  dashboardInfo: z.object({
    ...named,
    title: lenientText,
    dashboardUrl: textOrNone,
    charts: urns,
    chartEdges: edges,
    datasets: urns,
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
    inputDatasets: urns,
    inputDatasetEdges: edges,
    outputDatasets: urns,
    outputDatasetEdges: edges,
    inputDatajobs: urns,
    inputDatajobEdges: edges,
    fineGrainedLineages: listOf(flow, MAX_PAIRS),
  }),
  dataTransformLogic: z.object({ transforms: listOf(z.object({ queryStatement: z.object({ value: string }) })) }),

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
      z.object({ ...native, dataset: string, fields: listOf(string), operator: lenientText }),
    ),
    freshnessAssertion: lenientOrNull(z.object({ entity: string })),
    volumeAssertion: lenientOrNull(z.object({ entity: string, type: lenientText })),
    sqlAssertion: lenientOrNull(z.object({ entity: string, statement: lenientText })),
    fieldAssertion: lenientOrNull(
      z.object({
        entity: string,
        fieldPath: lenientText,
        fieldValuesAssertion: lenientOrNull(z.object({ field: z.object({ path: string }), operator: lenientText })),
        fieldMetricAssertion: lenientOrNull(z.object({ field: z.object({ path: string }), metric: lenientText })),
      }),
    ),
    schemaAssertion: lenientOrNull(z.object({ entity: string })),
    customAssertion: lenientOrNull(
      z.object({
        entity: string,
        field: lenientText,
        type: lenientText,
        logic: lenientText,
        nativeParameters: properties,
      }),
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
  queryProperties: z.object({ name: lenientText, statement: z.object({ value: string }) }),
  dataHubExecutionRequestResult: z.object({
    status: lenientText,
    structuredReport: lenientOrNull(z.object({ serializedValue: string })),
  }),
  querySubjects: z.object({ subjects: listOf(z.object({ entity: string })) }),
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
  dataHubExecutionRequest: ["dataHubExecutionRequestResult"],
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

export function readingAspect(name: AspectName, given: unknown): Generator<void, ReadValue<object> | null> {
  return readingValue<object>(ASPECTS[name], given);
}
