/** A list of changes, the newest first, by day and by who made them. Each opens its difference. */
import type { ReactNode } from "react";
import { Link } from "wouter";

import { pathOfNode } from "../../assets/asset-row.ts";
import { Badge, RiskBadge, TypeIcon } from "../../parts/badge.tsx";
import { countOf } from "../../parts/count.ts";
import { Listing } from "../../parts/listing.tsx";
import { Prose } from "../../parts/prose.tsx";
import { Time } from "../../parts/time.tsx";
import { Difference, hasDifference } from "./change-difference.tsx";
import styles from "./changes.module.css";
import { type Change, type ChangeKind, CHANGES } from "./documents.ts";
import { type ChangeGroup, groupChanges } from "./group-changes.ts";
import { KINDS } from "./kinds.ts";

export interface ChangeFilters {
  since?: string | null;
  until?: string | null;
  kinds?: ChangeKind[] | null;
  about?: string | null;
  owner?: string | null;
  tag?: string | null;
  connector?: string | null;
}

/** @param empty shown if nothing changed */
export function ChangeList({ filters, empty }: { filters: ChangeFilters; empty: ReactNode }) {
  return (
    <Listing
      key={JSON.stringify(filters)}
      what="the changes"
      query={CHANGES}
      variables={(after) => ({ ...filters, after })}
      pick={({ changes }) => changes}
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

function Group({ group: { at, by, changes } }: { group: ChangeGroup }) {
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
    </div>
  );
}

function Author({ by: { actor, sync } }: Pick<ChangeGroup, "by">) {
  if (sync === null) return <strong>{actor || "Somebody"}</strong>;
  if (sync.connector === null) return <strong>A connector that was removed</strong>;
  return (
    <strong className="underlined">
      Sync of <Link href={`/connectors/${encodeURIComponent(sync.connectorId)}`}>{sync.connector}</Link>
    </strong>
  );
}

const BAD: ReadonlySet<ChangeKind> = new Set(["asset_removed", "column_removed"]);

function Entry({ change }: { change: Change }) {
  const { asset, kind, risk } = change;
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
      <Badge tone={BAD.has(kind) ? "warn" : "neutral"}>{KINDS[kind]}</Badge>
      {risk !== null && <RiskBadge risk={risk} />}
    </span>
  );
  return (
    <li className={`stack tight ${styles["entry"]}`}>
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

/** What the difference is, in one line. */
function summarize({ field, before, after, details }: Change): string {
  if (field === "sql")
    return details.length === 0 ? "The SQL" : `The SQL, and ${countOf(details.length, "other part")}`;
  return [before, after].map((value) => shorten(value ?? "nothing")).join(" → ");
}

function shorten(value: string): string {
  return value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
}
