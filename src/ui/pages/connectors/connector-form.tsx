/** The form of a connector's options, with a test of the connection: for a new connector, and for one that exists. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import type { AnyVariables, TypedDocumentNode } from "urql";

import { useChange } from "../../graphql/use-change.ts";
import { Button } from "../../parts/button.tsx";
import { Form } from "../../parts/form.tsx";
import { type ConnectorType, TEST_CONNECTOR } from "./documents.ts";
import { type FieldNotes, OptionFields } from "./option-fields.tsx";
import { listOptionFields } from "./options-schema.ts";

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
  /** What is tested: a connector that exists, with its options changed, or options of this type. */
  tested: { id: string } | { type: string };
  readOptions: (form: FormData) => Record<string, string | null>;
  /** Fields before and after those of the options, with their faults by name. */
  renderBefore?: (faults: Readonly<Record<string, string>>) => ReactNode;
  renderAfter?: (faults: Readonly<Record<string, string>>) => ReactNode;
}

const NONE: readonly never[] = [];

export function ConnectorForm<Data, Variables extends AnyVariables>(props: ConnectorFormProps<Data, Variables>) {
  const { type, values = {}, storedSecrets = NONE, action, change, variables, onSaved, refused } = props;
  const fields = useRef<HTMLDivElement>(null);
  const options = listOptionFields(type).map(({ name }) => `options.${name}`);
  const shown = { fields: ["name", "schedule.cron", "schedule.timeZone", ...options] };
  const saving = useChange(change, shown);
  const testing = useChange(TEST_CONNECTOR, shown);
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
    const answer = await testing.change({ input: { ...props.tested, options: props.readOptions(form) } });
    if (!answer?.testConnector) return;
    // Of several findings about an option, an error counts most.
    const worstLast = answer.testConnector.findings.toSorted(
      (a, b) => Number(a.severity === "error") - Number(b.severity === "error"),
    );
    setFindings(Object.fromEntries(worstLast.map(({ option, ...note }) => [`options.${option}`, note])));
  };
  const testNow = (): void => {
    const form = fields.current?.closest("form");
    if (form) void test(new FormData(form));
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
  const fault = sent.fault ?? (hasFaults ? marked : null);
  const remarks = Object.keys(notes).length > 0 ? " There are remarks at the options." : "";
  return (
    <div className="form-width">
      <Form
        isCheckedByService
        fault={isSaid ? fault : null}
        onSubmit={(form) => void save(form)}
        buttons={
          <>
            <Button type="submit" look="primary" disabled={isBusy} isBusy={saving.isBusy || isEnding}>
              {action}
            </Button>
            <Button disabled={isBusy} isBusy={testing.isBusy} onClick={testNow}>
              {testing.isBusy ? "Testing …" : "Test the connection"}
            </Button>
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
          {props.renderBefore?.(faults)}
          <OptionFields type={type} values={values} storedSecrets={storedSecrets} notes={notes} />
          {props.renderAfter?.(faults)}
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
