/**
 * Where the things of DataHub are in the catalog. A name there has the platform instance as a prefix, and the environment
 * beside it. Here both are the instance, so that a table is the one that dbt, a warehouse or OpenLineage state.
 */
import type { NodeRef } from "../../catalog/identity.ts";
import { compareCodePoints, fold } from "../../catalog/text.ts";
import { createNaming } from "../airflow/naming.ts";
import { exposureRef } from "../dbt/relation-ref.ts";
import { metabaseRef } from "../metabase/refs.ts";
import type { Pause } from "../pacing.ts";
import { PLATFORMS } from "../platforms.ts";
import type { Aspects } from "./aspects.ts";
import type { Entity } from "./entity.ts";
import type { NamingOptions } from "./options.ts";
import { lastPart, parseUrn } from "./urn.ts";

/** Where an entity is. */
export interface Naming {
  /** @returns null if the entity is of no kind that is kept */
  refOf: (urn: string) => NodeRef | null;
}

/** The platforms whose instances in DataHub are the first part of their own names. */
const NAMED_BY_INSTANCE = new Set(["bigquery"]);

/** The databases of names that have one part less in DataHub than elsewhere. */
const ONLY_DATABASE = new Map([["athena", "awsdatacatalog"]]);

/** DataHub's names of platforms that have others here. */
const OTHER_NAMES = new Map([
  ["abs", "abfss"],
  ["delta-lake", "delta"],
]);

/** What the entities say about names, which also holds for entities that they only mention. */
export function* createDataHubNaming(entities: readonly Entity[], options: NamingOptions): Generator<Pause, Naming> {
  const instancesOf = yield* findInstances(entities, options);
  const own = new Map(
    entities.map(({ urn, aspects }) => [urn, lastPart(aspects.dataPlatformInstance?.instance ?? "")]),
  );
  const datasets = yield* uniteSiblings(entities);
  const dashboards = new Map(entities.map(({ urn, aspects }) => [urn, aspects.dashboardInfo]));
  const refs = new Map<string, NodeRef | null>();
  const refOf = (urn: string): NodeRef | null =>
    refs.getOrInsertComputed(urn, () => place(datasets.shownAs.get(urn) ?? urn));

  /** An exposure of dbt is in the warehouse that it reads, as the connector of dbt states it. */
  function placeExposure(urn: string): NodeRef | null {
    const { customProperties: properties = {}, datasets: read = [], datasetEdges = [] } = dashboards.get(urn) ?? {};
    const [, packageName, name] = /^exposure\.([^.]+)\.(.+)$/.exec(properties["dbt_unique_id"] ?? "") ?? [];
    if (packageName === undefined || name === undefined) return null;
    const urns = [...read, ...datasetEdges.map(({ destinationUrn }) => destinationUrn)];
    const [on] = urns.flatMap((each) => (parseUrn(each)?.type === "dataset" ? (refOf(each) ?? []) : []));
    return on ? exposureRef({ type: properties["exposure_type"] ?? "", package_name: packageName, name }, on) : null;
  }

  function place(urn: string): NodeRef | null {
    const { type = "", parts = [] } = parseUrn(urn) ?? {};
    const given = { own: own.get(urn) ?? "", instancesOf, options };
    switch (type) {
      case "dataset":
        return placeDataset(parts, { ...given, adapter: datasets.adapters.get(urn) });
      case "chart":
      case "dashboard":
        return placeExposure(urn) ?? placeReport(type, parts, given);
      case "dataFlow":
        return placeFlow(parts, null, given);
      case "dataJob":
        return placeFlow(parseUrn(parts[0] ?? "")?.parts ?? [], parts[1] ?? "", given);
      default:
        return null;
    }
  }

  return { refOf };
}

interface Given {
  /** What the entity itself says. */
  own: string;
  /** The known platform instances of a platform as DataHub names it: what each is called, by its folded name. */
  instancesOf: (platform: string) => ReadonlyMap<string, string>;
  options: NamingOptions;
}

function placeDataset(
  [platformUrn = "", name = "", environment = ""]: readonly string[],
  { adapter, ...given }: Given & { adapter: string | undefined },
): NodeRef | null {
  const platform = lastPart(platformUrn);
  if (name === "") return null;
  const { instance, rest } = split(platform, name, given);
  const toInstance = instanceIn(environment, instance, given.options);
  return { ...toRelation(adapter ?? platform, rest), instance: toInstance, type: "table" };
}

function toRelation(named: string, name: string): Pick<NodeRef, "platform" | "parts"> {
  const [platform, form] = PLATFORMS.get(named.toLowerCase()) ?? [OTHER_NAMES.get(named) ?? named, "relation"];
  if (form === "topic") return { platform, parts: [name] };
  if (form === "path") return { platform, parts: splitPath(name, platform) };
  // An unknown platform may name its datasets by paths.
  const parts = name.includes("/") ? [name] : name.split(".").filter((part) => part !== "");
  const database = ONLY_DATABASE.get(platform);
  if (database !== undefined && parts.length === 2) return { platform, parts: [database, ...parts] };
  // Unity's metastore is not a part of the names in Databricks.
  if (platform === "databricks" && parts.length === 4) return { platform, parts: parts.slice(1) };
  return { platform, parts: parts.length === 0 ? [name] : parts };
}

/** The bucket and what is in it. */
function splitPath(name: string, platform: string): string[] {
  const path = name.replace(/\/+$/, "") || "/";
  const at = path.indexOf("/");
  return platform === "file" || at < 1 ? [path] : [path.slice(0, at), path.slice(at + 1)];
}

function placeReport(
  type: "chart" | "dashboard",
  [tool = "", id = ""]: readonly string[],
  given: Given,
): NodeRef | null {
  if (tool === "" || id === "") return null;
  const { instance, rest } = split(tool, id, given);
  const placed = instanceIn(given.options.environment, instance, given.options);
  if (tool === "metabase" && /^\d{1,15}$/.test(rest)) {
    return metabaseRef(type === "chart" ? "card" : "dashboard", placed, Number(rest));
  }
  return { platform: tool, instance: placed, type: "dashboard", parts: [type, rest] };
}

function placeFlow(
  [orchestrator = "", id = "", environment = ""]: readonly string[],
  job: string | null,
  given: Given,
): NodeRef | null {
  if (orchestrator === "" || id === "" || job === "") return null;
  const { instance, rest } = split(orchestrator, id, given);
  const placed = instanceIn(environment, instance, given.options);
  if (orchestrator === "airflow") {
    const naming = createNaming({ instance: placed, openlineage_namespace: given.options.openlineage_namespace });
    return job === null ? naming.dag(rest) : naming.task(rest, job);
  }
  return { platform: orchestrator, instance: placed, type: "pipeline", parts: job === null ? [rest] : [rest, job] };
}

/** Takes the platform instance off the name. Some sources of DataHub lower the name and not the instance. */
function split(platform: string, name: string, { own, instancesOf }: Given): { instance: string; rest: string } {
  if (NAMED_BY_INSTANCE.has(platform)) return { instance: "", rest: name };
  const known = instancesOf(platform);
  const instance = known.get(fold(own)) ?? own;
  const found = (own === "" ? [...known.values()] : [instance])
    .filter((each) => fold(name.slice(0, each.length + 1)) === `${fold(each)}.` && name.length > each.length + 1)
    .toSorted((a, b) => b.length - a.length)[0];
  if (found !== undefined) return { instance: found, rest: name.slice(found.length + 1) };
  return { instance, rest: name };
}

function instanceIn(
  environment: string,
  named: string,
  { instances, instance, environment: usual }: NamingOptions,
): string {
  const own = instances.get(fold(named)) ?? (named || instance);
  const isUsual = environment === "" || fold(environment) === fold(usual);
  return isUsual ? own : [own, environment.toLowerCase()].filter((part) => part !== "").join("/");
}

/** The platform instances that the options and the entities name, by platform; the options do not say the platform. */
function* findInstances(
  entities: readonly Entity[],
  { instances }: NamingOptions,
): Generator<Pause, Given["instancesOf"]> {
  const always: ReadonlyMap<string, string> = new Map([...instances.keys()].map((name) => [name, name]));
  const found = new Map<string, Map<string, string>>();
  for (const { urn, aspects } of entities) {
    yield null;
    const { parts: [platform = "", name = ""] = [] } = parseUrn(aspects.dataPlatformInstance?.instance ?? "") ?? {};
    for (const key of name === "" ? [] : [lastPart(platform), platformOf(urn)]) {
      const known = found.getOrInsertComputed(key, () => new Map(always));
      const other = known.get(fold(name)) ?? name;
      known.set(fold(name), compareCodePoints(name, other) < 0 ? name : other);
    }
  }
  return (platform) => found.get(platform) ?? always;
}

export function platformOf(urn: string): string {
  const { type = "", parts: [first = ""] = [] } = parseUrn(urn) ?? {};
  // A job names its flow, which names the platform. A name may nest more jobs than there is stack for.
  return lastPart(type === "dataJob" ? (parseUrn(first)?.parts[0] ?? "") : first);
}

/** What dbt calls one of its relations that is no table of a warehouse. */
const EPHEMERAL = "ephemeral";

interface United {
  /** For datasets that are the same relation: the one whose name counts. */
  shownAs: ReadonlyMap<string, string>;
  /** The warehouse of dbt's relations that are not among those. */
  adapters: ReadonlyMap<string, string>;
}

/**
 * dbt and the warehouse each have a dataset for one relation. Their `siblings` say so, and otherwise the lineage between
 * them, by which DataHub's own service finds it.
 */
function* uniteSiblings(entities: readonly Entity[]): Generator<Pause, United> {
  const parents = new Map<string, string>();
  const rootOf = (urn: string): string => {
    let root = urn;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    // The next look-up is short, however long a chain of siblings is.
    for (let at = urn; at !== root;) {
      const up = parents.get(at) ?? root;
      parents.set(at, root);
      at = up;
    }
    return root;
  };
  const adapters = new Map<string, string>();
  for (const { urn, type, aspects } of entities) {
    yield null;
    if (type !== "dataset") continue;
    for (const other of [
      ...(aspects.siblings?.siblings ?? []),
      ...copiesOf(urn, aspects.upstreamLineage).map(({ dataset }) => dataset),
    ]) {
      yield null;
      const [a, b] = [rootOf(urn), rootOf(other)].toSorted(compareSiblings);
      if (a !== undefined && b !== undefined && a !== b) parents.set(b, a);
    }
    const { manifest_adapter: adapter = "", materialization = "" } = aspects.datasetProperties?.customProperties ?? {};
    if (adapter !== "" && materialization !== EPHEMERAL && platformOf(urn) === DBT) adapters.set(urn, adapter);
  }
  return { shownAs: new Map([...parents.keys()].map((urn) => [urn, rootOf(urn)])), adapters };
}

export const DBT = "dbt";

/** The type of an upstream that is the same data. */
export const COPY = "COPY";

type Lineage = NonNullable<Aspects["upstreamLineage"]>;

/** Sources of dbt are copies of their tables, and tables copies of the models that build them. */
export function copiesOf(urn: string, lineage: Lineage | undefined): Lineage["upstreams"] {
  const copied = (lineage?.upstreams ?? []).filter(
    ({ type, dataset }) => type === COPY && (platformOf(dataset) === DBT) !== (platformOf(urn) === DBT),
  );
  return copied.length === 1 ? copied : [];
}

/** First the one whose name is that of the relation. */
function compareSiblings(a: string, b: string): number {
  return rankOf(platformOf(a)) - rankOf(platformOf(b)) || compareCodePoints(a, b);
}

function rankOf(platform: string): number {
  if (platform === DBT) return 2;
  return PLATFORMS.get(platform)?.[1] === "relation" ? 0 : 1;
}
