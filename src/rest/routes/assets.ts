/** Browsing and searching the catalog's assets. */
import { asset, assetPage } from "../openapi/examples.ts";
import {
  as_of,
  assetType,
  certification,
  connector,
  cursor,
  id,
  limit,
  owner,
  schema,
  search,
  sort,
  tag,
  unowned,
  unownedReworded,
} from "../parameters.ts";
import { API_PREFIX } from "../../http/paths.ts";
import type { Route } from "../route.ts";

export const assetRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${API_PREFIX}/catalog/assets`,
    tag: "Catalog",
    summary: "List or search assets",
    description:
      "The assets of the token's workspace in pages: in the order of their names, in another one with `sort`, or by relevance with `search`. " +
      "Assets pass that match all filters. Use the same ones for each page.",
    operation: "ListAssets",
    input: {
      query: {
        type: assetType,
        search,
        owner,
        unowned,
        tag,
        schema,
        connector,
        certification,
        sort,
        as_of,
        limit,
        cursor,
      },
    },
    reworded: unownedReworded,
    status: 200,
    example: assetPage,
  },
  {
    method: "GET",
    path: `${API_PREFIX}/catalog/assets/:id`,
    tag: "Catalog",
    summary: "Get an asset",
    description: "One asset with its columns, the number of its direct neighbours, and its connector.",
    operation: "GetAsset",
    input: { path: { id: id("The asset's id.", asset.id) }, query: { as_of } },
    absent: { noun: "asset", namedBy: "id" },
    status: 200,
    exampleSubject: "The model `shop.marts.dim_customers` of the sample.",
    example: asset,
  },
];
