/** What all rows of a source state together, as one scope. */
import type { NodeRef } from "../../catalog/identity.ts";
import type { AssetStatement } from "../../catalog/statement.ts";
import { MAX_UNKEPT_KINDS, type Unkept } from "../../catalog/crawl.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { AspectReader, AspectRow } from "../../catalog/aspect.ts";
import { batchesOf } from "../../work/batches.ts";
import type { CrawlEvent } from "../connector.ts";
import { type Pause, withPauses } from "../dbt/pacing.ts";
import { warningEvent } from "../faults.ts";
import { type AspectName, SERIES } from "./aspects.ts";
import { datasetOf, stateCheck } from "./checks.ts";
import { type DatasetContext, stateDataset } from "./datasets.ts";
import { type Entity, toEntities } from "./entity.ts";
import { createDirectory } from "./labels.ts";
import { Edges, keyOf } from "./lineage.ts";
import { copiesOf, COPY, createDataHubNaming, DBT, type Naming, platformOf } from "./naming.ts";
import type { NamingOptions } from "./options.ts";
import { stateFlow, stateJob } from "./pipelines.ts";
import { stateReport } from "./reports.ts";
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
  const unkept = new Map<string, Unkept>();
  for await (const rows of reader.pages()) {
    const old = findOld(rows, now);
    for (const batch of batchesOf(old, REMOVED_AT_ONCE, () => 1)) {
      await reader.remove(batch);
      yield null;
    }
    const gone = new Set(old);
    for (const row of rows) if (row.unkept !== "" && !gone.has(row)) addUnkept(unkept, row);
    for (const entity of toEntities(rows, isOutline)) {
      if (entity !== null) all.push(toOutline(entity));
      yield null;
    }
  }
  const naming = yield* createDataHubNaming(all, options);
  const entities = all.filter(({ aspects }) => aspects.status?.removed !== true);
  const edges = new Edges(naming);
  const context = { directory: createDirectory(all), edges, now, naming };
  const queries = findQueries(entities);
  const groups = new Map<string, Group>();
  for (const entity of entities) {
    addToGroup(groups, entity, naming);
    yield null;
  }
  const datasets = new Set<string>();
  const sorted = [...groups].toSorted(([a], [b]) => compareCodePoints(a, b));
  for (const batch of batchesOf(sorted, PAGE, ([, { urns }]) => urns.length)) {
    const urns = batch.flatMap(([, group]) => group.urns);
    const asked = urns.flatMap((urn) => queries.get(urn) ?? []);
    const rows = await reader.load([...new Set([...urns, ...asked])]);
    const found = new Map<string, Entity>();
    for (const entity of toEntities(rows)) {
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
  const checked = entities.filter(({ type }) => type === "assertion").map(({ urn }) => urn);
  for (const batch of batchesOf(checked, PAGE, () => 1)) {
    for (const entity of toEntities(await reader.load(batch))) {
      yield null;
      if (entity === null) continue;
      const { assertionInfo: info } = entity.aspects;
      const ref = naming.refOf(datasetOf(entity) ?? "");
      if (info === undefined || ref === null || !datasets.has(keyOf(ref))) continue;
      yield { kind: "check", check: stateCheck(entity, ref, info) };
    }
  }
  yield* tellUnkept(unkept.values());
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
]);

/** Of datasets, which have much more, only what says that two of them are one relation. */
function isOutline({ urn, aspect, body }: AspectRow): boolean {
  if (aspect === "datasetProperties") return platformOf(urn) === DBT;
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

/** The entities that are one node. */
interface Group {
  ref: NodeRef;
  urns: string[];
}

function addToGroup(groups: Map<string, Group>, { urn }: Entity, naming: Naming): void {
  const ref = naming.refOf(urn);
  if (ref === null) return;
  const key = keyOf(ref);
  const known = groups.get(key);
  if (known === undefined) groups.set(key, { ref, urns: [urn] });
  else known.urns.push(urn);
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
function findQueries(entities: readonly Entity[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { urn, aspects } of entities) {
    if (urn.startsWith("urn:li:query:view_")) continue;
    for (const { entity } of aspects.querySubjects?.subjects ?? []) {
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
    return !isLatest && (row.unkept === "malformed" || (isOfSeries(row) && row.at < before));
  });
}

function isOfSeries({ aspect, part }: AspectRow): boolean {
  return part !== "" && SERIES.has(aspect);
}

function aspectOf({ urn, aspect }: AspectRow): string {
  return `${urn} ${aspect}`;
}

/** Adds a row to the kind that it is of. */
function addUnkept(all: Map<string, Unkept>, { entity, aspect, unkept: why, urn: example }: AspectRow): void {
  if (why === "") return;
  const key = JSON.stringify([why, entity, aspect]);
  all.getOrInsertComputed(key, () => ({ entity, aspect, why, count: 0, example })).count += 1;
}

/** Nothing is dropped without a word: each kind is listed and told as a warning. Kinds beyond the limit are one together. */
function* tellUnkept(all: Iterable<Unkept>): Generator<CrawlEvent> {
  const kinds = [...all].toSorted((a, b) => b.count - a.count || compareCodePoints(whatOf(a), whatOf(b)));
  const [listed, others] = [kinds.slice(0, MAX_UNKEPT_KINDS - 1), kinds.slice(MAX_UNKEPT_KINDS - 1)];
  for (const kind of kinds) yield toWarning(kind);
  for (const unkept of listed) yield { kind: "unkept", unkept };
  const [first] = others;
  if (first === undefined) return;
  const count = others.reduce((sum, other) => sum + other.count, 0);
  const rest = others.length === 1 ? first : { ...first, entity: "", aspect: "", count };
  yield { kind: "unkept", unkept: rest };
}

function whatOf({ entity, aspect, why }: Unkept): string {
  return `${entity} ${aspect} ${why}`;
}

function toWarning({ entity, aspect, why, count, example }: Unkept): CrawlEvent {
  const object = `${entity} ${aspect}`.trim();
  const what = `${count === 1 ? "1 proposal" : `${count} proposals`} about ${object}`;
  if (why === "unknown") {
    const message = `${what} came and ${count === 1 ? "is" : "are"} not kept, such as that of ${example}.`;
    return warningEvent({ code: "not_kept", message, object, stage: "parse" });
  }
  const message = `${what} could not be read, such as that of ${example}.`;
  return warningEvent({ code: "malformed_proposal", message, object, stage: "parse" });
}
