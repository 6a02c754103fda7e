/** The owners of affected assets, each with the number of their assets. */
import { ownerOf } from "../../assets/asset-row.ts";
import { formatCount } from "../../parts/count.ts";
import { Icon } from "../../parts/icon.tsx";
import type { Owner } from "./documents.ts";
import styles from "./owners.module.css";

/** Names an owner in the URL; "" for assets without one. */
export function ownerKey({ owner, ownerName }: Pick<Owner, "owner" | "ownerName">): string {
  return owner?.toLowerCase() ?? ownerName ?? "";
}

interface OwnersProps {
  owners: readonly Owner[];
  /** Only the assets of this owner are shown; null for all. */
  chosen: string | null;
  onChoose: (owner: string | null) => void;
}

export function Owners({ owners, chosen, onChoose }: OwnersProps) {
  return (
    <ul className={`lines ${styles["owners"]}`}>
      {owners.map((each) => {
        const key = ownerKey(each);
        return (
          <li key={key} className="row">
            <button
              type="button"
              className="pick line grow"
              aria-pressed={key === chosen}
              title={`${each.owner ?? ""} ${key === chosen ? "Show all" : "Show only these"}`.trim()}
              onClick={() => onChoose(key === chosen ? null : key)}
            >
              <span className="medium cut grow">{ownerOf(each) ?? "Without an owner"}</span>
              <span className="hint nowrap">{describeCounts(each)}</span>
            </button>
            {each.owner && (
              <a className="soft" href={`mailto:${each.owner}`} aria-label={`Write to ${each.owner}`}>
                <Icon name="mail" size={14} />
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function describeCounts({ summary: { highRiskCount, mediumRiskCount, lowRiskCount } }: Owner): string {
  const counts = [
    [highRiskCount, "high"],
    [mediumRiskCount, "medium"],
    [lowRiskCount, "low"],
  ] as const;
  return counts.flatMap(([count, risk]) => (count === 0 ? [] : [`${formatCount(count)} ${risk}`])).join(", ");
}
