/** A list of changes, the newest first, by day and by who made them. Each opens its difference. */
import type { ReactNode } from "react";
import { Link } from "wouter";

import { pathOfNode, ownedBy } from "../../assets/asset-row.ts";
import { PersonName } from "../../assets/names.tsx";
import type { VariablesOf } from "../../graphql/graphql.ts";
import { Badge, RiskBadge, TypeIcon } from "../../parts/marks.tsx";
import { countOf } from "../../parts/count.ts";
import { Listing } from "../../parts/listing.tsx";
import { Prose } from "../../parts/prose.tsx";
import { Time } from "../../parts/time.tsx";
import { Panel } from "../../parts/page.tsx";
import { Facts } from "../../parts/facts.tsx";
import { InlineSql, SqlDifference } from "../../sql/sql.tsx";
import styles from "./changes.module.css";
import { type Change, type ChangeKind, CHANGES, KINDS } from "./documents.ts";
import { type ChangeGroup, groupChanges } from "./group-changes.ts";

type ChangeFilters = Omit<VariablesOf<typeof CHANGES>, "after">;

/** @param empty shown if nothing changed */
export function ChangeList({ filters, empty }: { filters: ChangeFilters; empty: ReactNode }) {
  const { owner, ...others } = filters;
  return (
    <Listing
      key={JSON.stringify(filters)}
      what="the changes"
      query={CHANGES}
      variables={{ ...others, ...ownedBy(owner) }}
      types={["CatalogChange"]}
      rows={8}
      empty={empty}
    >
      {(changes) =>
        groupChanges(changes).map(({ day, groups }) => (
          <section key={day} className="stack" aria-label={day}>
            <h2 className="subheading">{day}</h2>
            {groups.map((group) => (
              <Group key={group.id} group={group} />
            ))}
          </section>
        ))
      }
    </Listing>
  );
}

function Group({ group: { at, by, changes, effects } }: { group: ChangeGroup }) {
  return (
    <div>
      <p className="cluster tight soft small">
        <Author by={by} />
        <span>
          <Time at={at} />, {countOf(changes.length, "change")}
        </span>
      </p>
      <ul aria-label="Changes">
        {changes.map((change) => (
          <Entry key={change.id} change={change} />
        ))}
      </ul>
      {effects.length > 0 && (
        <>
          <p className="soft small">And what followed from that:</p>
          <ul aria-label="What followed">
            {effects.map((change) => (
              <Entry key={change.id} change={change} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Author({ by: { by, sync } }: Pick<ChangeGroup, "by">) {
  if (sync === null)
    return (
      <strong>
        <PersonName of={by} none="Somebody" />
      </strong>
    );
  if (sync.connector === null) return <strong>A connector that was removed</strong>;
  return (
    <strong className="underlined">
      Sync of <Link href={`/connectors/${encodeURIComponent(sync.connectorId)}`}>{sync.connector}</Link>
    </strong>
  );
}

const BAD: ReadonlySet<ChangeKind> = new Set(["asset_removed", "column_removed", "check_failed", "schedule_missed"]);

function Entry({ change }: { change: Change }) {
  const { asset, kind, check, risk } = change;
  const line = (
    <span className="cluster wrap">
      <TypeIcon type={asset.type} />
      {asset.node === null ? (
        <span className="wrap">{asset.fqn}</span>
      ) : (
        <Link className="wrap" href={pathOfNode(asset)}>
          {asset.fqn}
        </Link>
      )}
      <Badge label={KINDS[kind]} tone={BAD.has(kind) ? "warn" : "neutral"} />
      {check !== null && <code className="wrap">{check}</code>}
      {risk !== null && <RiskBadge risk={risk} />}
    </span>
  );
  return (
    <li className={`stack tight line-below ${styles["entry"]}`}>
      {line}
      {change.cause !== null && (
        <p className="soft small wrap">
          Because: <Prose text={change.cause} />
        </p>
      )}
      {hasDifference(change) && (
        <details>
          <summary className="soft small">{summarize(change)}</summary>
          <Difference change={change} />
        </details>
      )}
    </li>
  );
}

const MAX_VALUE = 60;
const MAX_NAMES = 3;

/** What the difference is, in one line. */
function summarize({ asset, field, before, after, details }: Change): string {
  if (field === "sql") {
    const columns = details.flatMap(({ kind, id, name }) => (kind === "sql_changed" && id !== asset.id ? [name] : []));
    const names = columns.length > MAX_NAMES ? countOf(columns.length, "column") : columns.join(", ");
    const others = details.length - columns.length;
    return `The SQL${names && ` of ${names}`}${others === 0 ? "" : `, and ${countOf(others, "other part")}`}`;
  }
  return [before, after].map((value) => shorten(value ?? "nothing")).join(" → ");
}

function shorten(value: string): string {
  return value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
}

export function HistoryTab({ id }: { id: string }) {
  return (
    <ChangeList
      filters={{ about: id }}
      empty={
        <Panel icon="history" title="Nothing has changed yet">
          Changes of it, of its columns and of its edges are listed here.
        </Panel>
      }
    />
  );
}

/** The kind of a change says all about the result of a check. */
function hasDifference({ field, before, after, details }: Change): boolean {
  if (field === "result") return false;
  return before !== null || after !== null || details.length > 0;
}

function Difference({ change: { asset, field, before, after, details } }: { change: Change }) {
  return (
    <div className={`stack tight ${styles["difference"]}`}>
      {field === "sql" && before !== null && after !== null ? (
        <SqlDifference before={before} after={after} />
      ) : (
        <Values
          isSql={field === "sql" || field === "expression" || field === "filters"}
          before={before}
          after={after}
        />
      )}
      {details.length > 0 && (
        <ul className="stack tight" aria-label="What changed with it">
          {details.map((part) => (
            <li key={`${part.kind} ${part.id}`} className="cluster tight">
              <Badge label={sayPart(part, asset.id)} tone={part.kind === "column_removed" ? "warn" : "neutral"} />
              <code className="wrap">{part.name}</code>
              <span className="soft small">
                {[part.before, part.after].filter((type) => type !== null).join(" → ")}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The SQL is that of the whole model. A part of it is what the new SQL gives another meaning. */
function sayPart({ kind, id }: Change["details"][number], modelId: string): string {
  if (kind !== "sql_changed") return KINDS[kind];
  return id === modelId ? "other rows" : "computed otherwise";
}

function Values({ isSql, before, after }: { isSql: boolean } & Pick<Change, "before" | "after">) {
  const show = (value: string | null) => {
    if (value === null) return <span className="faint">nothing</span>;
    return isSql ? <InlineSql text={value} /> : <span className="wrap pre-wrap">{value}</span>;
  };
  return <Facts look="terms" of={{ Before: show(before), After: show(after) }} />;
}
