/** What the asset is, who owns it, and how much is known about it. */
import { useQuery } from "urql";
import { Link } from "wouter";

import { FailingChecks } from "../../assets/failing-checks.tsx";
import { Tags, PersonName } from "../../assets/names.tsx";
import { USAGE_DAYS, usageWords, pathOfAsset } from "../../assets/asset-row.ts";
import { countOf, formatCount } from "../../parts/count.ts";
import { Description } from "../../parts/description.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Time } from "../../parts/time.tsx";
import { IconLine } from "../../parts/marks.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Prose } from "../../parts/prose.tsx";
import { type AssetDetail, COMPLETENESS, CONNECTORS } from "./documents.ts";
import { EditableText } from "./editable-text.tsx";
import { NearLineage } from "./lineage-tab.tsx";

export function OverviewTab({ asset }: { asset: AssetDetail }) {
  return (
    <div className="columns">
      <div className="stack loose">
        <section>
          <h2 className="caption gap-below">Description</h2>
          <EditableText asset={asset} field="description" empty="No description yet.">
            {asset.description && (
              <div className="large">
                <Description text={asset.description} />
              </div>
            )}
          </EditableText>
        </section>
        <section>
          <h2 className="caption gap-below">Lineage</h2>
          <NearLineage id={asset.id} />
        </section>
        {asset.type !== "column" && (
          <section>
            <h2 className="caption gap-below">Failing checks</h2>
            <FailingChecks id={asset.id} />
          </section>
        )}
        <section>
          <h2 className="caption gap-below">Completeness</h2>
          <Completeness asset={asset} />
        </section>
      </div>
      <About asset={asset} />
    </div>
  );
}

function About({ asset }: { asset: AssetDetail }) {
  // A column without an owner has that of its table.
  const owner = asset.ownedBy ?? asset.parent?.ownedBy ?? null;
  const { last_run_state: lastRun } = asset.meta;
  return (
    <Facts
      of={{
        Owner: (
          <EditableText asset={asset} field="owner" empty="Nobody">
            {owner !== null && (
              <>
                <PersonName of={owner} isLink />
                {asset.ownedBy === null && <small className="hint">as the owner of {asset.parent?.name}</small>}
              </>
            )}
          </EditableText>
        ),
        Tags: (
          <EditableText asset={asset} field="tags" empty="None">
            {asset.tags.length > 0 && <Tags tags={asset.tags} />}
          </EditableText>
        ),
        Used: asset.usage && (
          <>
            {usageWords(asset.usage).join(", ")}
            <small>
              in {USAGE_DAYS} days, until <Time at={asset.usage.until} />
            </small>
          </>
        ),
        Certified: asset.certification === "certified" && (
          <>
            <PersonName of={asset.certifier} none="By its source" />
            {asset.certifiedAt && (
              <small>
                <Time at={asset.certifiedAt} />
              </small>
            )}
          </>
        ),
        Connector: <Connectors names={asset.connectors} />,
        Platform: asset.platform,
        "Built as": asset.materialization || null,
        "Last run": typeof lastRun === "string" && lastRun,
        Checks:
          asset.checks.totalCount === 0 ? (
            "None"
          ) : (
            <Link href="?tab=columns">{formatCount(asset.checks.totalCount)}</Link>
          ),
        Changed: <Time at={asset.updatedAt} />,
        "First seen": <Time at={asset.createdAt} />,
      }}
    />
  );
}

/** The connectors that hold the asset, each with its last crawl. */
function Connectors({ names }: { names: readonly string[] }) {
  const [{ data }] = useQuery({ query: CONNECTORS });
  if (names.length === 0) return "None holds it";
  const byName = new Map(data?.connectors?.nodes.map((connector) => [connector.name, connector]));
  return names.map((name) => {
    const connector = byName.get(name);
    const receivedAt = connector?.reception?.receivedAt;
    const heardAt = receivedAt ?? connector?.lastSync?.completedAt;
    return (
      <div key={name}>
        {name} {connector && <span className="faint">{connector.type}</span>}
        <small>
          {heardAt ? (
            <>
              {receivedAt ? "received" : "synced"} <Time at={heardAt} />
            </>
          ) : (
            connector && "not synced yet"
          )}
        </small>
      </div>
    );
  });
}

const COLUMN_LINEAGE = {
  known: "Its column lineage is known",
  partial: "Its column lineage is known in part",
  unknown: "Its column lineage is unknown",
} as const;

const GOOD = { icon: "check", tone: "good" } as const;
const GAP = { icon: "warning", tone: "warn" } as const;

/** How much of the asset's upstream lineage is known. */
function Completeness({ asset }: { asset: AssetDetail }) {
  const asked = useQuery({ query: COMPLETENESS, variables: { id: asset.id } });
  const { columnLineage } = asset;
  return (
    <Loaded what="the completeness" asked={asked} pick={({ lineage }) => lineage?.completeness} rows={2}>
      {({ complete, asOf, gaps, gapsTotal }) => (
        <ul className="stack snug">
          {columnLineage && (
            <IconLine {...(columnLineage.status === "known" ? GOOD : GAP)}>
              {COLUMN_LINEAGE[columnLineage.status]}
              {columnLineage.reason === null ? "." : `: ${columnLineage.reason}.`}
            </IconLine>
          )}
          <IconLine {...(complete ? GOOD : GAP)}>
            {complete ? "Nothing upstream of it has a gap." : `${countOf(gapsTotal, "gap")} in what it is made from:`}
            {gaps.length > 0 && (
              <ul className="soft">
                {gaps.slice(0, 5).map(({ assetId, node, reason }) => (
                  <li key={`${assetId} ${reason}`}>
                    {assetId === asset.id ? (
                      "Itself"
                    ) : (
                      <Link href={pathOfAsset(assetId)}>{node?.displayName ?? "An asset"}</Link>
                    )}
                    : {assetId === asset.id && reason === columnLineage?.reason ? "see above" : <Prose text={reason} />}
                  </li>
                ))}
              </ul>
            )}
          </IconLine>
          <IconLine icon="clock" tone={asOf === null ? "warn" : "neutral"}>
            {asOf !== null && "As of "}
            <Time at={asOf} none="One of its connectors has never completed a sync" />.
          </IconLine>
        </ul>
      )}
    </Loaded>
  );
}
