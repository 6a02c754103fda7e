/** States assets, and which DAGs and tasks read and write them. */
import { type NodeRef, toFqn } from "../../catalog/identity.ts";
import type { EdgeKind } from "../../catalog/edge.ts";
import { compareCodePoints } from "../../catalog/text.ts";
import type { CrawlEvent } from "../connector.ts";
import { identityOf } from "../identity.ts";
import { withoutEmpty } from "../shapes.ts";
import { OWN_PLATFORM, toAssetRef, withoutSecrets } from "./asset-uri.ts";
import type { Naming, PageUrls } from "./naming.ts";
import type { AirflowAsset } from "./shapes.ts";

/** Meta names at most this many assets of Airflow that are one relation. */
const MOST_LISTED = 20;

export interface AssetContext {
  naming: Naming;
  pages: PageUrls;
  instance: string;
  /** The tasks of each DAG that is stated; null if they could not be read in full. */
  tasks: ReadonlyMap<string, ReadonlySet<string> | null>;
}

/**
 * A relation is stated if one of the DAGs reads or writes it, or a task wrote it by an alias. Several assets may be one
 * relation, such as a table that two names of one host lead to.
 */
export function* stateAssets(assets: readonly AirflowAsset[], context: AssetContext): Generator<CrawlEvent> {
  const datasetRefs = assets.map((asset) => ({ asset, ref: toAssetRef(asset.uri, context.instance) }));
  for (const group of Map.groupBy(datasetRefs, ({ ref }) => identityOf(ref)).values()) {
    const [first] = group;
    if (first === undefined) continue;
    const members = group.map(({ asset }) => asset);
    const edges = toEdges(first.ref, members, context);
    if (edges.length === 0 && members.every(({ aliases }) => aliases.length === 0)) continue;
    yield { kind: "asset", asset: toStatement(first.ref, members, context) };
    yield* edges;
  }
}

function toStatement(ref: NodeRef, assets: readonly AirflowAsset[], { pages }: AssetContext) {
  const [first] = assets;
  const last = assets
    .map(({ lastEventAt }) => lastEventAt)
    .toSorted(compareCodePoints)
    .at(-1);
  const label = first?.name && ref.platform === OWN_PLATFORM ? withoutSecrets(first.name) : ref.parts.at(-1);
  return {
    ref,
    name: label ?? toFqn(ref),
    facts: {
      url: first === undefined ? null : pages.asset(first),
      meta: { airflow_assets: assets.slice(0, MOST_LISTED).map(describe) },
      ...(last === undefined || last === "" ? {} : { latest: { last_event_at: last } }),
    },
    columns: [],
  };
}

/** Its `extra` is left out: Airflow 2 does not hide secrets in it. */
function describe({ uri, name, group, aliases }: AirflowAsset): Record<string, unknown> {
  return withoutEmpty({
    uri: withoutSecrets(uri),
    name: name === uri ? "" : name,
    group: group === "asset" ? "" : group,
    aliases: aliases.slice(0, MOST_LISTED),
  });
}

type EdgeEvent = CrawlEvent & { kind: "edge" };

/**
 * A task reads its inlets and writes its outlets. A DAG reads the assets on which it is scheduled, and writes what its
 * tasks write: Airflow does not say which tasks of a DAG read the assets of its schedule.
 */
function toEdges(ref: NodeRef, assets: readonly AirflowAsset[], context: AssetContext): EdgeEvent[] {
  const { naming, tasks } = context;
  const hasDag = (dag: string): boolean => tasks.has(dag);
  // A task that could not be read may be in the catalog since an earlier crawl.
  const hasTask = (dag: string, task: string): boolean => hasDag(dag) && tasks.get(dag)?.has(task) !== false;
  const edges = new Map<string, EdgeEvent>();
  const add = (kind: EdgeKind, pipeline: NodeRef): void => {
    const edge = kind === "reads" ? { from: ref, to: pipeline, kind } : { from: pipeline, to: ref, kind };
    edges.set(`${kind} ${identityOf(pipeline)}`, { kind: "edge", edge, object: toFqn(pipeline) });
  };
  for (const { scheduledDags, producers, consumers } of assets) {
    for (const { dag } of scheduledDags) if (hasDag(dag)) add("reads", naming.dag(dag));
    for (const { dag, task } of consumers) if (hasTask(dag, task)) add("reads", naming.task(dag, task));
    for (const { dag, task } of producers) {
      if (hasTask(dag, task)) add("materializes", naming.task(dag, task));
      if (hasDag(dag)) add("materializes", naming.dag(dag));
    }
  }
  return [...edges.values()];
}
