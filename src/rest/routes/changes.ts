/** What changed in the catalog. */
import { API_PREFIX } from "../../http/paths.ts";
import { connector, cursor, kinds, limit, optionalId, owner, since, tag, until } from "../parameters.ts";
import type { Route } from "../route.ts";

/** The example of the list of changes. */
const asset = {
  id: "6b9ad2c0ed0a4d6c1c7c8a9f5b3f2e10",
  name: "fct_orders",
  fqn: "shop.marts.fct_orders",
  type: "model",
  parent_id: null,
};

const changeList = {
  data: [
    {
      id: "7-0f3a2b9c4d5e6f70",
      at: "2026-03-02T06:00:00.000Z",
      kind: "sql_changed",
      asset,
      other: null,
      actor: null,
      sync: { id: "sync_01jnabcdef", connector_id: "con_01jnabcdef", connector: "shop" },
      field: "sql",
      before: "select order_id, amount from staging.orders",
      after: "select order_id from staging.orders",
      edge_kind: null,
      check: null,
      risk: "high",
      cause: null,
      details: [
        {
          kind: "column_removed",
          id: "1f2e3d4c5b6a79880716253443526170",
          name: "amount",
          before: "numeric(12,2)",
          after: null,
        },
      ],
    },
  ],
  since: "2026-03-01T06:00:00.000Z",
  until: "2026-03-02T07:00:00.000Z",
  pagination: { limit: 50, has_more: false, next_cursor: null },
};

export const changeRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${API_PREFIX}/changes`,
    tag: "Catalog",
    summary: "List changes",
    description:
      "What changed in the catalog, the newest first. What one sync changed for one cause is one change, with the rest in " +
      "`details`. `risk` is the highest risk that an impact of the change had just before it. A connector's first sync lists " +
      "nothing. A page may have fewer changes than `limit` and still have a `next_cursor`.",
    operation: "ListChanges",
    input: {
      query: {
        since,
        until,
        kinds,
        about: optionalId("Only changes of this asset, column or metric, of its columns, and of edges of it."),
        upstream_of: optionalId("Only changes of what is upstream of it now, or was at `since`."),
        downstream_of: optionalId("Only changes of what is downstream of it now, or was at `since`."),
        owner,
        tag,
        connector,
        limit,
        cursor,
      },
    },
    absent: { noun: "asset", namedBy: "upstream_of" },
    status: 200,
    example: changeList,
  },
];
