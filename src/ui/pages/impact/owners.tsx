/** The owners of affected assets, each with the number of their assets. */
import { PersonName } from "../../assets/names.tsx";
import { personKey } from "../../assets/asset-row.ts";
import { formatCount } from "../../parts/count.ts";
import { Icon } from "../../parts/marks.tsx";
import type { Owner, Unrefreshed } from "./documents.ts";
import styles from "./owners.module.css";

/** An owner to tell, and how much of theirs is not affected but gets no new data. */
export type OwnerToTell = Owner & { unrefreshed: number };

/** The owners of what is affected, then those of whom only something gets no new data. */
export function joinOwners(affected: readonly Owner[], unrefreshed: Unrefreshed["owners"]): OwnerToTell[] {
  const counts = new Map(unrefreshed.map((each) => [personKey(each.ownedBy), each.count]));
  const known = new Set(affected.map(({ ownedBy }) => personKey(ownedBy)));
  const others = unrefreshed.filter((each) => !known.has(personKey(each.ownedBy)));
  const count = (each: Owner): OwnerToTell =>
    Object.assign({}, each, { unrefreshed: counts.get(personKey(each.ownedBy)) ?? 0 });
  return [...affected.map(count), ...others.map(({ ownedBy }) => count({ ownedBy, summary: NONE }))];
}

const NONE = { totalAffected: 0, highRiskCount: 0, mediumRiskCount: 0, lowRiskCount: 0 };

interface OwnersProps {
  owners: readonly OwnerToTell[];
  /** Only the assets of this owner are shown; null for all. */
  chosen: string | null;
  onChoose: (owner: string | null) => void;
}

export function Owners({ owners, chosen, onChoose }: OwnersProps) {
  return (
    <ul className={`lines ${styles["owners"]}`}>
      {owners.map((each) => {
        const key = personKey(each.ownedBy);
        return (
          <li key={key} className="row">
            <button
              type="button"
              className="pick line grow"
              aria-pressed={key === chosen}
              title={key === chosen ? "Show all" : "Show only these"}
              onClick={() => onChoose(key === chosen ? null : key)}
            >
              <span className="medium cut">
                <PersonName of={each.ownedBy} none="Without an owner" />
              </span>
              <span className="hint nowrap">{describeCounts(each)}</span>
            </button>
            {each.ownedBy?.address && (
              <a className="soft" href={`mailto:${each.ownedBy.address}`} aria-label={`Write to ${each.ownedBy.name}`}>
                <Icon name="mail" size={14} />
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function describeCounts({ summary, unrefreshed }: OwnerToTell): string {
  const { highRiskCount, mediumRiskCount, lowRiskCount } = summary;
  const counts = [
    [highRiskCount, "high"],
    [mediumRiskCount, "medium"],
    [lowRiskCount, "low"],
    [unrefreshed, "not refreshed"],
  ] as const;
  return counts.flatMap(([count, risk]) => (count === 0 ? [] : [`${formatCount(count)} ${risk}`])).join(", ");
}
