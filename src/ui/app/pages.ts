/**
 * The pages behind the login. To add one: a folder in `pages/`, and a line here. A page with a `label` is in the
 * navigation. Each page is a file of its own, which is loaded when it is opened.
 */
import { type ComponentType, lazy } from "react";

import type { IconName } from "../parts/icon.tsx";

export interface Page {
  /** A pattern of wouter, such as `/assets/:id`. */
  path: string;
  component: ComponentType;
  /** Its name in the navigation, and its icon there. */
  label?: string;
  icon?: IconName;
  /** Also marked as current under these paths. */
  covers?: RegExp;
}

export const PAGES: readonly Page[] = [
  {
    path: "/catalog",
    label: "Catalog",
    icon: "catalog",
    covers: /^\/(?:catalog|assets|lineage)(?:\/|$)/,
    component: lazy(() => import("../pages/catalog/catalog-page.tsx").then((it) => ({ default: it.CatalogPage }))),
  },
  {
    path: "/assets/:id",
    component: lazy(() => import("../pages/asset/asset-page.tsx").then((it) => ({ default: it.AssetPage }))),
  },
  {
    path: "/lineage/:id",
    component: lazy(() => import("../pages/lineage/lineage-page.tsx").then((it) => ({ default: it.LineagePage }))),
  },
];

interface Elsewhere {
  href: string;
  label: string;
  icon: IconName;
}

/** Pages of the service that are no part of this UI. */
export const ELSEWHERE: readonly Elsewhere[] = [
  { href: "/graphql", label: "GraphiQL", icon: "graphiql" },
  { href: "/docs", label: "API docs", icon: "book" },
];
