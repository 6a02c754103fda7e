import { type AssetRow, parentOf, type SearchMatch, type Usage, usageWords } from "../../assets/asset-row.ts";
import { Highlight, NodeName, PersonName } from "../../assets/names.tsx";
import { Badge, CertificationBadge, TypeIcon, Icon } from "../../parts/marks.tsx";
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
    <li className={`hoverable relative line-below ${styles["line"]}`}>
      <span className="row tight">
        {onChoose && (
          <input
            type="checkbox"
            className={`relative ${styles["choice"]}`}
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

const FIELDS = {
  column: { icon: "column", text: "column" },
  tag: { icon: "tag", text: "tag" },
  owner: { icon: "user", text: "owner" },
  description: { icon: "info", text: "description" },
} as const;

type Field = keyof typeof FIELDS;

/** Why an asset was found, if its name does not show it. */
function ExplainMatch({ match, description }: { match: SearchMatch; description: string | null }) {
  const found = match.words.filter((it): it is typeof it & { field: Field } => it.field !== "name");
  if (found.length === 0) return null;
  const reasons = new Map(found.map(({ field, text }) => [`${field} ${text ?? ""}`, { field, text }]));
  const words = found.map(({ word }) => word);
  return (
    <span className="row roomy shrink cut">
      {[...reasons].map(([key, { field, text }]) => (
        <span key={key} className="row tight shrink cut">
          <Icon name={FIELDS[field].icon} size={12} />
          <span className="faint">{FIELDS[field].text}</span>
          <span className="cut">
            <Highlight text={(field === "description" ? description : text) ?? text ?? ""} words={words} cuts />
          </span>
        </span>
      ))}
    </span>
  );
}
