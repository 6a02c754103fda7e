/** Settings › Audit trail: who logged in, changed access, connectors or assets, and what was refused. */
import { useQuery } from "urql";
import { useSearchParams } from "wouter";

import { useIsAdmin } from "../../../app/session/use-session.ts";
import { usePages } from "../../../graphql/use-pages.ts";
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { ErrorPanel, NoPermission, Panel } from "../../../parts/panel.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { Time } from "../../../parts/time.tsx";
import { SettingsPage } from "../settings-page.tsx";
import { ACTIONS, toAction } from "./actions.ts";
import styles from "./audit.module.css";
import { describeName, describeValue } from "./details.ts";
import { AUDIT, type AuditEvent } from "./documents.ts";
import { Retention } from "./retention.tsx";

const LEAD = "Who logged in, who changed access, connectors or assets, and what was refused. Events never change.";

export function AuditPage() {
  const isAdmin = useIsAdmin();
  const [parameters, setParameters] = useSearchParams();
  const filters = readFilters(parameters);
  const isFiltered = Object.values(filters).some((value) => value !== null);
  const choose = (name: string, value: string): void =>
    setParameters((before) => {
      const after = new URLSearchParams(before);
      if (value === "") after.delete(name);
      else after.set(name, value);
      return after;
    });
  if (!isAdmin) {
    return (
      <SettingsPage title="Audit trail" lead={LEAD}>
        <NoPermission needs="Only admins read the audit trail. Ask an admin of this workspace." />
      </SettingsPage>
    );
  }
  return (
    <SettingsPage title="Audit trail" lead={LEAD} actions={<Retention />}>
      <search className={styles["filters"]} aria-label="Filters">
        <SelectField
          label="What"
          choices={[
            { value: "", label: "Everything" },
            ...Object.entries(ACTIONS).map(([value, label]) => ({ value, label })),
          ]}
          value={filters.action ?? ""}
          onChange={(event) => choose("action", event.target.value)}
        />
        <ActorField actor={filters.actor ?? ""} onChoose={(actor) => choose("actor", actor)} />
        <TextField
          label="From"
          type="date"
          value={parameters.get("from") ?? ""}
          onChange={(event) => choose("from", event.target.value)}
        />
        <TextField
          label="To"
          type="date"
          value={parameters.get("to") ?? ""}
          onChange={(event) => choose("to", event.target.value)}
        />
        {isFiltered && <Button onClick={() => setParameters({})}>Clear</Button>}
      </search>
      <Trail key={parameters.toString()} filters={filters} isFiltered={isFiltered} />
    </SettingsPage>
  );
}

interface Filters {
  action: AuditEvent["action"] | null;
  actor: string | null;
  since: string | null;
  until: string | null;
}

function readFilters(parameters: URLSearchParams): Filters {
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

function ActorField({ actor, onChoose }: { actor: string; onChoose: (actor: string) => void }) {
  return (
    <form
      key={actor}
      onSubmit={(event) => {
        event.preventDefault();
        onChoose(String(new FormData(event.currentTarget).get("actor")).trim());
      }}
    >
      <TextField
        label="Who"
        name="actor"
        type="search"
        placeholder="E-mail or account, then Enter"
        defaultValue={actor}
        onBlur={(event) => {
          if (event.target.value.trim() !== actor) onChoose(event.target.value.trim());
        }}
      />
    </form>
  );
}

function Trail({ filters, isFiltered }: { filters: Filters; isFiltered: boolean }) {
  const { cursors, showMore } = usePages();
  return (
    <ol className={styles["trail"]} aria-label="Events">
      {cursors.map((after) => (
        <TrailPage
          key={after}
          filters={filters}
          isFiltered={isFiltered}
          after={after}
          onMore={after === cursors.at(-1) ? showMore : null}
        />
      ))}
    </ol>
  );
}

interface TrailPageProps {
  filters: Filters;
  isFiltered: boolean;
  after: string | null;
  /** Null if the next page is shown already. */
  onMore: ((after: string) => void) | null;
}

function TrailPage({ filters, isFiltered, after, onMore }: TrailPageProps) {
  // The trail grows while it is shown, so the first page is always read anew.
  const requestPolicy = after === null ? "cache-and-network" : "cache-first";
  const [{ data, error }, again] = useQuery({ query: AUDIT, variables: { ...filters, after }, requestPolicy });
  const page = data?.auditEvents;
  if (!page) {
    return (
      <li>
        {error ? (
          <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />
        ) : (
          <Skeleton rows={after === null ? 8 : 2} label="Loading the trail" />
        )}
      </li>
    );
  }
  if (page.nodes.length === 0 && after === null) {
    return (
      <li>
        <Panel icon="history" title={isFiltered ? "No such events" : "Nothing happened yet"}>
          {isFiltered && "Try another time, or somebody else."}
        </Panel>
      </li>
    );
  }
  const { endCursor, hasNextPage } = page.pageInfo;
  return (
    <>
      {page.nodes.map((event) => (
        <Event key={event.id} event={event} />
      ))}
      {hasNextPage && endCursor !== null && onMore !== null && (
        <li>
          <Button onClick={() => onMore(endCursor)}>Show older ones</Button>
        </li>
      )}
    </>
  );
}

const BAD: ReadonlySet<AuditEvent["action"]> = new Set(["lockout", "login_failed", "refused", "all_tokens_revoked"]);

function Event({ event: { at, action, actor, source, subject, details } }: { event: AuditEvent }) {
  return (
    <li className={styles["event"]}>
      <p className={styles["line"]}>
        <strong>{actor ?? "Somebody"}</strong>
        <Badge tone={BAD.has(action) ? "bad" : "neutral"}>{ACTIONS[action]}</Badge>
        {subject !== null && <code>{subject}</code>}
        <span className={styles["when"]}>
          <Time at={at} />, from {source}
        </span>
      </p>
      {Object.keys(details).length > 0 && (
        <dl className={styles["details"]}>
          {Object.entries(details).map(([name, value]) => (
            <div key={name}>
              <dt>{describeName(name)}</dt>
              <dd>
                <code>{describeValue(value)}</code>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
