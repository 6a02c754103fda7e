/** How long audit events are kept. It says what a shorter time deletes before it is set. */
import { useState } from "react";
import { useQuery } from "urql";

import { formatCount } from "../../../parts/count.ts";
import { Button } from "../../../parts/button.tsx";
import { ChangeDialog } from "../../../parts/change-form.tsx";
import { SelectField, TextField } from "../../../parts/form.tsx";
import { describeError } from "../../../parts/page.tsx";
import { Time } from "../../../parts/time.tsx";
import { useDebounced } from "../../../parts/use-search.ts";
import { RETENTION, RETENTION_FORECAST, SET_RETENTION } from "./documents.ts";

const MIN_DAYS = 7;
const MAX_DAYS = 3_650;
const REST_MS = 300;

const FOR_EVER = "";
const OTHER = "other";
const CHOICES = [
  { value: FOR_EVER, label: "For ever" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "One year" },
  { value: "730", label: "Two years" },
  { value: OTHER, label: "Other …" },
] as const;

export function Retention() {
  const [{ data }, again] = useQuery({ query: RETENTION });
  const [isOpen, setOpen] = useState(false);
  const retention = data?.auditRetention;
  if (!retention) return null;
  return (
    <>
      <Button icon="clock" label={`Kept ${tellDays(retention.days)}`} onClick={() => setOpen(true)} />
      {isOpen && (
        <RetentionDialog
          days={retention.days}
          onSet={() => again({ requestPolicy: "network-only" })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function RetentionDialog(props: { days: number | null; onSet: () => void; onClose: () => void }) {
  const { days: present, onSet, onClose } = props;
  const initial = CHOICES.find(({ value }) => value === String(present ?? FOR_EVER))?.value ?? OTHER;
  const [choice, setChoice] = useState<string>(initial);
  const [other, setOther] = useState(initial === OTHER ? String(present) : "");
  const days = choice === FOR_EVER ? null : Number(choice === OTHER ? other : choice);
  const isValid = days === null || (Number.isInteger(days) && days >= MIN_DAYS && days <= MAX_DAYS);
  const isShorter = isValid && days !== null && days < (present ?? Infinity);
  return (
    <ChangeDialog
      title="How long events are kept"
      action={isShorter ? "Delete the older ones" : "Keep them so"}
      look={isShorter ? "danger" : "primary"}
      isReady={isValid && days !== present}
      change={SET_RETENTION}
      variables={() => ({ input: { days } })}
      types={["AuditEvent"]}
      onDone={() => {
        onSet();
        return `Events are kept ${tellDays(days)}.`;
      }}
      onClose={onClose}
    >
      <SelectField
        label="Keep events"
        choices={CHOICES}
        value={choice}
        onChange={(event) => setChoice(event.target.value)}
      />
      {choice === OTHER && (
        <TextField
          label="Days"
          name="days"
          type="number"
          min={MIN_DAYS}
          max={MAX_DAYS}
          required
          value={other}
          hint={`At least ${MIN_DAYS}.`}
          onChange={(event) => setOther(event.target.value)}
        />
      )}
      <div role="status" className="soft">
        {isShorter && <Forecast days={days} />}
        {isValid && !isShorter && days !== present && "Nothing is deleted that would have been kept."}
      </div>
    </ChangeDialog>
  );
}

function Forecast({ days }: { days: number }) {
  const rested = useDebounced(days, REST_MS);
  const [{ data, error, fetching }] = useQuery({
    query: RETENTION_FORECAST,
    variables: { days: rested },
    requestPolicy: "network-only",
  });
  const forecast = data?.auditForecast;
  if (error) return <p role="alert">{describeError(error)}</p>;
  if (!forecast || fetching || rested !== days) return <p>Counting the events …</p>;
  const { events, hasMore, oldest } = forecast;
  if (oldest === null) return <p>No event is older than that yet. From now on, older ones are deleted every day.</p>;
  return (
    <p>
      <strong>
        {hasMore && "More than "}
        {formatCount(events)} {events === 1 ? "event is" : "events are"} deleted
      </strong>{" "}
      within minutes, the oldest from <Time at={oldest} />, and older ones every day from then on. They cannot be
      brought back. The trail notes each deletion.
    </p>
  );
}

function tellDays(days: number | null): string {
  return days === null ? "for ever" : `for ${formatCount(days)} days`;
}
