/** The lineage of an asset or metric, as a picture or a table. */
import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { useClient } from "urql";
import { useParams } from "wouter";

import { Crumbs, useTitle } from "../../parts/page.tsx";
import { pathOfNode } from "../../assets/asset-row.ts";
import { ErrorPanel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { NoAsset } from "../asset/no-asset.tsx";
import { createLoader } from "./loader.ts";
import { useView } from "./use-view.ts";
import { Workbench } from "./workbench.tsx";

export function LineagePage() {
  const { id = "" } = useParams();
  const client = useClient();
  const [loader] = useState(() => createLoader(client));
  const [view, changeView] = useView(id);
  const loaded = useSyncExternalStore(loader.subscribe, loader.getState);
  useEffect(() => loader.want(view), [loader, view]);
  const root = loaded.graph.nodes.get(id);
  useTitle(root === undefined ? "Lineage" : `Lineage of ${root.name}`);
  if (root === undefined) {
    if (loaded.error !== null) return <ErrorPanel isPage error={loaded.error} onRetry={loader.retry} />;
    if (loaded.isMissing) return <NoAsset />;
    return (
      <div className="page">
        <Skeleton rows={6} label="Loading the lineage" />
      </div>
    );
  }
  return (
    <ReactFlowProvider>
      <Workbench root={root} view={view} changeView={changeView} loaded={loaded} onRetry={loader.retry}>
        <Crumbs
          path={[
            root.type === "metric" ? { href: "/metrics", label: "Metrics" } : { href: "/catalog", label: "Catalog" },
            { href: pathOfNode(root), label: root.name },
          ]}
        />
      </Workbench>
    </ReactFlowProvider>
  );
}
