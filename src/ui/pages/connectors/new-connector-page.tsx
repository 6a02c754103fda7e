/** Adds a connector: first its type, then a form made from that type's options. */
import { useQuery } from "urql";
import { Link, useLocation, useSearchParams } from "wouter";

import { useIsAdmin } from "../../app/session/use-session.ts";
import { useTitle } from "../../app/use-title.ts";
import { Above, Page } from "../../parts/page.tsx";
import { ErrorPanel, NoPermission } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import styles from "./connectors.module.css";
import { CONNECTOR_TYPES } from "./documents.ts";
import { NewConnectorForm } from "./new-connector-form.tsx";

const ABOVE = <Above href="/connectors" label="Connectors" />;

export function NewConnectorPage() {
  useTitle("Add a connector");
  const isAdmin = useIsAdmin();
  const [parameters] = useSearchParams();
  const [, navigate] = useLocation();
  const [{ data, error }, again] = useQuery({ query: CONNECTOR_TYPES, pause: !isAdmin });
  if (!isAdmin) return <NoPermission isPage needs="Only admins add connectors. Ask an admin of this workspace." />;
  const types = data?.connectorTypes;
  if (!types) {
    return (
      <Page title="Add a connector" above={ABOVE}>
        {error ? (
          <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />
        ) : (
          <Skeleton rows={4} label="Loading the types" />
        )}
      </Page>
    );
  }
  const chosen = types.find(({ type }) => type === parameters.get("type"));
  if (chosen) {
    return (
      <Page
        title={`Add a ${chosen.type} connector`}
        lead={chosen.description}
        above={<Above href="/connectors/new" label="All types" />}
      >
        <NewConnectorForm type={chosen} onAdded={(id) => navigate(`/connectors/${id}`, { replace: true })} />
      </Page>
    );
  }
  return (
    <Page title="Add a connector" lead="What do you want to read?" above={ABOVE}>
      <ul className={styles["types"]}>
        {types.map(({ type, description }) => (
          <li key={type}>
            <Link href={`/connectors/new?type=${encodeURIComponent(type)}`} className={styles["type"]}>
              <strong>{type}</strong>
              <span>{description}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}
