/** Beside the list of affected assets: their owners, the failing checks, and how much of the lineage is known. */
import { Link } from "wouter";

import { pathOfAsset } from "../../assets/asset-row.ts";
import { countOf } from "../../parts/count.ts";
import { Icon } from "../../parts/icon.tsx";
import { Section } from "../../parts/page.tsx";
import { Prose } from "../../parts/prose.tsx";
import { Time } from "../../parts/time.tsx";
import styles from "./consequences.module.css";
import type { ImpactCompleteness, Owner } from "./documents.ts";
import { Owners } from "./owners.tsx";

const LINE = "beside-icon snug faint-icon soft wrap";

interface FailingCheck {
  id: string;
  name: string;
  kind: string;
  reason: string;
}

interface ConsequencesProps {
  owners: readonly Owner[];
  owner: string | null;
  onShowOwner: (owner: string | null) => void;
  checks: readonly FailingCheck[];
  checksTotal: number;
  completeness: ImpactCompleteness;
}

const SHOWN_GAPS = 5;
const SHOWN_CHECKS = 20;

export function Consequences(props: ConsequencesProps) {
  const { owners, owner, onShowOwner, checks, checksTotal, completeness } = props;
  return (
    <>
      {owners.length > 0 && (
        <Section title="Who must be told" count={owners.length}>
          <Owners owners={owners} chosen={owner} onChoose={onShowOwner} />
        </Section>
      )}
      <Section title="Checks that would fail" count={checksTotal}>
        {checks.length === 0 && <p className="soft">None that the catalog knows.</p>}
        <ul className={`stack snug ${styles["list"]}`}>
          {checks.slice(0, SHOWN_CHECKS).map(({ id, name, kind, reason }) => (
            <li key={`${id} ${reason}`} className={LINE}>
              <Icon name="warning" size={14} />
              <span>
                <strong>{name}</strong> <span className="hint">{kind.replaceAll("_", " ")}</span>
                <br />
                <Prose text={reason} />
              </span>
            </li>
          ))}
        </ul>
        {checksTotal > SHOWN_CHECKS && <p className="soft">And {checksTotal - SHOWN_CHECKS} more.</p>}
      </Section>
      <Completeness completeness={completeness} />
    </>
  );
}

function Completeness({ completeness: { complete, gaps, gapsTotal, asOf } }: { completeness: ImpactCompleteness }) {
  return (
    <Section title="Completeness">
      <ul className={`stack snug ${styles["list"]}`}>
        <li className={LINE} data-tone={complete ? "good" : "warn"}>
          <Icon name={complete ? "check" : "warning"} size={14} />
          <span>
            {complete
              ? "All lineage that this answer needs is known."
              : `${countOf(gapsTotal, "gap")}: more may be affected.`}
          </span>
        </li>
        {gaps.slice(0, SHOWN_GAPS).map(({ assetId, reason }) => (
          <li key={`${assetId} ${reason}`} className={LINE}>
            <Icon name="info" size={14} />
            <span>
              <Prose text={reason} /> <Link href={pathOfAsset(assetId)}>Look at it</Link>
            </span>
          </li>
        ))}
        <li className={LINE}>
          <Icon name="clock" size={14} />
          <span>
            {asOf !== null && "As of the crawl "}
            <Time at={asOf} none="One of its connectors has never completed a crawl" />.
          </span>
        </li>
      </ul>
    </Section>
  );
}
