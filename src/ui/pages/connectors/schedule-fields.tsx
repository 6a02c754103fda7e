/** When a connector crawls by itself: a usual time, or a cron expression; and the time zone. */
import { useState } from "react";

import { SelectField, TextField } from "../../parts/form.tsx";

export interface Times {
  cron: string;
  timeZone: string;
}

/** The browser's time zone. */
const HERE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const USUAL = [
  { value: "", label: "Only when asked" },
  { value: "0 * * * *", label: "Every hour" },
  { value: "0 6 * * *", label: "Every day at 6:00" },
  { value: "0 6 * * 1-5", label: "Monday to Friday at 6:00" },
  { value: "0 6 * * 1", label: "Every Monday at 6:00" },
  { value: "custom", label: "Other times …" },
];

export function ScheduleFields({ schedule }: { schedule: Times | null }) {
  const stored = schedule?.cron ?? "";
  const [choice, setChoice] = useState(USUAL.some(({ value }) => value === stored) ? stored : "custom");
  return (
    <div className="pair">
      <SelectField
        label="Syncs"
        name="schedule.times"
        choices={USUAL}
        value={choice}
        onChange={(event) => setChoice(event.target.value)}
      />
      {choice === "custom" && (
        <TextField
          label="Cron expression"
          name="schedule.cron"
          hint="Minute, hour, day of the month, month, day of the week; or a word such as @hourly."
          placeholder="15 */4 * * *"
          required
          autoComplete="off"
          spellCheck={false}
          defaultValue={stored}
        />
      )}
      {choice !== "" && (
        <>
          <TextField
            label="Time zone"
            name="schedule.timeZone"
            list="time-zones"
            required
            autoComplete="off"
            defaultValue={schedule?.timeZone ?? HERE}
          />
          <datalist id="time-zones">
            {["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </datalist>
        </>
      )}
    </div>
  );
}

/** Null: only when asked. */
export function readSchedule(form: FormData): Times | null {
  const choice = String(form.get("schedule.times") ?? "");
  const cron = choice === "custom" ? String(form.get("schedule.cron")) : choice;
  return choice === "" ? null : { cron, timeZone: String(form.get("schedule.timeZone")) };
}
