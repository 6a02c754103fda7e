/** Everything about one asset. */
import { useQuery } from "urql";
import { Link, useParams } from "wouter";

import { useTitle } from "../../app/use-title.ts";
import { parentOf, pathOfAsset, pathOfLineage } from "../../assets/asset-row.ts";
import { Badge, CertificationBadge, TypeBadge } from "../../parts/badge.tsx";
import { NODE_TYPE_TABLE } from "../../parts/node-types.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Hint } from "../../parts/hint.tsx";
import { Icon } from "../../parts/icon.tsx";
import { ErrorPanel, Panel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { type Tab, Tabs } from "../../parts/tabs.tsx";
import styles from "./asset-page.module.css";
import { ColumnsTab } from "./columns-tab.tsx";
import { ASSET, type AssetDetail } from "./documents.ts";
import { IdentityTab } from "./identity-tab.tsx";
import { LineageTab } from "./lineage-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { SqlTab } from "./sql-tab.tsx";

export function AssetPage() {
  const { id = "" } = useParams();
  const [{ data, error, fetching }, again] = useQuery({ query: ASSET, variables: { id } });
  const asset = data?.asset;
  useTitle(asset?.name ?? "Asset");
  if (!asset) {
    if (error) return <ErrorPanel isPage error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    if (fetching) return <Loading />;
    return (
      <Panel
        isPage
        icon="search"
        title="There is no such asset"
        action={<Link href="/catalog">Search the catalog</Link>}
      >
        It may have been removed from its source since the link was made.
      </Panel>
    );
  }
  return (
    <article className={styles["page"]}>
      <Header asset={asset} />
      <Tabs key={asset.id} label="About this asset" tabs={listTabs(asset)} />
    </article>
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
      // Of a column, this counts no indirect uses, which the tab shows too.
      count: asset.type === "column" ? undefined : upstreamCount + downstreamCount,
      content: <LineageTab id={asset.id} />,
    },
    ...(hasColumns && asset.columnLineage ? [{ name: "sql", label: "SQL", content: <SqlTab id={asset.id} /> }] : []),
    { name: "identity", label: "Identity", content: <IdentityTab id={asset.id} /> },
  ];
}

function Header({ asset }: { asset: AssetDetail }) {
  return (
    <header className={styles["header"]}>
      <Breadcrumbs asset={asset} />
      <div className={styles["title"]}>
        <h1>{asset.name}</h1>
        <TypeBadge type={asset.type} />
        <CertificationBadge certification={asset.certification} />
        {asset.dataType && <code className={styles["data-type"]}>{asset.dataType}</code>}
        {asset.inferred && (
          <Hint text="No list of columns has it. It is known only because SQL names it.">
            <Badge>inferred</Badge>
          </Hint>
        )}
        {asset.existence === "referenced" && (
          <Hint text="Others name it, but no connector has it.">
            <Badge tone="warn" icon="warning">
              only referenced
            </Badge>
          </Hint>
        )}
        <span className={styles["actions"]}>
          {asset.url && (
            <a className={styles["away"]} href={asset.url} target="_blank" rel="noreferrer">
              Open in {asset.platform} <Icon name="external" size={12} />
            </a>
          )}
          <ButtonLink href={pathOfLineage(asset.id)} icon="lineage">
            Lineage
          </ButtonLink>
          <ButtonLink href={`/impact?id=${encodeURIComponent(asset.id)}`} icon="impact">
            What breaks?
          </ButtonLink>
        </span>
      </div>
    </header>
  );
}

/** The catalog, the schemas that contain the asset, and a column's table. */
function Breadcrumbs({ asset }: { asset: AssetDetail }) {
  const { parent } = asset;
  const within = parent ? parentOf(parent) : parentOf(asset);
  return (
    <nav className={styles["breadcrumbs"]} aria-label="Where it is">
      <Link href="/catalog">Catalog</Link>
      {within !== "" && (
        <>
          <Icon name="right" size={12} />
          <Link href={`/catalog?schema=${encodeURIComponent(within)}`}>{within}</Link>
        </>
      )}
      {parent && (
        <>
          <Icon name="right" size={12} />
          <Link href={pathOfAsset(parent.id)}>{parent.name}</Link>
        </>
      )}
    </nav>
  );
}

function Loading() {
  return (
    <div className={styles["page"]}>
      <Skeleton rows={6} label="Loading the asset" />
    </div>
  );
}
