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
    path: "/connectors",
    label: "Connectors",
    icon: "connector",
    covers: /^\/connectors(?:\/|$)/,
    component: lazy(() =>
      import("../pages/connectors/connectors-page.tsx").then((it) => ({ default: it.ConnectorsPage })),
    ),
  },
  {
    path: "/connectors/new",
    component: lazy(() =>
      import("../pages/connectors/new-connector-page.tsx").then((it) => ({ default: it.NewConnectorPage })),
    ),
  },
  {
    path: "/connectors/:id",
    component: lazy(() =>
      import("../pages/connectors/connector-page.tsx").then((it) => ({ default: it.ConnectorPage })),
    ),
  },
  {
    path: "/settings/api",
    label: "Settings",
    icon: "settings",
    covers: /^\/settings(?:\/|$)/,
    component: lazy(() => import("../pages/settings/api/api-page.tsx").then((it) => ({ default: it.ApiPage }))),
  },
  {
    path: "/settings/people",
    component: lazy(() =>
      import("../pages/settings/people/people-page.tsx").then((it) => ({ default: it.PeoplePage })),
    ),
  },
  {
    path: "/settings/account",
    component: lazy(() =>
      import("../pages/settings/account/account-page.tsx").then((it) => ({ default: it.AccountPage })),
    ),
  },
  {
    path: "/settings/audit",
    component: lazy(() => import("../pages/settings/audit/audit-page.tsx").then((it) => ({ default: it.AuditPage }))),
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
