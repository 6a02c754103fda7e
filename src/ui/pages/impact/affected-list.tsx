/** What a change would affect, by risk, each with the reason and the evidence. */
import { useState } from "react";
import { Link } from "wouter";

import { ownerOf, parentOf, pathOfNode } from "../../assets/asset-row.ts";
import { formatCount } from "../../parts/count.ts";
import { CertificationBadge, type Risk, RiskBadge, TypeIcon } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Prose } from "../../parts/prose.tsx";
import type { Affected } from "./documents.ts";
import { EvidenceDetails } from "./evidence.tsx";
import { RISKS } from "./risks.ts";

/** How many of a risk are shown at first, and by each press of the button. */
const STEP = 50;

export function AffectedList({ affected }: { affected: readonly Affected[] }) {
  const byRisk = Map.groupBy(affected, ({ risk }) => risk);
  return RISKS.map(({ risk, title }) => {
    const group = byRisk.get(risk) ?? [];
    return group.length > 0 && <Group key={risk} risk={risk} title={title} affected={group} />;
  });
}

function Group({ risk, title, affected }: { risk: Risk; title: string; affected: readonly Affected[] }) {
  const [shown, setShown] = useState(STEP);
  return (
    <section className="stack snug" aria-label={`${risk} risk`}>
      <h2 className="cluster subheading">
        <RiskBadge risk={risk} /> {title} <span className="count">{formatCount(affected.length)}</span>
      </h2>
      <ul className="lines">
        {affected.slice(0, shown).map((each) => (
          <AffectedLine key={each.id} affected={each} />
        ))}
      </ul>
      {affected.length > shown && <Button onClick={() => setShown(shown + STEP)}>Show more</Button>}
    </section>
  );
}

export function AffectedLine({ affected }: { affected: Affected }) {
  return (
    <li className="line beside-icon">
      <TypeIcon type={affected.type} />
      <div className="stack tight shrink">
        <div className="words">
          <Link href={pathOfNode(affected)} className="name">
            {affected.name}
          </Link>
          <span className="hint">{parentOf(affected)}</span>
          <CertificationBadge certification={affected.certification} />
          <span className="push-on-wide soft small">{ownerOf(affected) ?? "no owner"}</span>
        </div>
        <p className="soft wrap">
          <Prose text={affected.reason} />
        </p>
        <EvidenceDetails affected={affected} />
      </div>
    </li>
  );
}
