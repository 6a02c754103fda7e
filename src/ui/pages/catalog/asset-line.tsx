import { type AssetRow, parentOf, type SearchMatch } from "../../assets/asset-row.ts";
import { ExplainMatch } from "../../assets/explain-match.tsx";
import { type Usage, usageWords } from "../../assets/usage.ts";
import { NodeName } from "../../assets/node-name.tsx";
import { PersonName } from "../../assets/person-name.tsx";
import { Badge, CertificationBadge, TypeIcon } from "../../parts/badge.tsx";
import styles from "./asset-line.module.css";

const SHOWN_TAGS = 2;

interface AssetLineProps {
  asset: AssetRow;
  matched: SearchMatch | null;
  search: string;
  /** Told in a list that is in the order of use. */
  usage?: Usage | null;
  isChosen?: boolean;
  /** Chooses it, to be edited with others. Null or absent: nobody can choose it. */
  onChoose?: ((isChosen: boolean) => void) | null;
}

/** One asset of the list: what it is, and why it was found. */
export function AssetLine({ asset, matched, search, usage = null, isChosen = false, onChoose }: AssetLineProps) {
  const { name, type, description, tags, certification, dataType } = asset;
  const inName = matched?.words.filter(({ field }) => field === "name").map(({ word }) => word) ?? [];
  const words = search === "" ? [] : inName;
  const explains = matched?.words.some(({ field }) => field !== "name") ?? false;
  return (
    <li className={`hoverable ${styles["line"]}`}>
      <span className="row tight">
        {onChoose && (
          <input
            type="checkbox"
            className={styles["choice"]}
            aria-label={`Choose ${name}`}
            checked={isChosen}
            onChange={(event) => onChoose(event.target.checked)}
          />
        )}
        <TypeIcon type={type} />
      </span>
      <div className="shrink">
        <div className="row shrink">
          <NodeName node={asset} className={`name cut whole-line ${styles["name"]}`} words={words} isRow />
          <span className="hint cut">{parentOf(asset)}</span>
          {dataType && <code className="hint nowrap wide-only">{dataType}</code>}
          <CertificationBadge certification={certification} />
        </div>
        <div className="soft small cut">
          {usage && <span className="medium">{usageWords(usage).join(", ")}</span>}
          {usage && description && " · "}
          {explains && matched ? <ExplainMatch match={matched} description={description} /> : (description ?? "")}
        </div>
      </div>
      <div className="row tight wide-only">
        {tags.slice(0, SHOWN_TAGS).map((tag) => (
          <Badge key={tag} label={tag} />
        ))}
        {tags.length > SHOWN_TAGS && <Badge label={`+${tags.length - SHOWN_TAGS}`} title={tags.join(", ")} />}
      </div>
      <div className="soft small cut end wide-only">
        <PersonName of={asset.ownedBy} none={type === "column" ? "" : "no owner"} />
      </div>
    </li>
  );
}
