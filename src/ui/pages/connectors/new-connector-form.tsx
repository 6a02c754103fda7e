import { useChange } from "../../graphql/use-change.ts";
import { TextField } from "../../parts/field.tsx";
import { Section } from "../../parts/page.tsx";
import { showToast } from "../../parts/toast.tsx";
import { ConnectorForm } from "./connector-form.tsx";
import { type ConnectorType, CREATE_CONNECTOR, TRIGGER_SYNC } from "./documents.ts";
import { readOptions } from "./option-fields.tsx";
import { readSchedule, ScheduleFields } from "./schedule-fields.tsx";

interface NewConnectorFormProps {
  type: ConnectorType;
  onAdded: (id: string) => void;
}

export function NewConnectorForm({ type, onAdded }: NewConnectorFormProps) {
  const sync = useChange(TRIGGER_SYNC, { types: ["Connector"] });
  const pulls = type.capabilities.includes("pull");
  return (
    <ConnectorForm
      type={type}
      tested={{ type: type.type }}
      readOptions={(form) => readOptions(form, type)}
      action={pulls ? "Add and sync" : "Add"}
      change={CREATE_CONNECTOR}
      variables={(form) => ({
        input: {
          type: type.type,
          name: String(form.get("name")),
          options: readOptions(form, type),
          schedule: pulls ? readSchedule(form) : null,
        },
      })}
      refused="The connector was not added."
      onSaved={async ({ createConnector }) => {
        if (!createConnector) return;
        const { id, name } = createConnector.connector;
        showToast(`${name} is added.`);
        if (pulls) await sync.change({ input: { connectorId: id } });
        onAdded(id);
      }}
      renderBefore={(faults) => (
        <TextField
          label="Name (required)"
          name="name"
          hint="Assets show it as their source. Letters, digits, dots, hyphens and underscores."
          error={faults["name"]}
          required
          autoFocus
          autoComplete="off"
          maxLength={64}
        />
      )}
      renderAfter={(faults) =>
        pulls && (
          <Section title="Schedule">
            <ScheduleFields schedule={null} faults={faults} />
          </Section>
        )
      }
    />
  );
}
