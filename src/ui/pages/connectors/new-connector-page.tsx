/** Adds a connector: first its type, then a form made from that type's options. */
import type { ReactNode } from "react";
import { useQuery } from "urql";
import { Link, useLocation, useSearchParams } from "wouter";

import { AdminsOnly } from "../../app/session/admins-only.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Page } from "../../parts/page.tsx";
import styles from "./connectors.module.css";
import { CONNECTOR_TYPES } from "./documents.ts";
import { NewConnectorForm } from "./new-connector-form.tsx";

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
    <Loaded what="the types" asked={asked} pick={({ connectorTypes }) => connectorTypes} renderFrame={renderPage}>
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
