/**
 * A catalog that is expensive to read: a hub, large SQL, wide tables, a long chain, and metrics and dashboards on top.
 */
import { columnRef, nodeId, type NodeRef, toFqn } from "../../src/catalog/identity.ts";
import { type NodeFacts, toFacts } from "../../src/catalog/statement.ts";
import type { CrawlStamp, EdgeWrite, GraphWriter, NodeWrite } from "../../src/graph/catalog-writes.ts";
import type { NodeId } from "../../src/ids.ts";
import { nameOf } from "../../test/support/graph-writes.ts";
import { loadHub } from "../support/hub.ts";
import { loadWarehouse, makeWarehouse } from "../support/warehouse.ts";

const HUB_ASSETS = 10_000;
const HUB_LEVELS = 3;
const LARGE_SQL = 20;
const SQL_CHARACTERS = 300_000;
const WIDE_TABLES = 20;
const COLUMNS = 500;
const CHAIN = 300;
const METRICS = 50;
const DASHBOARDS = 200;
const ORDINARY_ASSETS = 5_000;
const ORDINARY_EDGES = 15_000;

/** Ids of targets for the attacks. */
export interface Targets {
  hub: string;
  hubColumn: string;
  /** Models that are made directly from the hub. */
  models: string[];
  /** Models with a large SQL. */
  large: string[];
  /** Tables with many columns, each made from the one before. */
  wide: string[];
  /** The first node of the chain. */
  chain: string;
  metrics: string[];
  dashboards: string[];
  /** The dbt connector that crawled the sample. */
  connector: string;
}

const LEVEL_ONE = Math.ceil(HUB_ASSETS / HUB_LEVELS);
const refOf = (platform: string, type: NodeRef["type"], parts: string[]): NodeRef => {
  return { platform, instance: "", type, parts };
};

/** This number of ids. Each is made with the ids before it. */
function numbered(amount: number, make: (at: number, before: readonly NodeId[]) => NodeId): NodeId[] {
  const made: NodeId[] = [];
  for (let at = 0; at < amount; at++) made.push(make(at, made));
  return made;
}

/** Lines of quotes, tabs and characters beyond ASCII: as JSON it is longer than as text. */
function largeSql(at: number): string {
  const line = `\tsum(case when "größe_${at}" = 'a\\b' then "amount" else 0 end) as "Σ ${at}",\n`;
  return `select\n${line.repeat(Math.ceil(SQL_CHARACTERS / line.length))}\t1 as one\nfrom "shop"."marts"."hub"`;
}

/** Writes the catalog into an empty workspace. The sample's connector has to exist already. */
export async function loadWorld(graph: GraphWriter, stamp: CrawlStamp, connector: string): Promise<Targets> {
  const { workspace } = stamp;
  const hub = await loadHub(graph, { workspace, assets: HUB_ASSETS, levels: HUB_LEVELS, lineage: "known" });
  const nodes: NodeWrite[] = [];
  const edges: EdgeWrite[] = [];
  const add = (ref: NodeRef, facts: Partial<NodeFacts>, parentId: NodeId | null = null): NodeId => {
    const id = nodeId(nameOf(workspace), ref);
    const { type, platform } = ref;
    const named = { name: ref.parts.at(-1) ?? "", fqn: toFqn(ref) };
    nodes.push({ id, type, platform, parentId, facts: toFacts({ ...facts, ...named }) });
    return id;
  };
  const link = (from: NodeId | undefined, to: NodeId, kind: EdgeWrite["kind"] = "derives"): void => {
    if (from !== undefined) edges.push({ from, to, kind, uses: [] });
  };
  const hubModel = (level: number, at: number): NodeId =>
    nodeId(nameOf(workspace), refOf("postgres", "model", ["shop", "marts", `m${level}_${at}`]));

  const large = numbered(LARGE_SQL, (at) => {
    const id = add(refOf("postgres", "model", ["shop", "huge", `huge_${at}`]), { sql: largeSql(at) });
    link(hub.table, id);
    return id;
  });

  let above: NodeId[] = [];
  const wide = numbered(WIDE_TABLES, (at, before) => {
    const ref = refOf("postgres", "table", ["shop", "wide", `wide_${at}`]);
    const names = Array.from({ length: COLUMNS }, (_, place) => `field_${place}_of_${COLUMNS}`);
    const known = { status: "known", reason: "" } as const;
    const id = add(ref, { columnNames: names, columnLineage: known });
    link(before.at(-1), id);
    const columns = names.map((name, ordinal) => add(columnRef(ref, name), { ordinal }, id));
    for (const [place, from] of above.entries()) {
      const use = { kind: "DIRECT", transformation: "TRANSFORMATION", expression: "lower(trim(x))" } as const;
      edges.push({ from, to: columns[place] ?? id, kind: "derives", uses: [use] });
    }
    above = columns;
    return id;
  });

  const chain = numbered(CHAIN, (at, before) => {
    const id = add(refOf("postgres", "model", ["shop", "chain", `link_${at}`]), { description: "One after another." });
    link(before.at(-1), id);
    return id;
  });

  const metrics = numbered(METRICS, (at, before) => {
    const metric = {
      displayName: `Revenue ${at}`,
      kind: at === 0 ? "simple" : "derived",
      expression: "sum(amount)",
      grain: "day",
      dimensions: [],
      filters: [],
    } as const;
    const id = add(refOf("dbt", "metric", ["shop", `revenue_${at}`]), {
      metric: { ...metric, dimensions: [], filters: [] },
    });
    link(before.at(-1) ?? hub.table, id, "defines");
    link(hubModel(2, at), id, "defines");
    return id;
  });

  const dashboards = numbered(DASHBOARDS, (at) => {
    const id = add(refOf("tableau", "dashboard", ["shop", `board_${at}`]), { owner: `team-${at % 50}@example.com` });
    for (let near = 0; near < 5; near++) link(hubModel(2, (at * 5 + near) % LEVEL_ONE), id, "powers");
    link(metrics[at % METRICS], id, "powers");
    link(above[at], id, "reads");
    return id;
  });

  await loadWarehouse(graph, stamp, { nodes, edges });
  await loadWarehouse(graph, stamp, makeWarehouse(workspace, ORDINARY_ASSETS, ORDINARY_EDGES));
  const models = numbered(60, (at) => hubModel(0, at));
  const [first = ""] = chain;
  return { hub: hub.table, hubColumn: hub.column, models, large, wide, chain: first, metrics, dashboards, connector };
}
