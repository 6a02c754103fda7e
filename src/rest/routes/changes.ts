/** What changed in the catalog. */
import { API_PREFIX } from "../../http/paths.ts";
import { changeList } from "../openapi/change-example.ts";
import { connector, cursor, kinds, limit, optionalId, owner, since, tag, until } from "../parameters.ts";
import type { Route } from "../route.ts";

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
