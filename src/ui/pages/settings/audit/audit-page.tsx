/** Settings › Audit trail: who logged in, changed access, connectors or assets, and what was refused. */
import { useState } from "react";
import { useClient } from "urql";
import { Link } from "wouter";

import { Badge } from "../../../parts/marks.tsx";
import { countOf, formatCount } from "../../../parts/count.ts";
import { Button } from "../../../parts/button.tsx";
import { FilterBar } from "../../../parts/filter-bar.tsx";
import { Listing } from "../../../parts/listing.tsx";
import { describeError, Panel } from "../../../parts/page.tsx";
import { Prose } from "../../../parts/prose.tsx";
import { saveFile } from "../../../parts/save-file.ts";
import { showToast } from "../../../parts/toast.tsx";
import { Time } from "../../../parts/time.tsx";
import { SettingsPage } from "../settings-page.tsx";
import { ACTIONS, describeName, describeValue, nameOfSubject, pathOfSubject, toAction } from "./words.ts";
import { toCsv } from "./csv.ts";
import { AUDIT, type AuditEvent } from "./documents.ts";
import { Retention } from "./retention.tsx";
import { useParameters } from "../../../parts/use-parameters.ts";

/** Events in a file, at most. */
const MAX_EXPORTED = 10_000;
const EXPORT_PAGE = 200;

export function AuditPage() {
  const { parameters } = useParameters();
  const filters = readFilters(parameters);
  const isFiltered = Object.values(filters).some((value) => value !== null);
  return (
    <SettingsPage
      title="Audit trail"
      lead="Who logged in, who changed access, connectors or assets, and what was refused. Events never change."
      forAdmins="read the audit trail"
      actions={
        <>
          <Export filters={filters} />
          <Retention />
        </>
      }
    >
      <FilterBar
        filters={[
          { name: "action", label: "What", choices: ACTIONS },
          { name: "actor", label: "Who", type: "search", placeholder: "E-mail or account, then Enter" },
          { name: "from", label: "From", type: "date" },
          { name: "to", label: "To", type: "date" },
        ]}
      />
      <Listing
        key={parameters.toString()}
        what="the trail"
        query={AUDIT}
        variables={filters}
        types={["AuditEvent"]}
        rows={8}
        empty={
          <Panel icon="history" title={isFiltered ? "No such events" : "Nothing happened yet"}>
            {isFiltered && "Try another time, or somebody else."}
          </Panel>
        }
      >
        {(events, { isFirst }) => (
          <ol className="lines" aria-label={isFirst ? "Events" : "Older events"}>
            {events.map((event) => (
              <Event key={event.id} event={event} />
            ))}
          </ol>
        )}
      </Listing>
    </SettingsPage>
  );
}

/** Saves the events that pass the filters, read page by page. */
function Export({ filters }: { filters: Filters }) {
  const client = useClient();
  const [count, setCount] = useState<number | null>(null);
  const readPage = async (after: string | null) => {
    const variables = { ...filters, after, first: EXPORT_PAGE };
    const { data, error } = await client.query(AUDIT, variables, { requestPolicy: "network-only" }).toPromise();
    if (!data?.auditEvents) throw new Error(error && describeError(error));
    return data.auditEvents;
  };
  const readAll = async (): Promise<AuditEvent[]> => {
    const events: AuditEvent[] = [];
    let after: string | null = null;
    do {
      // Each page begins where the one before ends.
      // oxlint-disable-next-line no-await-in-loop
      const { nodes, pageInfo }: Awaited<ReturnType<typeof readPage>> = await readPage(after);
      events.push(...nodes);
      setCount(events.length);
      after = pageInfo.nextCursor;
    } while (after !== null && events.length < MAX_EXPORTED);
    return events;
  };
  const save = async (): Promise<void> => {
    setCount(0);
    try {
      const events = await readAll();
      saveFile(new Blob([toCsv(events)], { type: "text/csv" }), "audit-trail.csv");
      const isCut = events.length >= MAX_EXPORTED;
      showToast(
        `Saved: ${countOf(events.length, "event")}${isCut ? ", the newest. Choose a time for older ones" : ""}.`,
      );
    } catch (error) {
      showToast(`The trail could not be saved. ${error instanceof Error ? error.message : ""}`, "bad");
    } finally {
      setCount(null);
    }
  };
  return (
    <Button
      icon="arrow-down"
      label={count === null ? "Save as CSV" : `${formatCount(count)} read`}
      isBusy={count !== null}
      onClick={() => void save()}
    />
  );
}

type Filters = ReturnType<typeof readFilters>;

function readFilters(parameters: URLSearchParams) {
  return {
    action: toAction(parameters.get("action")),
    actor: parameters.get("actor"),
    since: toMoment(parameters.get("from"), 0),
    until: toMoment(parameters.get("to"), 1),
  };
}

/** The beginning of a day here. @param daysLater added to the day */
function toMoment(day: string | null, daysLater: number): string | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? "");
  if (parts === null) return null;
  const moment = new Date(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3]) + daysLater);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

const BAD: ReadonlySet<AuditEvent["action"]> = new Set(["lockout", "login_failed", "refused", "all_tokens_revoked"]);

function Event({ event }: { event: AuditEvent }) {
  const { at, action, actor, by, source, subject, subjectName, details } = event;
  const path = pathOfSubject(event);
  // The object, and the person of a session, are named above.
  const told = Object.entries(details)
    .filter(([name, value]) => name !== "userId" && value !== subjectName)
    .map(([name, value]) => [name, describeValue(value)] as const);
  return (
    <li className="line stack tight">
      <p className="cluster wrap">
        <strong>{by?.name ?? "Somebody"}</strong>
        {actor !== by?.name && <span className="soft">{actor}</span>}
        <Badge label={ACTIONS[action]} tone={BAD.has(action) ? "bad" : "neutral"} />
        {subject !== null && (
          <span title={subject}>
            {path === null ? (
              nameOfSubject(subject, subjectName)
            ) : (
              <Link href={path}>{nameOfSubject(subject, subjectName)}</Link>
            )}
          </span>
        )}
        <span className="push-on-wide soft small">
          <Time at={at} />, from {source}
        </span>
      </p>
      {told.length > 0 && (
        <dl className="cluster soft small">
          {told.map(([name, text]) => (
            <div key={name} className="cluster tight shrink">
              <dt>{describeName(name)}</dt>
              <dd className="shrink">{text.includes("`") ? <Prose text={text} /> : <code>{text}</code>}</dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
