/** Settings › Audit trail: who logged in, changed access, connectors or assets, and what was refused. */
import { Badge } from "../../../parts/badge.tsx";
import { Button } from "../../../parts/button.tsx";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { Listing } from "../../../parts/listing.tsx";
import { Panel } from "../../../parts/panel.tsx";
import { Time } from "../../../parts/time.tsx";
import { useParameters } from "../../../parts/use-parameters.ts";
import { SettingsPage } from "../settings-page.tsx";
import { ACTIONS, toAction } from "./actions.ts";
import styles from "./audit.module.css";
import { describeName, describeValue } from "./details.ts";
import { AUDIT, type AuditEvent } from "./documents.ts";
import { Retention } from "./retention.tsx";

export function AuditPage() {
  const { parameters, setParameter, clear } = useParameters();
  const filters = readFilters(parameters);
  const isFiltered = Object.values(filters).some((value) => value !== null);
  return (
    <SettingsPage
      title="Audit trail"
      lead="Who logged in, who changed access, connectors or assets, and what was refused. Events never change."
      forAdmins="read the audit trail"
      actions={<Retention />}
    >
      <search className="pair" aria-label="Filters">
        <SelectField
          label="What"
          choices={[
            { value: "", label: "Everything" },
            ...Object.entries(ACTIONS).map(([value, label]) => ({ value, label })),
          ]}
          value={filters.action ?? ""}
          onChange={(event) => setParameter("action", event.target.value)}
        />
        <ActorField actor={filters.actor ?? ""} onChoose={(actor) => setParameter("actor", actor)} />
        {(["from", "to"] as const).map((name) => (
          <TextField
            key={name}
            label={name === "from" ? "From" : "To"}
            type="date"
            value={parameters.get(name) ?? ""}
            onChange={(event) => setParameter(name, event.target.value)}
          />
        ))}
        {isFiltered && <Button onClick={clear}>Clear</Button>}
      </search>
      <Listing
        key={parameters.toString()}
        what="the trail"
        query={AUDIT}
        variables={(after) => ({ ...filters, after })}
        pick={({ auditEvents }) => auditEvents}
        types={["AuditEvent"]}
        rows={8}
        empty={
          <Panel icon="history" title={isFiltered ? "No such events" : "Nothing happened yet"}>
            {isFiltered && "Try another time, or somebody else."}
          </Panel>
        }
      >
        {(events, { isFirst }) => (
          <ol aria-label={isFirst ? "Events" : "Older events"}>
            {events.map((event) => (
              <Event key={event.id} event={event} />
            ))}
          </ol>
        )}
      </Listing>
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

const BAD: ReadonlySet<AuditEvent["action"]> = new Set(["lockout", "login_failed", "refused", "all_tokens_revoked"]);

function Event({ event: { at, action, actor, source, subject, details } }: { event: AuditEvent }) {
  return (
    <li className={`stack tight ${styles["event"]}`}>
      <p className="cluster wrap">
        <strong>{actor ?? "Somebody"}</strong>
        <Badge tone={BAD.has(action) ? "bad" : "neutral"}>{ACTIONS[action]}</Badge>
        {subject !== null && <code className="soft small">{subject}</code>}
        <span className="push-on-wide soft small">
          <Time at={at} />, from {source}
        </span>
      </p>
      {Object.keys(details).length > 0 && (
        <dl className="cluster soft small">
          {Object.entries(details).map(([name, value]) => (
            <div key={name} className="cluster tight shrink">
              <dt>{describeName(name)}</dt>
              <dd className="shrink">
                <code>{describeValue(value)}</code>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}
