/** Who must be told, and how much of theirs is affected. */
import { ownerOf } from "../../assets/asset-row.ts";
import { Icon } from "../../parts/icon.tsx";
import type { Owner } from "./documents.ts";
import styles from "./owners.module.css";

/** Names an owner in the URL; "" for assets without one. */
export function ownerKey(owner: Pick<Owner, "owner" | "ownerName">): string {
  return owner.owner ?? owner.ownerName ?? "";
}

interface OwnersProps {
  owners: readonly Owner[];
  /** The owner whose assets alone are shown; null for all. */
  chosen: string | null;
  onChoose: (owner: string | null) => void;
}

export function Owners({ owners, chosen, onChoose }: OwnersProps) {
  return (
    <ul className={styles["owners"]}>
      {owners.map((each) => {
        const key = ownerKey(each);
        return (
          <li key={key}>
            <button
              type="button"
              aria-pressed={key === chosen}
              title={key === chosen ? "Show all" : "Show only these"}
              onClick={() => onChoose(key === chosen ? null : key)}
            >
              <span className={styles["name"]}>{ownerOf(each) ?? "Without an owner"}</span>
              <span className={styles["counts"]}>{describeCounts(each)}</span>
            </button>
            {each.owner && (
              <a href={`mailto:${each.owner}`} aria-label={`Write to ${each.owner}`}>
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
  return counts
    .flatMap(([count, risk]) => (count === 0 ? [] : [`${count.toLocaleString("en-US")} ${risk}`]))
    .join(", ");
}
