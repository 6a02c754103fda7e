/**
 * The pages behind the login. To add one: a folder in `pages/`, and a line here. A page with a `label` is in the
 * navigation. Each page is a file of its own, which is loaded when it is opened.
 */
import { type ComponentType, lazy } from "react";

import type { IconName } from "../parts/marks.tsx";
import { HOME, NOTICES, START } from "./home.ts";

export interface Page {
  /** A pattern of wouter, such as `/assets/:id`. */
  path: string;
  component: ComponentType;
  /** Its name in the navigation, and its icon there. */
  label?: string;
  icon?: IconName;
  /** The navigation marks it as current under these paths too, besides those below its own. */
  covers?: readonly string[];
}

/** A page that is loaded when it is opened. @param name the component's, in the file */
function page<Name extends string>(
  path: string,
  name: Name,
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  shown: Omit<Page, "path" | "component"> = {},
): Page {
  return { path, component: lazy<ComponentType>(async () => ({ default: (await load())[name] })), ...shown };
}

export const PAGES: readonly Page[] = [
  page(HOME, "HomePage", () => import("../pages/home/home-page.tsx"), { label: "Home", icon: "home" }),
  page("/catalog", "CatalogPage", () => import("../pages/catalog/catalog-page.tsx"), {
    label: "Catalog",
    icon: "catalog",
    covers: ["/assets", "/browse", "/lineage", "/tags", "/owners"],
  }),
  page("/browse", "BrowsePage", () => import("../pages/catalog/browse-page.tsx")),
  page("/tags/:name", "TagPage", () => import("../pages/catalog/collection-page.tsx")),
  page("/owners/:name", "OwnerPage", () => import("../pages/catalog/collection-page.tsx")),
  page("/assets/:id", "AssetPage", () => import("../pages/asset/asset-page.tsx")),
  page("/lineage/:id", "LineagePage", () => import("../pages/lineage/lineage-page.tsx")),
  page("/impact", "ImpactPage", () => import("../pages/impact/impact-page.tsx"), {
    label: "What breaks",
    icon: "impact",
  }),
  page("/impact/manifest", "ManifestPage", () => import("../pages/impact/manifest-page.tsx")),
  page("/impact/saved/:id", "SavedImpactPage", () => import("../pages/impact/manifest-page.tsx")),
  page("/changes", "ChangesPage", () => import("../pages/changes/changes-page.tsx"), {
    label: "Changes",
    icon: "history",
  }),
  page(NOTICES, "NoticesPage", () => import("../pages/notices/notices-page.tsx"), { label: "Notices", icon: "bell" }),
  page("/metrics", "MetricsPage", () => import("../pages/metrics/metrics-page.tsx"), {
    label: "Metrics",
    icon: "metric",
  }),
  page("/metrics/new", "DefinePage", () => import("../pages/metrics/edit-page.tsx")),
  page("/metrics/:id", "MetricPage", () => import("../pages/metrics/metric-page.tsx")),
  page("/metrics/:id/edit", "EditPage", () => import("../pages/metrics/edit-page.tsx")),
  page("/ask", "AskPage", () => import("../pages/ask/ask-page.tsx"), { label: "Ask", icon: "ask" }),
  page(START, "StartPage", () => import("../pages/home/home-page.tsx")),
  page("/connectors", "ConnectorsPage", () => import("../pages/connectors/connectors-page.tsx"), {
    label: "Connectors",
    icon: "connector",
  }),
  page("/connectors/new", "NewConnectorPage", () => import("../pages/connectors/connectors-page.tsx")),
  page("/connectors/:id", "ConnectorPage", () => import("../pages/connectors/connector-page.tsx")),
  page("/settings", "SettingsHome", () => import("../pages/settings/settings-page.tsx"), {
    label: "Settings",
    icon: "settings",
  }),
  page("/settings/api", "ApiPage", () => import("../pages/settings/api/api-page.tsx")),
  page("/settings/people", "PeoplePage", () => import("../pages/settings/people/people-page.tsx")),
  page("/settings/account", "AccountPage", () => import("../pages/settings/account/account-page.tsx")),
  page("/settings/notices", "NoticeRulesPage", () => import("../pages/settings/notices/notice-rules-page.tsx")),
  page("/settings/audit", "AuditPage", () => import("../pages/settings/audit/audit-page.tsx")),
];

/** @param path of the page that is open */
export function isCurrent({ path: own, covers = [] }: Page, path: string): boolean {
  return path === own || [own, ...covers].some((above) => path === above || path.startsWith(`${above}/`));
}

/** Pages of the service that are no part of this UI. */
export const OTHER_PAGES = [
  { href: "/graphql", label: "GraphiQL", icon: "graphiql" },
  { href: "/docs", label: "API docs", icon: "book" },
] as const;
