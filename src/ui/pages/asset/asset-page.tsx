/** Everything about one asset. */
import { useQuery } from "urql";
import { useParams } from "wouter";

import { Crumbs, useTitle } from "../../parts/page.tsx";
import { Causes } from "../../assets/causes.tsx";
import { FavouriteButton } from "../../assets/favourite-button.tsx";
import { parentOf, pathOfAsset, pathOfLineage } from "../../assets/asset-row.ts";
import { Badge, CertificationBadge, TypeBadge, Icon } from "../../parts/marks.tsx";
import { NODE_TYPE_TABLE } from "../../parts/node-types.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { type Tab, Tabs } from "../../parts/tabs.tsx";
import { HistoryTab } from "../changes/change-list.tsx";
import { pathOfImpact } from "../impact/change.ts";
import { ColumnsTab } from "./columns-tab.tsx";
import { ASSET, type AssetDetail } from "./documents.ts";
import { IdentityTab } from "./identity-tab.tsx";
import { LineageTab } from "./lineage-tab.tsx";
import { NoAsset } from "./no-asset.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { SqlTab } from "./sql-tab.tsx";

export function AssetPage() {
  const { id = "" } = useParams();
  const asked = useQuery({ query: ASSET, variables: { id } });
  useTitle(asked[0].data?.asset?.name ?? "Asset");
  return (
    <Loaded
      isPage
      what="the asset"
      asked={asked}
      pick={(data) => data.asset}
      missing={<NoAsset />}
      renderFrame={(content) => <div className="page">{content}</div>}
    >
      {(asset) => (
        <article className="page">
          <Header asset={asset} />
          <Tabs key={asset.id} label="About this asset" tabs={listTabs(asset)} />
        </article>
      )}
    </Loaded>
  );
}

function listTabs(asset: AssetDetail): Tab[] {
  const { upstreamCount, downstreamCount } = asset.lineageSummary;
  const { hasColumns } = NODE_TYPE_TABLE[asset.type];
  const columns = {
    name: "columns",
    label: "Columns",
    count: asset.columns.length,
    content: <ColumnsTab id={asset.id} />,
  };
  return [
    { name: "overview", label: "Overview", content: <OverviewTab asset={asset} /> },
    ...(hasColumns ? [columns] : []),
    {
      name: "lineage",
      label: "Lineage",
      // For a column, this count lacks the indirect uses, but the tab shows them.
      count: asset.type === "column" ? undefined : upstreamCount + downstreamCount,
      content: <LineageTab id={asset.id} />,
    },
    ...(hasColumns && asset.columnLineage ? [{ name: "sql", label: "SQL", content: <SqlTab id={asset.id} /> }] : []),
    { name: "why", label: "Why did it change?", content: <Causes id={asset.id} /> },
    { name: "history", label: "History", content: <HistoryTab id={asset.id} /> },
    { name: "identity", label: "Identity", content: <IdentityTab id={asset.id} /> },
  ];
}

function Header({ asset }: { asset: AssetDetail }) {
  return (
    <header className="stack tight gap-below">
      <Crumbs path={crumbsOf(asset)} />
      <div className="cluster">
        <h1>{asset.name}</h1>
        <FavouriteButton id={asset.id} />
        <TypeBadge type={asset.type} />
        <CertificationBadge certification={asset.certification} />
        {asset.dataType && <code className="soft">{asset.dataType}</code>}
        {asset.inferred && (
          <Badge label="inferred" hint="No list of columns has it. It is known only because SQL names it." />
        )}
        {asset.existence === "referenced" && (
          <Badge tone="warn" icon="warning" label="only referenced" hint="Others name it, but no connector has it." />
        )}
        <span className="cluster roomy push-on-wide">
          {asset.url && (
            <a className="row inline tight small" href={asset.url} target="_blank" rel="noreferrer">
              Open in {asset.platform} <Icon name="external" size={12} />
            </a>
          )}
          <ButtonLink href={pathOfLineage(asset.id)} icon="lineage" label="Lineage" />
          <ButtonLink href={pathOfImpact(asset.id)} icon="impact" label="What breaks?" />
        </span>
      </div>
    </header>
  );
}

/** The catalog, the schemas that contain the asset, and a column's table. */
function crumbsOf(asset: AssetDetail) {
  const { parent } = asset;
  const within = parentOf(parent ?? asset);
  return [
    { href: "/catalog", label: "Catalog" },
    ...(within === "" ? [] : [{ href: `/catalog?schema=${encodeURIComponent(within)}`, label: within }]),
    ...(parent ? [{ href: pathOfAsset(parent.id), label: parent.name }] : []),
  ];
}
