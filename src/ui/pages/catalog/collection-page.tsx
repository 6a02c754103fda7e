/** The page of a tag, and of an owner or team: what it has, what of it needs attention, and its assets. */
import { Link, useParams } from "wouter";

import { PersonName } from "../../assets/names.tsx";
import { usePerson, pathOfTag } from "../../assets/asset-row.ts";
import { OrderSelect, readOrder } from "../../assets/order.tsx";
import { NodeLines } from "../../assets/node-lines.tsx";
import { useFresh } from "../../graphql/requests.ts";
import { Badge, TypeBadge } from "../../parts/marks.tsx";
import { countOf, formatCount } from "../../parts/count.ts";
import { Listing, Loaded } from "../../parts/listing.tsx";
import { Page, Section, Panel } from "../../parts/page.tsx";
import { AssetLine } from "./asset-line.tsx";
import { ASSETS, COLLECTION } from "./documents.ts";
import { BROWSED, toVariables } from "./filters.ts";
import { useParameters } from "../../parts/use-parameters.ts";

/** The router leaves marks such as `@` and `/` encoded. */
function useName(): string {
  const { name = "" } = useParams();
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export function TagPage() {
  const tag = useName();
  return <Collection key={tag} kind="Tag" name={tag} filter="tag" />;
}

export function OwnerPage() {
  const name = useName();
  return <Collection key={name} kind="Owner" name={name} filter="responsible" />;
}

interface CollectionProps {
  kind: "Tag" | "Owner";
  name: string;
  /** The filter that its assets and metrics pass. */
  filter: "tag" | "responsible";
}

function Collection({ kind, name, filter }: CollectionProps) {
  const chosen = { [filter]: name };
  const order = readOrder(useParameters().parameters);
  const asked = useFresh(COLLECTION, { ...chosen, types: BROWSED }, { types: ["Asset", "Metric"] });
  const pathOf = (page: "catalog" | "metrics", more: Record<string, string> = {}): string =>
    `/${page}?${new URLSearchParams({ ...chosen, ...more })}`;
  const owner = usePerson(kind === "Owner" ? name : null);
  return (
    <Page
      above={{ href: "/catalog", label: "Catalog" }}
      title={owner?.name ?? name}
      beside={
        <>
          <Badge label={kind.toLowerCase()} />
          {owner !== null && owner.name !== owner.address && <span className="soft">{owner.address}</span>}
        </>
      }
    >
      <Loaded what={`what has this ${kind.toLowerCase()}`} asked={asked} pick={(data) => data} rows={4}>
        {({ all, failing, undescribed, metrics }) => (
          <>
            <p className="cluster roomy soft">
              {all?.facets.types.map(({ type, count }) => (
                <Link key={type} href={pathOf("catalog", { type })} className="row inline tight">
                  <TypeBadge type={type} /> <span className="number">{formatCount(count)}</span>
                </Link>
              ))}
              {failing !== null && failing.totalCount !== 0 && failing.totalCount !== null && (
                <Link href={pathOf("catalog", { failing: "yes" })} className="warn">
                  {countOf(failing.totalCount, "asset")} with failing checks
                </Link>
              )}
              {undescribed !== null && undescribed.totalCount !== 0 && undescribed.totalCount !== null && (
                <Link href={pathOf("catalog", { described: "no" })}>
                  {countOf(undescribed.totalCount, "asset")} without a description
                </Link>
              )}
            </p>
            <p className="cluster tight small hide-empty">
              {kind === "Tag"
                ? all?.facets.owners.map(
                    ({ person }) =>
                      person !== null && (
                        <Badge key={person.address} icon="user" label={<PersonName of={person} isLink />} />
                      ),
                  )
                : all?.facets.tags.map(
                    ({ value }) =>
                      value !== null && (
                        <Link key={value} href={pathOfTag(value)}>
                          <Badge icon="tag" label={value} />
                        </Link>
                      ),
                  )}
            </p>
            {metrics !== null && metrics.nodes.length > 0 && (
              <Section
                title="Metrics"
                count={metrics.totalCount ?? undefined}
                actions={
                  <Link href={pathOf("metrics")} className="small">
                    Show all
                  </Link>
                }
              >
                <NodeLines label="Metrics" nodes={metrics.nodes} detail={({ description }) => description} />
              </Section>
            )}
            <Section
              title="Assets"
              count={all?.totalCount ?? undefined}
              actions={
                <>
                  <OrderSelect usual="by schema" />
                  <Link href={pathOf("catalog", order === null ? {} : { sort: order })} className="small">
                    Search among them
                  </Link>
                </>
              }
            >
              <Listing
                key={order}
                what="the assets"
                query={ASSETS}
                variables={{ ...toVariables({ search: "", chosen }), orderBy: order }}
                pick={({ assets }) => assets && { ...assets, nodes: assets.edges }}
                types={["Asset"]}
                loadsOnScroll
                empty={
                  <Panel icon="search" title="No assets">
                    Nothing in the catalog has it.
                  </Panel>
                }
                list=""
                renderLine={({ node }) => <AssetLine asset={node} matched={null} search="" />}
              />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}
