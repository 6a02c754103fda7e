/** The form of a connector's options, with a test of the connection: for a new connector, and for one that exists. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { AnyVariables, TypedDocumentNode } from "urql";

import type { VariablesOf } from "../../graphql/graphql.ts";
import { useChange } from "../../graphql/requests.ts";
import { Button } from "../../parts/button.tsx";
import { Form, SelectField, TextField } from "../../parts/form.tsx";
import { type ConnectorType, TEST_CONNECTOR } from "./documents.ts";
import { type FieldNotes, OptionFields } from "./option-fields.tsx";

interface ConnectorFormProps<Data, Variables extends AnyVariables> {
  type: ConnectorType;
  /** The values that are stored, without secrets. */
  values?: Readonly<Record<string, unknown>>;
  /** Names of the secrets that are stored. */
  storedSecrets?: readonly string[];
  /** The words of the button that saves. */
  action: string;
  change: TypedDocumentNode<Data, Variables>;
  variables: (form: FormData) => Variables;
  onSaved: (data: Data) => Promise<void> | void;
  /** What is said if the service refused, such as `Nothing was saved.` */
  refused: string;
  /** What is tested: a connector that exists, with its options changed, or one that does not exist yet. */
  tested: (form: FormData) => VariablesOf<typeof TEST_CONNECTOR>["input"];
  /** Fields before and after those of the options. */
  before?: ReactNode;
  after?: ReactNode;
}

const NONE: readonly never[] = [];
/** The name of the button that tests. */
const TEST = "test";

export function ConnectorForm<Data, Variables extends AnyVariables>(props: ConnectorFormProps<Data, Variables>) {
  const { type, values = {}, storedSecrets = NONE, action, change, variables, onSaved, refused } = props;
  const fields = useRef<HTMLDivElement>(null);
  const saving = useChange(change);
  const testing = useChange(TEST_CONNECTOR);
  const [last, setLast] = useState<"save" | "test" | null>(null);
  const [findings, setFindings] = useState<FieldNotes | null>(null);
  /** The fields that were corrected since the form was last sent. */
  const [corrected, setCorrected] = useState<ReadonlySet<string>>(new Set());
  const [isEnding, setEnding] = useState(false);
  const isBusy = saving.isBusy || testing.isBusy || isEnding;

  const begin = (what: "save" | "test"): void => {
    setLast(what);
    setFindings(null);
    setCorrected(new Set());
  };
  const save = async (form: FormData): Promise<void> => {
    begin("save");
    const data = await saving.change(variables(form));
    if (data === null) return;
    setEnding(true);
    await onSaved(data);
    setEnding(false);
  };
  const test = async (form: FormData): Promise<void> => {
    begin("test");
    const answer = await testing.change({ input: props.tested(form) });
    if (!answer?.testConnector) return;
    // Of several findings about an option, an error counts most.
    const worstLast = answer.testConnector.findings.toSorted(
      (a, b) => Number(a.severity === "error") - Number(b.severity === "error"),
    );
    setFindings(Object.fromEntries(worstLast.map(({ option, ...note }) => [`options.${option}`, note])));
  };
  useEffect(() => {
    if (!isBusy) fields.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [isBusy]);

  const sent = last === "test" ? testing : saving;
  const all: FieldNotes = findings ?? toNotes(sent.faults);
  const notes = Object.fromEntries(Object.entries(all).filter(([field]) => !corrected.has(field)));
  const faults = Object.fromEntries(
    Object.entries(notes).flatMap(([field, { severity, message }]) => (severity === "error" ? [[field, message]] : [])),
  );
  const isSaid = !isBusy && corrected.size === 0;
  const hasFaults = Object.keys(faults).length > 0;
  const marked = `${last === "test" ? "The source cannot be read." : refused} Correct the marked fields.`;
  const remarks = Object.keys(notes).length > 0 ? " There are remarks at the options." : "";
  return (
    <div className="form-width">
      <Form
        isCheckedByService
        fault={isSaid ? sent.fault : null}
        marked={isSaid ? marked : null}
        faults={faults}
        onSubmit={(form) => void (form.has(TEST) ? test(form) : save(form))}
        buttons={
          <>
            <Button label={action} type="submit" look="primary" disabled={isBusy} isBusy={saving.isBusy || isEnding} />
            <Button
              label={testing.isBusy ? "Testing …" : "Test the connection"}
              type="submit"
              name={TEST}
              disabled={isBusy}
              isBusy={testing.isBusy}
            />
          </>
        }
      >
        <div
          ref={fields}
          className="stack roomy"
          onInput={({ target }) => {
            if ("name" in target && typeof target.name === "string") setCorrected(new Set([...corrected, target.name]));
          }}
        >
          {props.before}
          <OptionFields type={type} values={values} storedSecrets={storedSecrets} notes={notes} />
          {props.after}
        </div>
        <div role="status" className="hide-empty">
          {isSaid && findings !== null && !hasFaults && <p className="notice good">The source can be read.{remarks}</p>}
        </div>
      </Form>
    </div>
  );
}

function toNotes(faults: Readonly<Record<string, string>>): FieldNotes {
  return Object.fromEntries(
    Object.entries(faults).map(([field, message]) => [field, { severity: "error", message } as const]),
  );
}

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

/** When a connector crawls by itself: a usual time, or a cron expression; and the time zone. */
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
