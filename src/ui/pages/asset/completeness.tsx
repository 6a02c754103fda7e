/** How much of the asset's upstream lineage is known. */
import { useQuery } from "urql";
import { Link } from "wouter";

import { pathOfAsset } from "../../assets/asset-row.ts";
import { countOf } from "../../parts/count.ts";
import { Icon } from "../../parts/icon.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Time } from "../../parts/time.tsx";
import { type AssetDetail, COMPLETENESS } from "./documents.ts";

const COLUMN_LINEAGE = {
  known: "Its column lineage is known.",
  partial: "Its column lineage is known in part.",
  unknown: "Its column lineage is unknown.",
} as const;

export function Completeness({ asset }: { asset: AssetDetail }) {
  const asked = useQuery({ query: COMPLETENESS, variables: { id: asset.id } });
  const { columnLineage } = asset;
  return (
    <Loaded what="the completeness" asked={asked} pick={({ lineage }) => lineage?.completeness} rows={2}>
      {({ complete, asOf, gaps, gapsTotal }) => (
        <ul className="stack snug">
          {columnLineage && (
            <li className="beside-icon snug faint-icon" data-tone={columnLineage.status === "known" ? "good" : "warn"}>
              <Icon name={columnLineage.status === "known" ? "check" : "warning"} />
              <span>
                {COLUMN_LINEAGE[columnLineage.status]} {columnLineage.reason}
              </span>
            </li>
          )}
          <li className="beside-icon snug faint-icon" data-tone={complete ? "good" : "warn"}>
            <Icon name={complete ? "check" : "warning"} />
            <span>
              {complete ? "Nothing upstream of it has a gap." : `${countOf(gapsTotal, "gap")} in what it is made from:`}
              {gaps.length > 0 && (
                <ul className="soft wrap">
                  {gaps.slice(0, 5).map(({ assetId, reason }) => (
                    <li key={`${assetId} ${reason}`}>
                      <Link href={pathOfAsset(assetId)}>Look at it</Link>: {reason}
                    </li>
                  ))}
                </ul>
              )}
            </span>
          </li>
          <li className="beside-icon snug faint-icon" data-tone={asOf === null ? "warn" : "neutral"}>
            <Icon name="clock" />
            <span>
              {asOf !== null && "As of the sync "}
              <Time at={asOf} none="One of its connectors has never completed a sync" />.
            </span>
          </li>
        </ul>
      )}
    </Loaded>
  );
}
