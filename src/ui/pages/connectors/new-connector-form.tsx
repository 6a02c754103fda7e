import { useChange } from "../../graphql/use-change.ts";
import { TextField } from "../../parts/field.tsx";
import { Section } from "../../parts/page.tsx";
import { showToast } from "../../parts/toast.tsx";
import { ConnectorForm } from "./connector-form.tsx";
import { type ConnectorType, CREATE_CONNECTOR, TRIGGER_SYNC } from "./documents.ts";
import { readOptions } from "./option-fields.tsx";
import { readSchedule, ScheduleFields } from "./schedule-fields.tsx";

export function NewConnectorForm({ type, onAdded }: { type: ConnectorType; onAdded: (id: string) => void }) {
  const sync = useChange(TRIGGER_SYNC, { types: ["Connector"] });
  const pulls = type.capabilities.includes("pull");
  const read = (form: FormData) => ({
    type: type.type,
    name: String(form.get("name")),
    options: readOptions(form, type),
    schedule: pulls ? readSchedule(form) : null,
  });
  return (
    <ConnectorForm
      type={type}
      tested={read}
      action={pulls ? "Add and sync" : "Add"}
      change={CREATE_CONNECTOR}
      variables={(form) => ({ input: read(form) })}
      refused="The connector was not added."
      onSaved={async ({ createConnector }) => {
        if (!createConnector) return;
        const { id, name } = createConnector.connector;
        showToast(`${name} is added.`);
        if (pulls) await sync.change({ input: { connectorId: id } });
        onAdded(id);
      }}
      before={
        <TextField
          label="Name (required)"
          name="name"
          hint="Assets show it as their source. Letters, digits, dots, hyphens and underscores."
          required
          autoFocus
          autoComplete="off"
          maxLength={64}
        />
      }
      after={
        pulls && (
          <Section title="Schedule">
            <ScheduleFields schedule={null} />
          </Section>
        )
      }
    />
  );
}
