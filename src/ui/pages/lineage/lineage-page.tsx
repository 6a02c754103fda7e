/** The lineage of an asset or metric, as a picture or a table. */
import { ReactFlowProvider } from "@xyflow/react";
import { useEffect, useState } from "react";
import { useClient } from "urql";
import { useParams } from "wouter";

import { Crumbs, useTitle, ErrorPanel, Skeleton } from "../../parts/page.tsx";
import { pathOfNode } from "../../assets/asset-row.ts";
import { Button } from "../../parts/button.tsx";
import { NoAsset } from "../asset/no-asset.tsx";
import { createLoader } from "./loader.ts";
import type { View } from "./model/view.ts";
import { type ChangeView, useView } from "./use-view.ts";
import { Workbench } from "./workbench.tsx";

export function LineagePage() {
  const { id = "" } = useParams();
  const [view, changeView] = useView(id);
  // What was loaded for one day is of no use for another.
  return <LineageOfDay key={view.asOf} view={view} changeView={changeView} />;
}

function LineageOfDay({ view, changeView }: { view: View; changeView: ChangeView }) {
  const client = useClient();
  const [loader] = useState(() => createLoader(client, view.asOf));
  const loaded = loader.use();
  useEffect(() => loader.want(view), [loader, view]);
  const root = loaded.graph.nodes.get(view.root);
  useTitle(root === undefined ? "Lineage" : `Lineage of ${root.name}`);
  const past = view.asOf !== null && (
    <p className="notice cluster" role="status">
      The lineage as it was {view.asOf.includes("T") ? `at ${view.asOf}` : `at the end of ${view.asOf}, UTC`}.
      <Button label="Back to now" onClick={() => changeView((before) => ({ ...before, asOf: null }))} />
    </p>
  );
  if (root === undefined) {
    const { error, isMissing } = loaded;
    if (error === null && !isMissing) {
      return (
        <div className="page">
          <Skeleton rows={6} label="Loading the lineage" />
        </div>
      );
    }
    return (
      <>
        {past}
        {error === null ? <NoAsset /> : <ErrorPanel isPage error={error} onRetry={loader.retry} />}
      </>
    );
  }
  return (
    <ReactFlowProvider>
      <Workbench root={root} view={view} changeView={changeView} loaded={loaded} onRetry={loader.retry} past={past}>
        <Crumbs
          path={[
            root.type === "metric" ? { href: "/metrics", label: "Metrics" } : { href: "/catalog", label: "Catalog" },
            ...(root.isAbsent ? [] : [{ href: pathOfNode(root), label: root.name }]),
          ]}
        />
      </Workbench>
    </ReactFlowProvider>
  );
}
