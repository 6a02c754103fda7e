/** How a connector is set. Each form saves only its own. */
import { useRef, useState } from "react";
import { useQuery } from "urql";
import { useLocation } from "wouter";

import { useChange } from "../../graphql/use-change.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { Section } from "../../parts/page.tsx";
import { ErrorPanel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { showToast } from "../../parts/toast.tsx";
import styles from "./connectors.module.css";
import {
  CONNECTOR_OPTIONS,
  type ConnectorDetail,
  type ConnectorType,
  REMOVE_CONNECTOR,
  UPDATE_CONNECTOR,
} from "./documents.ts";
import { OptionFields, readChangedOptions, toNotes } from "./option-fields.tsx";
import { readSchedule, ScheduleFields } from "./schedule-fields.tsx";
import { TestOutcome } from "./test-outcome.tsx";
import { useConnectionTest } from "./use-connection-test.ts";

interface SettingsTabProps {
  connector: ConnectorDetail;
  type: ConnectorType;
}

export function SettingsTab({ connector, type }: SettingsTabProps) {
  const pulls = type.capabilities.includes("pull");
  return (
    <div className={styles["stack"]}>
      {pulls && <ScheduleForm connector={connector} />}
      {pulls && <RemovalForm connector={connector} />}
      <NameForm connector={connector} />
      <OptionsForm connector={connector} type={type} />
      <Removal connector={connector} />
    </div>
  );
}

function ScheduleForm({ connector: { id, schedule } }: Pick<SettingsTabProps, "connector">) {
  const { change, isBusy, fault, faults } = useChange(UPDATE_CONNECTOR);
  const save = async (form: FormData): Promise<void> => {
    if ((await change({ input: { id, schedule: readSchedule(form) } })) !== null) showToast("The schedule is saved.");
  };
  return (
    <Section title="Schedule" lead="When it crawls by itself.">
      <Form
        fault={Object.keys(faults).length === 0 ? fault : null}
        onSubmit={(form) => void save(form)}
        buttons={
          <Button type="submit" isBusy={isBusy}>
            Save the schedule
          </Button>
        }
      >
        <div className={styles["form"]}>
          <ScheduleFields schedule={schedule} faults={faults} />
        </div>
      </Form>
    </Section>
  );
}

function RemovalForm({ connector: { id, removalShare } }: Pick<SettingsTabProps, "connector">) {
  const { change, isBusy, fault, faults } = useChange(UPDATE_CONNECTOR);
  const save = async (form: FormData): Promise<void> => {
    const input = { id, removalShare: Number(form.get("removalShare")) };
    if ((await change({ input })) !== null) showToast("The share is saved.");
  };
  return (
    <Section
      title="Removal"
      lead="A crawl that no longer finds more of the connector's assets than this removes nothing, and waits for somebody to confirm it."
    >
      <Form
        fault={faults["removalShare"] === undefined ? fault : null}
        onSubmit={(form) => void save(form)}
        buttons={
          <Button type="submit" isBusy={isBusy}>
            Save the share
          </Button>
        }
      >
        <div className={styles["form"]}>
          <TextField
            label="Largest share, in percent"
            name="removalShare"
            type="number"
            min={0}
            max={100}
            required
            defaultValue={removalShare}
            error={faults["removalShare"]}
          />
        </div>
      </Form>
    </Section>
  );
}

function NameForm({ connector: { id, name } }: Pick<SettingsTabProps, "connector">) {
  const { change, isBusy, fault, faults } = useChange(UPDATE_CONNECTOR);
  const save = async (form: FormData): Promise<void> => {
    if ((await change({ input: { id, name: String(form.get("name")) } })) !== null) showToast("The name is saved.");
  };
  return (
    <Section title="Name" lead="Its assets show this name from then on.">
      <Form
        fault={faults["name"] === undefined ? fault : null}
        onSubmit={(form) => void save(form)}
        buttons={
          <Button type="submit" isBusy={isBusy}>
            Save the name
          </Button>
        }
      >
        <div className={styles["form"]}>
          <TextField label="Name" name="name" required maxLength={64} defaultValue={name} error={faults["name"]} />
        </div>
      </Form>
    </Section>
  );
}

function OptionsForm({ connector: { id }, type }: SettingsTabProps) {
  const [{ data, error }, again] = useQuery({
    query: CONNECTOR_OPTIONS,
    variables: { id },
    requestPolicy: "cache-and-network",
  });
  const fields = useRef<HTMLDivElement>(null);
  const { change, isBusy, fault, faults } = useChange(UPDATE_CONNECTOR);
  const { test, forget, ...tested } = useConnectionTest();
  const stored = data?.connectorOptions;
  if (!stored) {
    if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return <Skeleton rows={4} label="Loading the options" />;
  }
  const save = async (form: FormData): Promise<void> => {
    forget();
    const options = readChangedOptions(form, type, stored.options);
    if ((await change({ input: { id, options } })) === null) return;
    showToast("The options are saved.");
    again({ requestPolicy: "network-only" });
  };
  const testNow = (): void => {
    const form = fields.current?.closest("form");
    if (form) void test({ id }, readChangedOptions(new FormData(form), type, stored.options));
  };
  const isAboutFields = Object.keys(faults).length > 0;
  return (
    <Section title="Options" lead="What it reads, and as whom. Secrets are stored encrypted and never shown.">
      <div className={styles["form"]}>
        <Form
          fault={isAboutFields ? "Nothing was saved. What is wrong is said at the options." : fault}
          onSubmit={(form) => void save(form)}
          buttons={
            <>
              <Button type="submit" isBusy={isBusy}>
                Save the options
              </Button>
              <Button isBusy={tested.isBusy} onClick={testNow}>
                {tested.isBusy ? "Testing …" : "Test the connection"}
              </Button>
            </>
          }
        >
          <div ref={fields} className={styles["fields"]}>
            <OptionFields
              type={type}
              values={stored.options}
              storedSecrets={stored.secretOptions}
              notes={{ ...toNotes(faults), ...tested.notes }}
            />
          </div>
          <TestOutcome outcome={tested.outcome} />
        </Form>
      </div>
    </Section>
  );
}

function Removal({ connector: { id, name } }: Pick<SettingsTabProps, "connector">) {
  const [isAsking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  const { change, isBusy, fault } = useChange(REMOVE_CONNECTOR, ["Connector", "Asset", "Metric"]);
  const remove = async (): Promise<void> => {
    const removed = (await change({ input: { id } }))?.removeConnector;
    if (!removed) return;
    showToast(`${name} is removed, and ${removed.removedCount.toLocaleString("en-US")} assets with it.`);
    navigate("/connectors", { replace: true });
  };
  return (
    <Section
      title="Remove it"
      lead="Removes the connector, its history, and all assets that no other connector holds."
      actions={
        <Button look="danger" icon="trash" onClick={() => setAsking(true)}>
          Remove the connector
        </Button>
      }
    >
      {isAsking && (
        <ConfirmDialog
          title={`Remove ${name}?`}
          action="Remove the connector"
          typed={name}
          isBusy={isBusy}
          fault={fault}
          onConfirm={() => void remove()}
          onClose={() => setAsking(false)}
        >
          This cannot be undone. Edits of its assets by people are kept, in case the assets come back.
        </ConfirmDialog>
      )}
    </Section>
  );
}
