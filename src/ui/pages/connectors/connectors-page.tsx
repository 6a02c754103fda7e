/** The connectors, each with its health, its last crawl and its next one. */
import { useEffect, useEffectEvent, type ReactNode } from "react";
import { useQuery } from "urql";
import { Link, useLocation, useSearchParams } from "wouter";

import { useIsAdmin } from "../../app/session/session.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { countOf, formatCount } from "../../parts/count.ts";
import { Listing, Loaded } from "../../parts/listing.tsx";
import { Page, Panel, Section } from "../../parts/page.tsx";
import { Row } from "../../parts/table.tsx";
import { Time, useNowMs } from "../../parts/time.tsx";
import styles from "./connectors.module.css";
import {
  CONNECTOR_TYPES,
  CONNECTORS,
  type ListedConnector,
  type ConnectorType,
  CREATE_CONNECTOR,
  TRIGGER_SYNC,
} from "./documents.ts";
import { HealthBadge } from "./health-badge.tsx";
import { describeWait, isUnderWay } from "./sync-state.ts";
import { AdminsOnly } from "../../app/session/admins-only.tsx";
import { useChange } from "../../graphql/requests.ts";
import { TextField } from "../../parts/form.tsx";
import { showToast } from "../../parts/toast.tsx";
import { ConnectorForm, readSchedule, ScheduleFields } from "./connector-form.tsx";
import { readOptions } from "./option-fields.tsx";

/** How often the list is read again while one of its connectors crawls. */
const LOOK_EVERY_MS = 3_000;

const COLUMNS = [
  { label: "Name", isName: true },
  { label: "Type" },
  { label: "Health" },
  { label: "Last sync", className: "soft nowrap" },
  { label: "Assets", className: "number" },
  { label: "Next run", className: "soft nowrap" },
];

export function ConnectorsPage() {
  const isAdmin = useIsAdmin();
  const add = isAdmin && <ButtonLink href="/connectors/new" look="primary" icon="plus" label="Add a connector" />;
  return (
    <Page title="Connectors" lead="Where the catalog reads its metadata from." actions={add}>
      <Listing
        what="the connectors"
        query={CONNECTORS}
        types={["Connector"]}
        table={{ label: "Connectors", columns: COLUMNS }}
        empty={<NoConnectors />}
      >
        {(connectors, { again }) => <ConnectorRows connectors={connectors} onLook={again} />}
      </Listing>
    </Page>
  );
}

function NoConnectors() {
  const isAdmin = useIsAdmin();
  const [{ data }] = useQuery({ query: CONNECTOR_TYPES });
  const types = data?.connectorTypes?.map(({ type }) => type) ?? [];
  return (
    <Panel icon="connector" title="No connectors yet">
      A connector reads one source. The types are {types.join(", ") || "…"}.{!isAdmin && " Admins can add one."}
    </Panel>
  );
}

function ConnectorRows({ connectors, onLook }: { connectors: readonly ListedConnector[]; onLook: () => void }) {
  const isBusy = connectors.some(({ lastSync }) => lastSync !== null && isUnderWay(lastSync));
  const look = useEffectEvent(onLook);
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isBusy]);
  return connectors.map((connector) => <ConnectorRow key={connector.id} connector={connector} />);
}

function ConnectorRow({ connector }: { connector: ListedConnector }) {
  const { id, name, type, health, assets, lastSync, schedule, reception, disabledAt } = connector;
  const whenAsked = disabledAt === null && reception === null ? "when asked" : "";
  return (
    <Row columns={COLUMNS}>
      <Link href={`/connectors/${id}`}>{name}</Link>
      {type}
      <HealthBadge health={health} />
      <LastSync sync={lastSync} receivedAt={reception?.receivedAt ?? null} />
      {formatCount(assets.totalCount ?? 0)}
      <Time at={schedule?.nextRunAt ?? null} none={whenAsked} />
    </Row>
  );
}

function LastSync({ sync, receivedAt }: { sync: ListedConnector["lastSync"]; receivedAt: string | null }) {
  const nowMs = useNowMs();
  if (sync !== null && isUnderWay(sync)) {
    return (
      <span className={`row inline ${styles["inline"]}`}>
        <progress aria-label="Progress" value={sync.progress} />{" "}
        {sync.status === "queued" ? describeWait(sync, nowMs) : "running"}
      </span>
    );
  }
  if (receivedAt !== null) {
    return (
      <>
        received <Time at={receivedAt} />
      </>
    );
  }
  if (sync === null || sync.completedAt === null) return "never";
  return (
    <>
      <Time at={sync.completedAt} />
      {sync.status !== "completed" && `, ${sync.status}`}
      {sync.errorsTotal > 0 && `, ${countOf(sync.errorsTotal, "message")}`}
    </>
  );
}

const ABOVE = { href: "/connectors", label: "Connectors" };

/** Adds a connector: first its type, then a form made from that type's options. */
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
