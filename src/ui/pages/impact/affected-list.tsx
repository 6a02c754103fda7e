/** What a change would affect, by risk, each with the reason and the evidence. */
import { useState } from "react";
import { Link } from "wouter";

import { ownerOf, parentOf, pathOfNode } from "../../assets/asset-row.ts";
import { CertificationBadge, type Risk, RiskBadge, TypeIcon } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Prose } from "../../parts/prose.tsx";
import styles from "./affected-list.module.css";
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
    <section className={styles["group"]} aria-label={`${risk} risk`}>
      <h2>
        <RiskBadge risk={risk} /> {title}{" "}
        <span className={styles["count"]}>{affected.length.toLocaleString("en-US")}</span>
      </h2>
      <ul className={styles["list"]}>
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
    <li className={styles["line"]}>
      <TypeIcon type={affected.type} />
      <div className={styles["what"]}>
        <div className={styles["first"]}>
          <Link href={pathOfNode(affected)}>{affected.name}</Link>
          <span className={styles["path"]}>{parentOf(affected)}</span>
          <CertificationBadge certification={affected.certification} />
          <span className={styles["owner"]}>{ownerOf(affected) ?? "no owner"}</span>
        </div>
        <p className={styles["reason"]}>
          <Prose text={affected.reason} />
        </p>
        <EvidenceDetails affected={affected} />
      </div>
    </li>
  );
}
