/** Everything about one asset. */
import { useQuery } from "urql";
import { useParams, Link } from "wouter";

import { Crumbs, useTitle } from "../../parts/page.tsx";
import { Causes } from "../../assets/causes.tsx";
import { FavouriteButton } from "../../assets/favourite-button.tsx";
import { parentOf, pathOfAsset, pathOfLineage } from "../../assets/asset-row.ts";
import { Badge, CertificationBadge, TypeBadge, Icon, TypeIcon } from "../../parts/marks.tsx";
import { NODE_TYPE_TABLE } from "../../parts/node-types.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { type Tab, Tabs } from "../../parts/tabs.tsx";
import { HistoryTab } from "../changes/change-list.tsx";
import { pathOfImpact } from "../impact/change.ts";
import { ColumnsTab } from "./columns-tab.tsx";
import { ASSET, type AssetDetail, IDENTITY } from "./documents.ts";
import { LineageTab } from "./lineage-tab.tsx";
import { NoAsset } from "./no-asset.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { SqlTab } from "./sql-tab.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Row, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";

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
          <Badge label="inferred" hint="No list of columns has it. It is known only because SQL or lineage names it." />
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

const COLUMNS = [
  { label: "Connector", isName: true },
  { label: "States it as" },
  { label: "Type" },
  { label: "How" },
  { label: "Since" },
];

/** The identity of the asset: the parts of its id, its connectors, and assets with nearly the same name. */
function IdentityTab({ id }: { id: string }) {
  const asked = useQuery({ query: IDENTITY, variables: { id } });
  return (
    <Loaded what="the identity" asked={asked} pick={({ asset }) => asset?.identity} rows={5}>
      {({ platform, instance, kind, key, sources, nearMisses }) => (
        <div className="stack">
          <p className="soft">Its id is made from these parts. All connectors that see them mean this one asset.</p>
          <Facts
            look="terms"
            of={{
              Platform: <code>{platform}</code>,
              Instance: <code>{instance || "the only one"}</code>,
              Kind: <code>{kind}</code>,
              Name: <code>{key}</code>,
              Id: <code>{id}</code>,
            }}
          />
          <h2 className="subheading">Who states it</h2>
          {sources.length === 0 ? (
            <p className="soft">No connector. People defined it.</p>
          ) : (
            <Table label="Who states it" columns={COLUMNS}>
              <tbody>
                {sources.map((source) => (
                  <Row key={`${source.connector} ${source.existence} ${source.name}`} columns={COLUMNS}>
                    {source.connector}
                    <code>{source.name}</code>
                    {source.type}
                    <Badge
                      label={source.existence === "held" ? "holds it" : "names it"}
                      tone={source.existence === "held" ? "good" : "warn"}
                    />
                    <Time at={source.since} />
                  </Row>
                ))}
              </tbody>
            </Table>
          )}
          {nearMisses.length > 0 && (
            <>
              <h2 className="subheading">Nearly the same</h2>
              <p className="soft">
                These have the same name, or a part of it. If one of them is the same thing, a connector needs another
                <code> instance</code> or database.
              </p>
              <ul className="stack snug">
                {nearMisses.map((asset) => (
                  <li key={asset.id} className="row soft">
                    <TypeIcon type={asset.type} />
                    <Link href={pathOfAsset(asset.id)}>{asset.fqn}</Link> {asset.platform}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </Loaded>
  );
}
