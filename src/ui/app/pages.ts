/**
 * The pages behind the login. To add one: a folder in `pages/`, and a line here. A page with a `label` is in the
 * navigation. Each page is a file of its own, which is loaded when it is opened.
 */
import { type ComponentType, lazy } from "react";

import type { IconName } from "../parts/icon.tsx";
import { START } from "./home.ts";

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
  {
    path: "/impact",
    label: "What breaks",
    icon: "impact",
    covers: /^\/impact(?:\/|$)/,
    component: lazy(() => import("../pages/impact/impact-page.tsx").then((it) => ({ default: it.ImpactPage }))),
  },
  {
    path: "/impact/manifest",
    component: lazy(() => import("../pages/impact/manifest-page.tsx").then((it) => ({ default: it.ManifestPage }))),
  },
  {
    path: "/metrics",
    label: "Metrics",
    icon: "metric",
    covers: /^\/metrics(?:\/|$)/,
    component: lazy(() => import("../pages/metrics/metrics-page.tsx").then((it) => ({ default: it.MetricsPage }))),
  },
  {
    path: "/metrics/new",
    component: lazy(() => import("../pages/metrics/define-page.tsx").then((it) => ({ default: it.DefinePage }))),
  },
  {
    path: "/metrics/:id",
    component: lazy(() => import("../pages/metrics/metric-page.tsx").then((it) => ({ default: it.MetricPage }))),
  },
  {
    path: "/metrics/:id/edit",
    component: lazy(() => import("../pages/metrics/edit-page.tsx").then((it) => ({ default: it.EditPage }))),
  },
  {
    path: "/ask",
    label: "Ask",
    icon: "ask",
    component: lazy(() => import("../pages/ask/ask-page.tsx").then((it) => ({ default: it.AskPage }))),
  },
  {
    path: START,
    component: lazy(() => import("../pages/start/start-page.tsx").then((it) => ({ default: it.StartPage }))),
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
    path: "/settings",
    label: "Settings",
    icon: "settings",
    covers: /^\/settings(?:\/|$)/,
    component: lazy(() => import("../pages/settings/settings-home.tsx").then((it) => ({ default: it.SettingsHome }))),
  },
  {
    path: "/settings/api",
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
