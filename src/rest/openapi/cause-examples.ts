/** The example answer of the route that finds why a value changed. */
import type { NodeType } from "../../catalog/node-types.ts";
import { completeness, ids, pagination } from "./examples.ts";

const causeNode = (type: NodeType, id: string, fqn: string) => {
  return { id, type, name: fqn.split(".").at(-1) ?? "", fqn };
};

const changedNode = (node: ReturnType<typeof causeNode>) => Object.assign({ parent_id: null }, node);

const counted = causeNode("metric", ids.metric, "shop.active_customers");
const ordered = causeNode("model", ids.orders, "shop.marts.fct_orders");

export const causes = {
  target: counted,
  since: "2026-05-24T00:00:00.000Z",
  until: "2026-05-31T08:30:00.000Z",
  data: [
    {
      kind: "rows",
      evidence: "INDIRECT",
      at: "2026-05-28T06:00:00.000Z",
      actor: null,
      connector: { id: ids.connector, name: "shop" },
      sync: { id: ids.sync },
      node: ordered,
      path: [counted, ordered],
      distance: 1,
      sentence: "model `fct_orders` changed its SQL",
      details: ["the rows of `fct_orders` now depend on `FILTER not orders.is_cancelled` instead of nothing"],
      before: "",
      after: "FILTER not orders.is_cancelled",
      sql_before: "select orders.order_id from shop.staging.stg_orders as orders",
      sql_after: "select orders.order_id from shop.staging.stg_orders as orders where not orders.is_cancelled",
    },
  ],
  total: 1,
  others: 4,
  troubled_syncs: [],
  truncated: false,
  completeness,
  pagination,
};

/** The example answer of the route that compares lineage. */
export const lineageDiff = {
  before: "2026-05-24T23:59:59.999Z",
  after: "2026-05-31T08:30:00.000Z",
  connector: null,
  nodes: [
    {
      difference: "changed",
      asset: changedNode(ordered),
      details: [{ kind: "sql_changed", id: ids.orders, name: "shop.marts.fct_orders", before: null, after: null }],
    },
  ],
  edges: [
    {
      difference: "removed",
      from: changedNode(ordered),
      to: changedNode(counted),
      kinds_before: ["defines"],
      kinds_after: [],
    },
  ],
  unchanged_nodes: 12,
  unchanged_edges: 14,
  truncated: false,
};
