/**
 * The impact of dropping one column of a source of the sample: every path consists of real edges, and every reason can
 * be checked.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { CatalogNode } from "../../src/catalog/asset.ts";
import { type AffectedNode, type ChangeType, type Impact, type Risk, RISKS } from "../../src/catalog/impact.ts";
import { compareCodePoints } from "../../src/catalog/text.ts";
import type { WorkspaceId } from "../../src/ids.ts";
import { type RunningApp, startApp } from "../support/app.ts";
import { atDepth } from "../support/depth.ts";
import { present } from "../support/present.ts";

let running: RunningApp;
let workspace: WorkspaceId;
/** All nodes of the sample, by their ids. */
let nodes: Map<string, CatalogNode>;
/** Every edge, as `from to`, with how the columns are used. */
let edges: Map<string, string[]>;

beforeAll(async () => {
  running = await startApp({ sample: true });
  const { graph, metadata } = running.app;
  workspace = present(await metadata.workspaces.findByName("default")).id;
  const everything = await Promise.all(
    (["asset", ["metric"]] as const).map((types) =>
      graph.listNodes(workspace, { types }, { after: null, limit: 10_000 }),
    ),
  );
  nodes = new Map(everything.flatMap(({ items }) => items.map((node) => [node.id, node])));
  const ids = [...nodes.values()].map(({ id }) => id);
  const queries = ids.map((id) => ({ id, direction: "downstream", first: 10_000, after: null }) as const);
  const found = await graph.loadNeighbours(workspace, queries);
  edges = new Map(
    found.flatMap(({ items }, i) =>
      items.map(({ node, uses }) => [
        `${ids[i]} ${node.id}`,
        uses.map(({ kind, transformation, expression }) => `${kind} ${transformation} ${expression}`),
      ]),
    ),
  );
});
afterAll(() => running.close());

/** Every node of the sample, or in the fast project each tenth. */
const roots = (): CatalogNode[] => [...nodes.values()].filter((_node, i) => i % atDepth(10, 1) === 0);

function find(fqn: string, type: CatalogNode["type"]): CatalogNode {
  return present([...nodes.values()].find((node) => node.fqn === fqn && node.type === type));
}

async function assess(root: CatalogNode, change: ChangeType): Promise<Impact> {
  const query = { root: root.id, change, newType: null, maxAffected: 10_000 };
  return present(await running.app.graph.assessImpact(workspace, query));
}

/** The node itself and the table that it is a column of. */
function selfAndTable(id: string): string[] {
  const parent = nodes.get(id)?.parentId;
  return parent == null ? [id] : [id, parent];
}

/** The faults of a path. It has none if each hop is an existing edge that is used as the evidence says. */
function faultsOf(root: CatalogNode, { id, path, evidence, hops, name }: AffectedNode): string[] {
  const faults: string[] = [];
  const expectThat = (holds: boolean, what: string) => holds || faults.push(`${name}: ${what}`);
  expectThat(path[0] === root.id && path.at(-1) === id, "the path has other ends");
  expectThat(hops === path.length - 1 && evidence.length === hops, "hops, path and evidence differ in length");
  evidence.forEach(({ from, to, level, kind, transformation, expression }, hop) => {
    const [start = "", end = ""] = path.slice(hop, hop + 2);
    expectThat(selfAndTable(from).includes(start) || selfAndTable(start).includes(from), `hop ${hop} begins elsewhere`);
    expectThat(selfAndTable(to).includes(end) || selfAndTable(end).includes(to), `hop ${hop} ends elsewhere`);
    const uses = selfAndTable(from).flatMap((near) =>
      selfAndTable(to).flatMap((far) => edges.get(`${near} ${far}`) ?? []),
    );
    const there = selfAndTable(from).some((near) => selfAndTable(to).some((far) => edges.has(`${near} ${far}`)));
    expectThat(there, `hop ${hop} is no edge`);
    if (level === "asset") expectThat(transformation === "" && expression === "", `hop ${hop} knows too much`);
    else if (transformation !== "") {
      expectThat(uses.includes(`${kind} ${transformation} ${expression}`), `hop ${hop} is used in another way`);
    }
  });
  return faults;
}

const keyOf = ({ id }: AffectedNode): string => present(nodes.get(id)).key;

function compareAffected(a: AffectedNode, b: AffectedNode): number {
  return RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk) || a.hops - b.hops || compareCodePoints(keyOf(a), keyOf(b));
}

describe("a dropped column of a source", () => {
  test("A dropped column of a source reaches a certified metric and a dashboard, and says how", async () => {
    const spend = find("shop.raw_meta_ads.ad_insights.spend", "column");
    const { effect, summary, affected, truncated } = await assess(spend, "column_drop");
    expect({ effect, total: summary.total, truncated }).toEqual({
      effect: "breaks",
      total: affected.length,
      truncated: false,
    });
    expect(summary).toMatchObject({ medium: 1, low: 0 });

    const metric = present(affected.find(({ name }) => name === "ad_spend"));
    expect(metric).toMatchObject({ type: "metric", certification: "certified", risk: "high" });
    expect(metric.path.map((id) => nodes.get(id)?.fqn)).toEqual([
      "shop.raw_meta_ads.ad_insights.spend",
      "shop.staging.stg_meta_ads__campaign_days.spend",
      "shop.intermediate.int_ad_spend_by_day.ad_spend_eur",
      "shop.marketing.fct_channel_days.ad_spend_eur",
      "shop.ad_spend",
    ]);
    expect(metric.evidence.every(({ kind, level }) => kind === "DIRECT" && level === "column")).toBe(true);
    expect(metric.reason).toBe(
      "Certified metric `ad_spend` sums `fct_channel_days.ad_spend_eur` (AGGREGATION), 4 hops: `ad_insights.spend` → " +
        "`stg_meta_ads__campaign_days.spend` → `int_ad_spend_by_day.ad_spend_eur` → `fct_channel_days.ad_spend_eur` → `ad_spend`.",
    );

    const dashboards = affected.filter(({ type }) => type === "dashboard");
    expect(dashboards.map(({ name, risk, reason }) => [name, risk, reason])).toEqual([
      [
        "Marketing cockpit",
        "high",
        "Dashboard `Marketing cockpit` shows metric `return_on_ad_spend`, which is computed from certified metric " +
          "`ad_spend`, 6 hops: `ad_insights.spend` → `stg_meta_ads__campaign_days.spend` → … 3 more … → " +
          "`return_on_ad_spend` → `Marketing cockpit`.",
      ],
      [
        "Board revenue report",
        "medium",
        "Dashboard `Board revenue report` reads `profit_and_loss_months`, and whether it uses " +
          "`profit_and_loss_months.ad_spend_eur` is not known (column lineage unknown), 4 hops: `ad_insights.spend` → " +
          "`stg_meta_ads__campaign_days.spend` → `int_ad_spend_by_day.ad_spend_eur` → " +
          "`profit_and_loss_months.ad_spend_eur` → `Board revenue report`.",
      ],
    ]);
  });

  test("A dropped column of a source affects everything that the walk of the column reaches", async () => {
    for (const fqn of [
      "shop.raw_stripe.refunds.amount",
      "shop.raw_shopify.orders.total_price",
      "shop.seeds.fx_rates.eur_per_unit",
    ]) {
      const root = find(fqn, "column");
      const query = { root: root.id, direction: "downstream", depth: 10, maxNodes: 10_000 } as const;
      const walked = present(await running.app.graph.walk(workspace, query)).nodes.map(({ id }) => id);
      const { affected } = await assess(root, "column_drop");
      expect(new Set(affected.map(({ id }) => id)).isSupersetOf(new Set(walked))).toBe(true);
    }
  });
});

test("Every affected column belongs to an affected asset, at the same risk or a higher one", async () => {
  for (const root of roots()) {
    const { affected } = await assess(root, root.type === "column" ? "column_drop" : "deprecate");
    const risks = new Map(affected.map(({ id, risk }) => [id, RISKS.indexOf(risk)]));
    const columns = affected.filter(({ type }) => type === "column");
    const unlike = columns.filter(({ parentId, risk }) => {
      return (risks.get(present(parentId)) ?? Infinity) > RISKS.indexOf(risk);
    });
    expect(unlike).toEqual([]);
  }
});

test("Every impact leads along real edges, counts what it shows, and shows the worst and nearest first", async () => {
  const faults: string[] = [];
  for (const root of roots()) {
    const isSource = root.type === "column" && nodes.get(root.parentId ?? "")?.type === "table";
    if (root.type === "column" && !isSource) continue;
    const { affected, summary } = await assess(root, isSource ? "column_drop" : "deprecate");
    faults.push(...affected.flatMap((node) => faultsOf(root, node)));
    expect(affected).toEqual(affected.toSorted(compareAffected));
    const count = (risk: Risk) => affected.filter((node) => node.risk === risk).length;
    expect(summary).toEqual({
      total: affected.length,
      high: count("high"),
      medium: count("medium"),
      low: count("low"),
    });
  }
  expect(faults).toEqual([]);
});
