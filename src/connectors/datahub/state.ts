/** What all rows of a source state together, as one scope. */
import type { CheckStatement } from "../../catalog/check.ts";
import type { NodeRef } from "../../catalog/identity.ts";
import type { AssetStatement } from "../../catalog/statement.ts";
import type { AspectReader, AspectRow } from "../../catalog/aspect.ts";
import { batchesOf } from "../../work/batches.ts";
import type { CrawlEvent } from "../connector.ts";
import { identityOf } from "../identity.ts";
import { type Pause, withPauses } from "../pacing.ts";
import { type AspectName, SERIES } from "./aspects.ts";
import { datasetOf, joinCheck, stateCheck } from "./checks.ts";
import { type DatasetContext, stateDataset } from "./datasets.ts";
import { type Entity, toEntities } from "./entity.ts";
import { createDirectory } from "./labels.ts";
import { Edges } from "./lineage.ts";
import { copiesOf, COPY, createDataHubNaming, DBT, type Naming, platformOf } from "./naming.ts";
import type { NamingOptions } from "./options.ts";
import { stateFlow, stateJob } from "./pipelines.ts";
import { RUN_RESULT, stateRecipeRun } from "./recipe-run.ts";
import { stateReport } from "./reports.ts";
import { aspectOf, UnkeptKinds } from "./unkept.ts";
import { USAGE_MS } from "./usage.ts";

const SCOPE = "proposals";
/** Entities that are read in full at one time. */
const PAGE = 100;
const REMOVED_AT_ONCE = 200;

/** The asset and its edges come together; the order follows from the names, not from that of the proposals. */
export async function* crawlAspects(
  reader: AspectReader,
  options: NamingOptions,
  { now, isWhole = true }: { now: Date; /** Whether everything could be read. */ isWhole?: boolean },
): AsyncGenerator<CrawlEvent> {
  yield { kind: "begin", scope: SCOPE };
  yield* withPauses(stateAspects(reader, options, now));
  yield { kind: "end", scope: SCOPE, complete: isWhole };
}

/** Reads all entities twice: first only what names and joins them, then each in full. So few are in memory in full. */
async function* stateAspects(
  reader: AspectReader,
  options: NamingOptions,
  now: Date,
): AsyncGenerator<CrawlEvent | Pause> {
  const all: Entity[] = [];
  const unkept = new UnkeptKinds();
  function* read(rows: readonly AspectRow[], isWanted?: (row: AspectRow) => boolean): Generator<Entity | Pause> {
    for (const entity of toEntities(rows, isWanted)) {
      for (const { aspect, why } of entity?.left ?? []) {
        const { urn = "", type = "" } = entity ?? {};
        unkept.add({ urn, entity: type, aspect, unkept: why });
      }
      yield entity;
    }
  }
  let lastRun: AspectRow | null = null;
  for await (const rows of reader.pages([...OUTLINE, RUN_RESULT])) {
    const runs: AspectRow[] = [...(lastRun === null ? [] : [lastRun]), ...rows.filter(isRun)].toSorted(
      (a, b) => b.at - a.at,
    );
    lastRun = runs[0] ?? null;
    const old = [...findOld(rows, now), ...runs.slice(1)];
    for (const batch of batchesOf(old, REMOVED_AT_ONCE, () => 1)) {
      await reader.remove(batch);
      yield null;
    }
    const gone = new Set(old);
    for (const row of rows) if (!gone.has(row)) unkept.add(row);
    for (const entity of read(rows, isOutline)) {
      if (entity !== null) all.push(toOutline(entity));
      yield null;
    }
  }
  const naming = yield* createDataHubNaming(all, options);
  const entities = all.filter(({ aspects }) => aspects.status?.removed !== true);
  const edges = new Edges(naming);
  const context = { directory: createDirectory(all), edges, now, naming };
  const queries = yield* findQueries(entities);
  /** The entities that are one node. */
  const groups = new Map<string, { ref: NodeRef; urns: string[] }>();
  for (const { urn } of entities) {
    const ref = naming.refOf(urn);
    if (ref !== null) groups.getOrInsertComputed(identityOf(ref), () => ({ ref, urns: [] })).urns.push(urn);
    yield null;
  }
  const datasets = new Set<string>();
  for (const batch of batchesOf([...groups], PAGE, ([, { urns }]) => urns.length)) {
    const urns = batch.flatMap(([, group]) => group.urns);
    const asked = urns.flatMap((urn) => queries.get(urn) ?? []);
    const rows = await reader.load([...new Set([...urns, ...asked])]);
    const found = new Map<string, Entity>();
    for (const entity of read(rows)) {
      if (entity !== null) found.set(entity.urn, entity);
      yield null;
    }
    const textsOf = (urn: string): string[] => (queries.get(urn) ?? []).flatMap((each) => textOf(found.get(each)));
    for (const [key, { ref, urns: own }] of batch) {
      const members = own.flatMap((urn) => found.get(urn) ?? []);
      if (members[0]?.type === "dataset") datasets.add(key);
      const asset = yield* stateGroup(ref, members, { ...context, textsOf });
      yield asset === null ? null : { kind: "asset", asset };
    }
  }
  yield* edges.events();
  /** Tests of dbt by its ids. Each dataset that a test needs has an assertion of its own. */
  const tests = new Map<string, CheckStatement>();
  const checked = entities.filter(({ type }) => type === "assertion").map(({ urn }) => urn);
  for (const batch of batchesOf(checked, PAGE, () => 1)) {
    for (const entity of read(await reader.load(batch))) {
      yield null;
      if (entity === null) continue;
      const { assertionInfo: info } = entity.aspects;
      const ref = naming.refOf(datasetOf(entity) ?? "");
      if (info === undefined || ref === null || !datasets.has(identityOf(ref))) continue;
      const check = stateCheck(entity, ref, info);
      const same = tests.get(check.object);
      if (same !== undefined) joinCheck(same, check, info);
      else if (check.object === entity.urn) yield { kind: "check", check };
      else tests.set(check.object, check);
    }
  }
  for (const check of tests.values()) yield { kind: "check", check };
  yield* stateRecipeRun(lastRun);
  yield* unkept.events();
}

function isRun({ aspect, unkept }: AspectRow): boolean {
  return aspect === RUN_RESULT && unkept === "";
}

/** What names and joins entities. */
const OUTLINE: ReadonlySet<string> = new Set<AspectName>([
  "status",
  "dataPlatformInstance",
  "siblings",
  "container",
  "containerProperties",
  "corpUserInfo",
  "corpUserEditableInfo",
  "corpGroupInfo",
  "tagProperties",
  "glossaryTermInfo",
  "domainProperties",
  "querySubjects",
  "datasetProperties",
  "upstreamLineage",
  "dashboardInfo",
]);

/**
 * Of datasets, which have much more, only what says that two of them are one relation. Of dashboards, what dbt calls
 * exposures.
 */
function isOutline({ urn, aspect, body }: AspectRow): boolean {
  if (aspect === "datasetProperties" || aspect === "dashboardInfo") return platformOf(urn) === DBT;
  if (aspect === "upstreamLineage") return body?.includes(COPY) === true;
  return OUTLINE.has(aspect);
}

/** Leaves out what is large. */
function toOutline({ aspects: { upstreamLineage, ...aspects }, ...entity }: Entity): Entity {
  const upstreams = copiesOf(entity.urn, upstreamLineage);
  return upstreams.length === 0
    ? { ...entity, aspects }
    : { ...entity, aspects: { ...aspects, upstreamLineage: { upstreams, fineGrainedLineages: [] } } };
}

function* stateGroup(
  ref: NodeRef,
  members: readonly Entity[],
  context: DatasetContext & { naming: Naming },
): Generator<Pause, AssetStatement | null> {
  const [first] = members;
  switch (first?.type) {
    case "dataset":
      return yield* stateDataset(ref, members, context);
    case "chart":
    case "dashboard":
      return yield* stateReport(ref, first, context);
    case "dataFlow":
      return stateFlow(ref, first, context);
    case "dataJob":
      return yield* stateJob(ref, first, context);
    default:
      return null;
  }
}

/** Queries of one dataset that are kept, and characters of each. */
const MAX_QUERIES = 20;
const MAX_QUERY_CHARACTERS = 10_000;

/** The urns of the queries about each dataset. Those that define views are left out, because the views have them. */
function* findQueries(entities: readonly Entity[]): Generator<Pause, Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { urn, aspects } of entities) {
    if (urn.startsWith("urn:li:query:view_")) continue;
    for (const { entity } of aspects.querySubjects?.subjects ?? []) {
      yield null;
      const queries = found.get(entity) ?? [];
      if (entity.startsWith("urn:li:dataset:") && queries.length < MAX_QUERIES) found.set(entity, [...queries, urn]);
    }
  }
  return found;
}

function textOf(query: Entity | undefined): string[] {
  const text = query?.aspects.queryProperties?.statement.value.slice(0, MAX_QUERY_CHARACTERS) ?? "";
  return text === "" ? [] : [text];
}

/** Usage that is too old, though the newest stays, because it says that there is such an entity; and faults that were mended. */
function findOld(rows: readonly AspectRow[], now: Date): AspectRow[] {
  const before = now.getTime() - USAGE_MS;
  const newest = new Map<string, number>();
  for (const row of rows) {
    if (row.unkept !== "" || isOfSeries(row) !== SERIES.has(row.aspect)) continue;
    newest.set(aspectOf(row), Math.max(row.at, newest.get(aspectOf(row)) ?? row.at));
  }
  return rows.filter((row) => {
    const isLatest = row.at >= (newest.get(aspectOf(row)) ?? row.at);
    return !isLatest && (["malformed", "cut"].includes(row.unkept) || (isOfSeries(row) && row.at < before));
  });
}

function isOfSeries({ aspect, part }: AspectRow): boolean {
  return part !== "" && SERIES.has(aspect);
}
