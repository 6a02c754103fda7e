/** An answer: what is affected, and beside it whom to tell, the failing checks, and how much of the lineage is known. */
import type { ReactNode } from "react";
import { Link } from "wouter";

import { pathOfAsset, pathOfNode } from "../../assets/asset-row.ts";
import { countOf, formatCount } from "../../parts/count.ts";
import { IconLine } from "../../parts/marks.tsx";
import { Section, Panel } from "../../parts/page.tsx";
import { Prose } from "../../parts/prose.tsx";
import { Time } from "../../parts/time.tsx";
import { AffectedList, countAssets, UnrefreshedList } from "./affected-list.tsx";
import type { Assets, ChangeSetAnswer, ImpactCompleteness } from "./documents.ts";
import { Filters, passes, useFilter } from "./filter.tsx";
import { joinOwners, Owners } from "./owners.tsx";
import styles from "./result.module.css";

type FailingChecks = ChangeSetAnswer["checks"];

interface ResultProps {
  answer: Pick<ChangeSetAnswer, "assets" | "truncated" | "checks" | "unrefreshed" | "completeness">;
  actions: ReactNode;
  /** Ids of the assets that are shown; null for all. */
  only?: ReadonlySet<string> | null;
  /** The first lines, if the numbers of what is affected are not enough. */
  headline?: ReactNode;
  /** Why nothing is affected, if nothing is, and its title. */
  nothing?: string;
  nothingTitle?: string;
  /** Beside the list, after the checks. */
  beside?: ReactNode;
  /** Before what is affected. */
  lead?: ReactNode;
  /** After all else. */
  children?: ReactNode;
}

const SHOWN_GAPS = 5;
const SHOWN_CHECKS = 20;

export function Result(props: ResultProps) {
  const { assets, truncated, checks, unrefreshed, completeness } = props.answer;
  const { actions, only = null, headline, beside, lead, children } = props;
  const { nothing = "Nothing that the catalog knows depends on it." } = props;
  const { nothingTitle = "Nothing would be affected" } = props;
  const { filter, choose } = useFilter();
  const shown = assets.nodes.filter(
    (each) => passes(filter, each.impact) && (only === null || only.has(each.impact.id)),
  );
  const owners = joinOwners(assets.owners, unrefreshed.owners);
  const old = unrefreshed.nodes.filter((each) => passes(filter, each));
  return (
    <>
      <div className="cluster roomy spread">
        <div className="stack tight shrink" role="status">
          {headline ?? (
            <p className="large strong">
              {countAssets(assets)}
              {unrefreshed.total > 0 && ` ${formatCount(unrefreshed.total)} more will not be refreshed.`}
              {checks.total > 0 && ` ${countOf(checks.total, "check")} would fail.`}
            </p>
          )}
        </div>
        <div className="cluster">{actions}</div>
      </div>
      <div className="columns gap-below">
        <div className="stack loose shrink">
          {lead}
          {assets.total > 0 && <Filters assets={assets} filter={filter} onChoose={choose} />}
          {assets.total === 0 ? (
            <Panel icon="check" title={nothingTitle}>
              {truncated ? "Based on a partial result." : nothing}
              {!completeness.complete && " But not everything is known: see Completeness."}
            </Panel>
          ) : (
            shown.length === 0 && <p className="soft">Nothing that is affected passes the filter.</p>
          )}
          <AffectedList key={JSON.stringify([filter, only?.size])} assets={shown} isByOwner={filter.isByOwner} />
          {truncated && (
            <p className="soft small">
              The first {formatCount(assets.nodes.length)} of {formatCount(assets.total)} can be shown.
            </p>
          )}
          {old.length > 0 && (
            <UnrefreshedList
              key={filter.owner}
              total={filter.owner === null && filter.type === null ? unrefreshed.total : old.length}
              nodes={old}
            />
          )}
        </div>
        <aside className={`beside stack loose shrink pinned ${styles["aside"]}`} aria-label="Beside it">
          {owners.length > 0 && (
            <div className={styles["owners"]}>
              <Section title="Who must be told" count={owners.length}>
                <Owners owners={owners} chosen={filter.owner} onChoose={(owner) => choose({ owner })} />
              </Section>
            </div>
          )}
          <Unbuilt {...checks} />
          <Checks {...checks} />
          {beside}
          <Completeness completeness={completeness} affected={assets.nodes} />
        </aside>
      </div>
      {children}
    </>
  );
}

/** What cannot be built any more. */
function Unbuilt({ unbuilt, skippedModels, skippedChecks }: FailingChecks) {
  const models = [...new Map(unbuilt.map((each) => [each.id, each])).values()];
  if (models.length === 0) return null;
  return (
    <Section title="Cannot be built" count={models.length}>
      <ul className="stack snug soft">
        {models.slice(0, SHOWN_CHECKS).map((each) => (
          <IconLine key={each.id} icon="warning" size={14} tone="bad">
            <Link href={pathOfNode(each)}>{each.name}</Link>
          </IconLine>
        ))}
      </ul>
      {models.length > SHOWN_CHECKS && <p className="soft">And {models.length - SHOWN_CHECKS} more.</p>}
      {skippedModels + skippedChecks > 0 && (
        <p className="soft">
          Until {models.length === 1 ? "it is" : "they are"} edited, dbt would skip {countOf(skippedModels, "model")}{" "}
          downstream and {countOf(skippedChecks, "check")}.
        </p>
      )}
    </Section>
  );
}

function Checks({ wouldFail, total, skippedChecks }: FailingChecks) {
  return (
    <Section title={total === 0 ? "Checks" : "Checks that would fail"} {...(total > 0 && { count: total })}>
      {total === 0 && (
        <p className="soft">
          {skippedChecks > 0
            ? `None would fail, because dbt would skip ${formatCount(skippedChecks)}.`
            : "None that the catalog knows would fail."}
        </p>
      )}
      <ul className="stack snug soft">
        {wouldFail.slice(0, SHOWN_CHECKS).map(({ id, name, kind, reason }) => (
          <IconLine key={`${id} ${reason}`} icon="warning" size={14}>
            <strong className="ink">{name}</strong> <span className="hint">{kind.replaceAll("_", " ")}</span>
            <br />
            <Prose text={reason} />
          </IconLine>
        ))}
      </ul>
      {total > SHOWN_CHECKS && <p className="soft">And {total - SHOWN_CHECKS} more.</p>}
    </Section>
  );
}

function Completeness(props: { completeness: ImpactCompleteness; affected: Assets["nodes"] }) {
  const { complete, gaps, gapsTotal, asOf } = props.completeness;
  const vague = props.affected.filter(({ impact }) => impact.evidence.some(({ kind }) => kind === "UNKNOWN"));
  const known =
    vague.length > 0 ? "All SQL that this answer needs could be read." : "All lineage that this answer needs is known.";
  return (
    <Section title="Completeness">
      <ul className="stack snug soft">
        <IconLine icon={complete ? "check" : "warning"} size={14} tone={complete ? "good" : "warn"}>
          {complete
            ? known
            : `${gapsTotal === 0 ? "Not all could be read" : countOf(gapsTotal, "gap")}: more may be affected.`}
        </IconLine>
        {gaps.slice(0, SHOWN_GAPS).map(({ assetId, node, reason }) => (
          <IconLine key={`${assetId} ${reason}`} icon="info" size={14}>
            <Link href={pathOfAsset(assetId)}>{node?.displayName ?? "An asset"}</Link>: <Prose text={reason} />
          </IconLine>
        ))}
        {vague.length > 0 && (
          <IconLine icon="info" size={14}>
            Which columns they use is not known of {formatCount(vague.length)}:{" "}
            {vague
              .slice(0, SHOWN_GAPS)
              .map(({ impact }) => impact.name)
              .join(", ")}
            {vague.length > SHOWN_GAPS && ` and ${vague.length - SHOWN_GAPS} more`}.
          </IconLine>
        )}
        <IconLine icon="clock" size={14}>
          {asOf !== null && "As of "}
          <Time at={asOf} none="One of its connectors has never completed a sync" />.
        </IconLine>
      </ul>
    </Section>
  );
}
