/** Adds a connector: first its type, then a form made from that type's options. */
import type { ReactNode } from "react";
import { useQuery } from "urql";
import { Link, useLocation, useSearchParams } from "wouter";

import { AdminsOnly } from "../../app/session/admins-only.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Page, Section } from "../../parts/page.tsx";
import { useChange } from "../../graphql/use-change.ts";
import { TextField } from "../../parts/field.tsx";
import { showToast } from "../../parts/toast.tsx";
import styles from "./connectors.module.css";
import { CONNECTOR_TYPES, type ConnectorType, CREATE_CONNECTOR, TRIGGER_SYNC } from "./documents.ts";
import { ConnectorForm } from "./connector-form.tsx";
import { readOptions } from "./option-fields.tsx";
import { readSchedule, ScheduleFields } from "./schedule-fields.tsx";

const ABOVE = { href: "/connectors", label: "Connectors" };

export function NewConnectorPage() {
  return (
    <AdminsOnly isPage what="add connectors">
      <Types />
    </AdminsOnly>
  );
}

function renderPage(content: ReactNode) {
  return (
    <Page title="Add a connector" lead="What do you want to read?" above={ABOVE}>
      {content}
    </Page>
  );
}

function Types() {
  const [parameters] = useSearchParams();
  const [, navigate] = useLocation();
  const asked = useQuery({ query: CONNECTOR_TYPES });
  return (
    <Loaded what="the types" asked={asked} renderFrame={renderPage}>
      {(types) => {
        const chosen = types.find(({ type }) => type === parameters.get("type"));
        return chosen ? (
          <Page
            title={`Add a ${chosen.type} connector`}
            lead={chosen.description}
            above={{ href: "/connectors/new", label: "All types" }}
          >
            <NewConnectorForm type={chosen} onAdded={(id) => navigate(`/connectors/${id}`, { replace: true })} />
          </Page>
        ) : (
          renderPage(
            <ul className={styles["types"]}>
              {types.map(({ type, description }) => (
                <li key={type}>
                  <Link
                    href={`/connectors/new?type=${encodeURIComponent(type)}`}
                    className={`card padded stack tight soft hoverable ${styles["type"]}`}
                  >
                    <strong className="name large">{type}</strong>
                    <span>{description}</span>
                  </Link>
                </li>
              ))}
            </ul>,
          )
        );
      }}
    </Loaded>
  );
}

function NewConnectorForm({ type, onAdded }: { type: ConnectorType; onAdded: (id: string) => void }) {
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
