/** What several changes together would break, change by change. */
import type { ReactNode } from "react";
import { Link } from "wouter";

import { PersonName } from "../../assets/names.tsx";
import { type NodeRow, pathOfNode } from "../../assets/asset-row.ts";
import { Badge, TypeIcon, Icon } from "../../parts/marks.tsx";
import { Button } from "../../parts/button.tsx";
import { copyText } from "../../parts/copy.tsx";
import { formatCount } from "../../parts/count.ts";
import { Section } from "../../parts/page.tsx";
import { Prose } from "../../parts/prose.tsx";
import { AffectedLine } from "./affected-list.tsx";
import type { ChangeSetAnswer, FoundChange } from "./documents.ts";
import { LineageAfter, LineageLink } from "./lineage-after.tsx";
import { Result } from "./result.tsx";
import { useParameters } from "../../parts/use-parameters.ts";

const STATES = {
  adapted: { title: "Adapted by this pull request", hint: "They no longer depend on what changes." },
  dropped: { title: "Dropped by this pull request", hint: "They go away themselves." },
} as const;

export function ChangeSetResult({ answer }: { answer: ChangeSetAnswer }) {
  const { parameters, setParameter } = useParameters();
  const { changes, reached, rest, lapses, uncompared, markdown, lineage, failed, verdict, headline, steps } = answer;
  const { rewritten } = answer;
  const unread = uncompared.filter(({ isUnread }) => isUnread);
  const notes = uncompared.filter(({ isUnread }) => !isUnread);
  const [tone, icon] = failed
    ? (["bad", "close"] as const)
    : unread.length > 0
      ? (["warn", "warning"] as const)
      : (["good", "check"] as const);
  const by = parameters.get("by");
  /** The index of the chosen change; null for all. */
  const change = by === null || changes[Number(by)] === undefined ? null : Number(by);
  const choose = (index: number | null): void => setParameter("by", index === null ? null : String(index));
  const isOf = ({ changes: ofIt }: { changes: readonly number[] }): boolean => change === null || ofIt.includes(change);
  return (
    <Result
      answer={answer}
      only={change === null ? null : new Set(reached.filter(isOf).map(({ impact }) => impact.id))}
      actions={<Button icon="copy" label="Copy as Markdown" onClick={() => void copyText(markdown, "The Markdown")} />}
      headline={
        <>
          <p className={"large strong beside-icon snug"} data-tone={tone}>
            <Icon name={icon} size={18} />
            <span>
              <Prose text={`${verdict}.`} />
            </span>
          </p>
          <p className="soft">
            <Prose text={headline} />
          </p>
        </>
      }
      {...explainNothing(answer)}
      beside={lapses.total > 0 && <Lapses lapses={lapses} />}
      lead={
        <>
          {change !== null && (
            <p className="notice cluster">
              Only what this change affects: <code>{changes[change]?.fqn}</code>
              <Button label="Show all" onClick={() => choose(null)} />
            </p>
          )}
          {steps.length > 0 && (
            <Section title="Do first">
              <ul className="lines">
                {steps.map((step) => (
                  <li key={step} className="line wrap">
                    <Prose text={step} />
                  </li>
                ))}
              </ul>
            </Section>
          )}
          <RewrittenParts rewritten={rewritten} />
        </>
      }
    >
      <Section title="Changes" count={changes.length}>
        {changes.length === 0 && <p className="hint">No column, table or model is dropped, renamed or retyped.</p>}
        <Changes changes={changes} chosen={change} tables={tablesIn(lineage)} onChoose={choose} />
      </Section>
      <LineageAfter lineage={lineage} />
      {(["adapted", "dropped"] as const).map((state) => {
        const list = rest.filter((each) => each.state === state && each.impact.type !== "column" && isOf(each));
        return (
          list.length > 0 && (
            <Folded key={state} title={STATES[state].title} hint={STATES[state].hint} count={list.length}>
              {list.map(({ impact }) => (
                <AffectedLine key={impact.id} affected={impact} />
              ))}
            </Folded>
          )
        );
      })}
      <Uncompared title="Could not be read" hint="Their changes are not known." all={unread} />
      <Uncompared title="Not compared in full" hint="This does not count as a change." all={notes} />
    </Result>
  );
}

/** Why nothing is affected, where "nothing depends on it" would not be the reason. */
function explainNothing({ changes, rest, rewritten }: ChangeSetAnswer): { nothing?: string; nothingTitle?: string } {
  if (rest.length > 0) return { nothing: "All that depends on it is adapted or dropped in this pull request." };
  if (rewritten.assets.length > 0) {
    const nothing = rewritten.readers.length > 0 ? "But people would read other numbers: see Computed otherwise." : "";
    return { nothingTitle: "Nothing would break", nothing };
  }
  return changes.length > 0 ? {} : { nothing: "No name and no type of what the catalog knows changes." };
}

/** What new SQL computes otherwise, and the dashboards and metrics that read it, with whom to tell. */
function RewrittenParts({ rewritten: { assets, readers, truncated } }: Pick<ChangeSetAnswer, "rewritten">) {
  if (assets.length === 0) return null;
  return (
    <Section title="Computed otherwise" count={assets.length}>
      <ul className="lines">
        {assets.map((asset) => (
          <Named key={asset.id} node={asset} name={asset.fqn}>
            <Prose text={asset.how} />
          </Named>
        ))}
      </ul>
      {readers.length > 0 && <p className="soft">They read other values, so tell their owners:</p>}
      <ul className="lines" aria-label="Reads other values">
        {readers.map((reader) => (
          <Named key={reader.id} node={reader} name={reader.name}>
            <span className="small">
              {reader.risk}, <PersonName of={reader.ownedBy} />
            </span>
          </Named>
        ))}
      </ul>
      {truncated && <p className="soft small">There is more than is listed.</p>}
    </Section>
  );
}

function Named({ node, name, children }: { node: Pick<NodeRow, "id" | "type">; name: string; children: ReactNode }) {
  return (
    <li className="line beside-icon soft wrap">
      <TypeIcon type={node.type} />
      <span>
        <Link href={pathOfNode(node)} className="name">
          {name}
        </Link>{" "}
        {children}
      </span>
    </li>
  );
}

function Uncompared({ all, ...told }: { title: string; hint: string; all: ChangeSetAnswer["uncompared"] }) {
  if (all.length === 0) return null;
  return (
    <Folded {...told} count={all.length}>
      {all.map(({ object, message }) => (
        <li key={`${object} ${message}`} className="line soft wrap">
          {object && <code>{object}</code>} {message}
        </li>
      ))}
    </Folded>
  );
}

/** The owner, and whoever certified it. */
function People({ of: { ownedBy, certifier } }: { of: Pick<FoundChange, "ownedBy" | "certifier"> }) {
  return (
    <>
      <PersonName of={ownedBy} />
      {certifier && (
        <>
          , certified by <PersonName of={certifier} />
        </>
      )}
    </>
  );
}

/** Whose certification would lapse, who certifies it again, and why. */
function Lapses({ lapses: { metrics, total } }: Pick<ChangeSetAnswer, "lapses">) {
  return (
    <Section title="Certifications that would lapse" count={total}>
      <p className="soft">They are to be certified again after the merge.</p>
      <ul className="stack snug">
        {metrics.map(({ id, name, reason, ...people }) => (
          <li key={id} className="wrap">
            <Link href={pathOfNode({ id, type: "metric" })} className="name">
              {name}
            </Link>{" "}
            <span className="soft small">
              <People of={people} />
            </span>
            <details>
              <summary className="hint">Why</summary>
              <p className="soft small">
                <Prose text={reason} />
              </p>
            </details>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Folded({ title, hint, count, children }: { title: string; hint: string; count: number; children: ReactNode }) {
  return (
    <details className="stack snug">
      <summary className="strong">
        {title} <span className="hint">{formatCount(count)}</span>
      </summary>
      <p className="hint">{hint}</p>
      <ul className="lines">{children}</ul>
    </details>
  );
}

interface ChangesProps {
  changes: readonly FoundChange[];
  chosen: number | null;
  /** Of the columns that change. */
  tables: ReadonlyMap<string, string>;
  onChoose: (change: number | null) => void;
}

function Changes({ changes, chosen, tables, onChoose }: ChangesProps) {
  return (
    <ul className="lines">
      {changes.map((change, index) => (
        <li key={`${change.id} ${change.kind}`} className="line beside-icon with-end soft wrap">
          <TypeIcon type={change.type} />
          <div>
            <Link href={pathOfNode(change)} className="name">
              {change.fqn}
            </Link>{" "}
            <span>{describeChange(change)}</span>{" "}
            {(change.ownedBy ?? change.certifier) && (
              <span className="small">
                <People of={change} />
              </span>
            )}{" "}
            <LineageLink
              of={tables.get(change.id) ?? (change.type === "column" ? null : change.id)}
              name={change.fqn}
            />
            {change.confidence < 1 && (
              <>
                {" "}
                <Badge label={`guess, ${Math.round(change.confidence * 100)} %`} tone="warn" hint={change.because} />
              </>
            )}
          </div>
          <button
            type="button"
            className="option soft number"
            aria-pressed={index === chosen}
            onClick={() => onChoose(index === chosen ? null : index)}
          >
            {change.assets === 0 ? "nothing" : formatCount(change.assets)} affected
          </button>
        </li>
      ))}
    </ul>
  );
}

function tablesIn({ nodes }: ChangeSetAnswer["lineage"]): Map<string, string> {
  return new Map(nodes.flatMap(({ asset, details }) => details.map(({ id }) => [id, asset.id])));
}

function describeChange({ kind, newName, oldType, newType }: FoundChange): string {
  const what = kind.replaceAll("_", " ");
  if (newName) return `${what}: ${newName}`;
  if (kind === "column_retyped") return `${what}: ${oldType ?? "unknown"} → ${newType ?? "unknown"}`;
  return what;
}
