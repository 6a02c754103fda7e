/** The settings of a connector. Each form saves only its own fields. */
import { useLocation } from "wouter";

import { useFresh } from "../../graphql/requests.ts";
import { ChangeSection, ConfirmButton } from "../../parts/change-form.tsx";
import { countOf } from "../../parts/count.ts";
import { TextField } from "../../parts/form.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Section } from "../../parts/page.tsx";
import { showToast } from "../../parts/toast.tsx";
import { ConnectorForm, readSchedule, ScheduleFields } from "./connector-form.tsx";
import {
  CONNECTOR_OPTIONS,
  type ConnectorDetail,
  type ConnectorType,
  REMOVE_CONNECTOR,
  UPDATE_CONNECTOR,
} from "./documents.ts";
import { readOptions } from "./option-fields.tsx";

export function SettingsTab({ connector, type }: { connector: ConnectorDetail; type: ConnectorType }) {
  const { id, name, schedule, removalShare } = connector;
  const [, navigate] = useLocation();
  const asked = useFresh(CONNECTOR_OPTIONS, { id });
  const reload = (): void => asked[1]({ requestPolicy: "network-only" });
  const pulls = type.capabilities.includes("pull");
  return (
    <div className="stack">
      {pulls && (
        <ChangeSection
          title="Schedule"
          lead="When it syncs by itself."
          action="Save the schedule"
          change={UPDATE_CONNECTOR}
          variables={(form) => ({ input: { id, schedule: readSchedule(form) } })}
          onDone={() => "The schedule is saved."}
        >
          <div className="form-width">
            <ScheduleFields schedule={schedule} />
          </div>
        </ChangeSection>
      )}
      {pulls && (
        <ChangeSection
          title="Removal"
          lead="A sync that no longer finds more of the connector's assets than this removes nothing, and waits for somebody to confirm it."
          action="Save the share"
          change={UPDATE_CONNECTOR}
          variables={(form) => ({ input: { id, removalShare: Number(form.get("removalShare")) } })}
          onDone={() => "The share is saved."}
        >
          <TextField
            className="form-width"
            label="Largest share, in percent"
            name="removalShare"
            type="number"
            min={0}
            max={100}
            required
            defaultValue={removalShare}
          />
        </ChangeSection>
      )}
      <ChangeSection
        title="Name"
        lead="Its assets show this name from then on."
        action="Save the name"
        change={UPDATE_CONNECTOR}
        variables={(form) => ({ input: { id, name: String(form.get("name")) } })}
        onDone={() => "The name is saved."}
      >
        <TextField className="form-width" label="Name" name="name" required maxLength={64} defaultValue={name} />
      </ChangeSection>
      <Loaded what="the options" asked={asked} rows={4}>
        {(stored) => (
          <Section
            title="Options"
            lead="What it reads, and with which account. Secrets are stored encrypted and never shown."
          >
            <ConnectorForm
              type={type}
              values={stored.options}
              storedSecrets={stored.secretOptions}
              tested={(form) => ({ id, options: readOptions(form, type, stored.options) })}
              action="Save the options"
              change={UPDATE_CONNECTOR}
              variables={(form) => ({ input: { id, options: readOptions(form, type, stored.options) } })}
              refused="Nothing was saved."
              onSaved={() => {
                showToast("The options are saved.");
                reload();
              }}
            />
          </Section>
        )}
      </Loaded>
      <Section
        title="Remove it"
        lead="Removes the connector, its history, and all assets that no other connector holds."
        actions={
          <ConfirmButton
            label="Remove the connector"
            icon="trash"
            title={`Remove ${name}?`}
            action="Remove the connector"
            typed={name}
            change={REMOVE_CONNECTOR}
            variables={{ input: { id } }}
            types={["Connector", "Asset", "Metric"]}
            onDone={({ removeConnector: removed }) => {
              navigate("/connectors", { replace: true });
              return `${name} is removed, and ${countOf(removed?.removedCount ?? 0, "asset")} with it.`;
            }}
          >
            This cannot be undone. Edits of its assets by people are kept, in case the assets come back.
          </ConfirmButton>
        }
      />
    </div>
  );
}
