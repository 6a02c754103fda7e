/** How much of what the asset stands on is known. */
import { useQuery } from "urql";
import { Link } from "wouter";

import { pathOfAsset } from "../../assets/asset-row.ts";
import { Icon } from "../../parts/icon.tsx";
import { ErrorPanel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Time } from "../../parts/time.tsx";
import styles from "./completeness.module.css";
import { type AssetDetail, COMPLETENESS } from "./documents.ts";

const COLUMN_LINEAGE = {
  known: "Its column lineage is known.",
  partial: "Its column lineage is known in part.",
  unknown: "Its column lineage is unknown.",
} as const;

export function Completeness({ asset }: { asset: AssetDetail }) {
  const [{ data, error }] = useQuery({ query: COMPLETENESS, variables: { id: asset.id } });
  if (error) return <ErrorPanel error={error} />;
  const lineage = data?.lineage;
  if (!lineage) return <Skeleton rows={2} label="Loading the completeness" />;
  const { complete, asOf, gaps, gapsTotal } = lineage.completeness;
  const { columnLineage } = asset;
  return (
    <ul className={styles["list"]}>
      {columnLineage && (
        <li data-tone={columnLineage.status === "known" ? "good" : "warn"}>
          <Icon name={columnLineage.status === "known" ? "check" : "warning"} />
          <span>
            {COLUMN_LINEAGE[columnLineage.status]} {columnLineage.reason}
          </span>
        </li>
      )}
      <li data-tone={complete ? "good" : "warn"}>
        <Icon name={complete ? "check" : "warning"} />
        <span>
          {complete
            ? "Nothing upstream of it has a gap."
            : `${gapsTotal.toLocaleString("en-US")} ${gapsTotal === 1 ? "gap" : "gaps"} in what it is made from:`}
          {gaps.length > 0 && (
            <ul className={styles["gaps"]}>
              {gaps.slice(0, 5).map(({ assetId, reason }) => (
                <li key={`${assetId} ${reason}`}>
                  <Link href={pathOfAsset(assetId)}>Look at it</Link>: {reason}
                </li>
              ))}
            </ul>
          )}
        </span>
      </li>
      <li data-tone={asOf === null ? "warn" : "neutral"}>
        <Icon name="clock" />
        <span>{asOf === null ? "One of its connectors has never completed a crawl." : <AsOf at={asOf} />}</span>
      </li>
    </ul>
  );
}

function AsOf({ at }: { at: string }) {
  return (
    <>
      As of the crawl <Time at={at} />.
    </>
  );
}
