/** Reading metric definitions. */
import { metric, metricPage } from "../openapi/examples.ts";
import { as_of, cursor, id, limit, search } from "../parameters.ts";
import { API_PREFIX } from "../../http/paths.ts";
import type { Route } from "../route.ts";

export const metricRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${API_PREFIX}/metrics`,
    tag: "Metrics",
    summary: "List or search metrics",
    description: "Certified and pending metrics in pages: in the order of their names, or by relevance with `search`.",
    operation: "ListMetrics",
    input: { query: { search, as_of, limit, cursor } },
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
