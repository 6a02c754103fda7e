/**
 * Measures the cost of a question on a large catalog: `node bench/agent/speed.ts [assets] [edges]`, by default 100,000
 * and 300,000. Each question is timed in turns with one plain search for its words, over the same graph, so the ratio
 * is meaningful on a busy machine too. A question about lineage is also timed with the search and the walk or impact
 * that a person would request instead. It also prints the calls that a networked store would get, and the searches
 * among them.
 */
import { MAX_DEPTH } from "../../src/catalog/lineage.ts";
import type { Direction } from "../../src/catalog/edge.ts";
import { parseSearch } from "../../src/catalog/search.ts";
import { NAMED_TYPES } from "../../src/agent/catalog.ts";
import { toConnectorId, toWorkspaceId } from "../../src/ids.ts";
import { parseSettings } from "../../src/settings/settings.ts";
import { openAgentBench } from "../../test/support/agent-bench.ts";
import { loadWarehouse, makeWarehouse } from "../support/warehouse.ts";

const assets = Number(process.argv[2] ?? 100_000);
const edges = Number(process.argv[3] ?? 300_000);
const ROUNDS = 5;
/** An impact of a hub takes seconds for every caller. */
const LONG_ROUNDS = 1;

/** The questions, and the words for which a person would search instead. */
const QUESTIONS: readonly (readonly [kind: string, question: string, words: string, then?: Direction | "impact"])[] = [
  ["what is", "what is stg_products_20006?", "stg_products_20006"],
  ["who owns", "who owns fct orders 60000?", "fct orders 60000"],
  ["misspelt", "who owns fct_custmers_60001?", "customers"],
  ["by description", "which table is about refunds of part 4003 of the business?", "refunds part 4003 business"],
  ["what feeds", "what feeds rpt_orders_90000?", "rpt_orders_90000", "upstream"],
  ["what uses, a hub", "what uses raw_orders_0?", "raw_orders_0", "downstream"],
  ["certified, of a hub", "which certified dashboards depend on raw_orders_0?", "raw_orders_0", "downstream"],
  ["tagged, of a hub", "which models tagged daily use raw_orders_0?", "raw_orders_0", "downstream"],
  ["what breaks, a hub", "what breaks if I drop raw_orders_0?", "raw_orders_0", "impact"],
  ["path", "how does raw_orders_0 get to rpt_orders_90000?", "raw_orders_0", "downstream"],
  ["compare", "compare fct_orders_60000 and fct_orders_60008", "fct_orders_60000", "upstream"],
  ["a list", "which certified dashboards are there?", "dashboard"],
  ["undescribed", "which models have no description?", "model"],
  ["how many", "how many models are tagged refunds?", "refunds"],
  ["what an owner owns", "what does team-7@example.com own?", "team 7"],
  ["common words", "which orders and customers and payments are in the business layer?", "orders customers payments"],
  ["nothing of it", "who owns the flurbish wombatry of quixotic zanzibars?", "flurbish wombatry"],
];

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;

const WORKSPACE = toWorkspaceId("bench");
const { maxLineageNodes } = parseSettings({});
const bench = await openAgentBench();
try {
  const { graph, costs } = bench;
  const stamp = {
    workspace: WORKSPACE,
    connectorId: toConnectorId("bench"),
    connectorName: "bench",
    precedence: 1,
    lineagePrecedence: 1,
    connectorCreatedAt: "",
    syncId: "bench-1",
    run: 0,
    at: new Date().toISOString(),
  };
  const seconds = (await timed(() => loadWarehouse(graph, stamp, makeWarehouse(WORKSPACE, assets, edges)))) / 1000;
  console.log(`loaded ${assets} assets and ${edges} edges in ${seconds.toFixed(1)} s`);
  console.log("question               confidence   calls  searches   answer ms  search ms   ratio  by hand ms   ratio");

  for (const [kind, query, words, then] of QUESTIONS) {
    const ask = () => bench.ask(WORKSPACE, query);
    const search = async () => {
      const parsed = parseSearch(words);
      if (parsed === null) throw new Error("There is nothing to search for.");
      return graph.searchNodes(WORKSPACE, { types: NAMED_TYPES }, parsed, { after: null, limit: 50 });
    };
    const byHand = async () => {
      const root = (await search()).items[0]?.node.id;
      if (root === undefined || then === undefined) return;
      if (then === "impact") {
        const change = { root, change: "column_drop", newType: null, maxAffected: maxLineageNodes } as const;
        await graph.assessImpact(WORKSPACE, change);
      } else {
        const walk = { root, direction: then, depth: MAX_DEPTH, maxNodes: maxLineageNodes };
        await graph.walk(WORKSPACE, walk);
      }
    };
    const { confidence } = await ask();
    const [all, searches] = [costs.calls.length, costs.calls.filter((name) => name === "searchNodes").length];
    const [ours, plain, hand]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < (then === "impact" ? LONG_ROUNDS : ROUNDS); round++) {
      ours.push(await timed(ask));
      plain.push(await timed(search));
      if (then !== undefined) hand.push(await timed(byHand));
    }
    const [o, p, h] = [median(ours), median(plain), median(hand)];
    const cells = [
      confidence.toFixed(2).padStart(10),
      String(all).padStart(7),
      String(searches).padStart(9),
      o.toFixed(1).padStart(11),
      p.toFixed(2).padStart(10),
      (o / p).toFixed(1).padStart(7),
      ...(then === undefined ? [] : [h.toFixed(1).padStart(11), (o / h).toFixed(1).padStart(7)]),
    ];
    console.log(`${kind.padEnd(23)}${cells.join(" ")}`);
  }
} finally {
  await bench.close();
}
