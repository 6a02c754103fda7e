/** What a change would affect: what people look at first, each with the reason, the owner and the evidence. */
import { useState } from "react";
import { Link } from "wouter";

import { ownerOf, parentOf, pathOfNode } from "../../assets/asset-row.ts";
import { usageWords } from "../../assets/usage.ts";
import { NodeName, OwnerName } from "../../assets/node-name.tsx";
import { CertificationBadge, RiskBadge, TypeIcon } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { countOf, formatCount } from "../../parts/count.ts";
import { NODE_TYPE_TABLE, type NodeType } from "../../parts/node-types.ts";
import { Prose } from "../../parts/prose.tsx";
import styles from "./affected-list.module.css";
import type { Affected, AffectedAsset, Owner } from "./documents.ts";
import { EvidenceDetails } from "./evidence.tsx";
import { ownerKey } from "./owners.tsx";

/** How many of a section are shown at first, and by each press of the button. */
const STEP = 50;
const FEW = 10;

/** The section in which an impact lists what is of this type. */
export function sectionOf(type: NodeType): string {
  return NODE_TYPE_TABLE[type].hasColumns ? "Models and tables" : NODE_TYPE_TABLE[type].plural;
}

interface AffectedListProps {
  assets: readonly AffectedAsset[];
  /** Of all that is affected. */
  owners: readonly Owner[];
  isByOwner: boolean;
}

export function AffectedList({ assets, owners, isByOwner }: AffectedListProps) {
  // Some sources only know the address of a person, others the name too.
  const names = new Map(owners.map((owner) => [ownerKey(owner), ownerOf(owner) ?? "Without an owner"]));
  const sections = Map.groupBy(assets, ({ impact }) =>
    isByOwner ? (names.get(ownerKey(impact)) ?? "") : sectionOf(impact.type),
  );
  return [...sections].map(([title, group]) => <Group key={title} title={title} assets={group} />);
}

function Group({ title, assets }: { title: string; assets: readonly AffectedAsset[] }) {
  const [first] = assets;
  const [shown, setShown] = useState(first && NODE_TYPE_TABLE[first.impact.type].hasColumns ? FEW : STEP);
  return (
    <section className="stack snug" aria-label={title}>
      <h2 className="cluster subheading">
        {title} <span className="count">{formatCount(assets.length)}</span>
      </h2>
      <ul className="lines">
        {assets.slice(0, shown).map(({ impact, columns }) => (
          <AffectedLine key={impact.id} affected={impact} columns={columns} />
        ))}
      </ul>
      {assets.length > shown && (
        <Button onClick={() => setShown(shown + STEP)}>
          Show {formatCount(Math.min(STEP, assets.length - shown))} more
        </Button>
      )}
    </section>
  );
}

interface AffectedLineProps {
  affected: Affected;
  columns?: AffectedAsset["columns"] | undefined;
}

export function AffectedLine({ affected, columns }: AffectedLineProps) {
  return (
    <li className="line beside-icon">
      <TypeIcon type={affected.type} />
      <div className="stack tight shrink">
        <div className="words">
          <NodeName node={affected} />
          <RiskBadge risk={affected.risk} />
          <CertificationBadge certification={affected.certification} />
          <span className="hint">{parentOf(affected)}</span>
          {affected.usage && <span className="hint">used by {usageWords(affected.usage).join(", ")}</span>}
          <span className="push-on-wide soft small">
            <OwnerName of={affected} />
          </span>
        </div>
        <p className={`soft wrap ${styles["reason"]}`}>
          <Prose text={affected.reason} />
        </p>
        <div className="words">
          <EvidenceDetails affected={affected} />
          {columns !== undefined && columns.length > 0 && (
            <details>
              <summary className="hint">{countOf(columns.length, "column")}</summary>
              <ul className="words small">
                {columns.map(({ id, name, risk }) => (
                  <li key={id}>
                    <Link href={pathOfNode({ id, type: "column" })}>{name}</Link>
                    {risk !== affected.risk && <span className="hint"> {risk} risk</span>}
                  </li>
                ))}
              </ul>
            </details>
          )}
        </div>
      </div>
    </li>
  );
}
