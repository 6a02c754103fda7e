/** Reading metric definitions. */
import { metric, metricPage } from "../openapi/examples.ts";
import {
  as_of,
  certification,
  connector,
  cursor,
  id,
  limit,
  owner,
  search,
  sort,
  tag,
  unowned,
  unownedReworded,
} from "../parameters.ts";
import { API_PREFIX } from "../../http/paths.ts";
import type { Route } from "../route.ts";

export const metricRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${API_PREFIX}/metrics`,
    tag: "Metrics",
    summary: "List or search metrics",
    description:
      "Certified and pending metrics in pages: in the order of their names, in another one with `sort`, or by relevance with `search`. " +
      "Metrics pass that match all filters. Use the same ones for each page.",
    operation: "ListMetrics",
    input: { query: { search, owner, unowned, tag, connector, certification, sort, as_of, limit, cursor } },
    reworded: unownedReworded,
    status: 200,
    example: metricPage,
  },
  {
    method: "GET",
    path: `${API_PREFIX}/metrics/:id`,
    tag: "Metrics",
    summary: "Get a metric",
    description:
      "One metric: its definition, the assets that it depends on, what uses it, and who certified it and when.",
    operation: "GetMetric",
    input: { path: { id: id("The metric's id.", metric.id) }, query: { as_of } },
    absent: { noun: "metric", namedBy: "id" },
    status: 200,
    exampleSubject: "The metric `active_customers` of the sample.",
    example: metric,
  },
];
