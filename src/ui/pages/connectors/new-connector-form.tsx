import { useRef } from "react";

import { useChange } from "../../graphql/use-change.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { showToast } from "../../parts/toast.tsx";
import { type ConnectorType, CREATE_CONNECTOR, TRIGGER_SYNC } from "./documents.ts";
import { OptionFields, readOptions, toNotes } from "./option-fields.tsx";
import { readSchedule, ScheduleFields } from "./schedule-fields.tsx";
import { TestOutcome } from "./test-outcome.tsx";
import { useConnectionTest } from "./use-connection-test.ts";

const NONE = {};

interface NewConnectorFormProps {
  type: ConnectorType;
  onAdded: (id: string) => void;
}

export function NewConnectorForm({ type, onAdded }: NewConnectorFormProps) {
  const fields = useRef<HTMLDivElement>(null);
  const creation = useChange(CREATE_CONNECTOR);
  const crawl = useChange(TRIGGER_SYNC, { types: ["Connector"] });
  const { test, forget, ...tested } = useConnectionTest();
  const pulls = type.capabilities.includes("pull");

  const add = async (form: FormData): Promise<void> => {
    forget();
    const schedule = pulls ? readSchedule(form) : null;
    const input = { type: type.type, name: String(form.get("name")), options: readOptions(form, type), schedule };
    const connector = (await creation.change({ input }))?.createConnector?.connector;
    if (!connector) return;
    showToast(`${connector.name} is added.`);
    if (pulls) await crawl.change({ input: { connectorId: connector.id } });
    onAdded(connector.id);
  };
  const testNow = (): void => {
    const form = fields.current?.closest("form");
    if (form?.reportValidity()) void test({ type: type.type }, readOptions(new FormData(form), type));
  };
  const notes = { ...toNotes(creation.faults), ...tested.notes };
  const isAboutFields = Object.keys(creation.faults).length > 0;
  return (
    <div className="form-width">
      <Form
        fault={isAboutFields ? "The connector was not added. What is wrong is said at the fields." : creation.fault}
        onSubmit={(form) => void add(form)}
        buttons={
          <>
            <Button type="submit" look="primary" isBusy={creation.isBusy || crawl.isBusy}>
              {pulls ? "Add and crawl" : "Add"}
            </Button>
            <Button isBusy={tested.isBusy} onClick={testNow}>
              {tested.isBusy ? "Testing …" : "Test the connection"}
            </Button>
          </>
        }
      >
        <div ref={fields} className="stack roomy">
          <TextField
            label="Name (required)"
            name="name"
            hint="Assets show it as their source. Letters, digits, dots, hyphens and underscores."
            error={creation.faults["name"]}
            required
            autoFocus
            autoComplete="off"
            maxLength={64}
          />
          <OptionFields type={type} values={NONE} storedSecrets={[]} notes={notes} />
          {pulls && (
            <Section title="Schedule">
              <ScheduleFields schedule={null} faults={creation.faults} />
            </Section>
          )}
        </div>
        <TestOutcome outcome={tested.outcome} />
      </Form>
    </div>
  );
}
