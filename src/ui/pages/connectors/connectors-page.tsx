/** The connectors, each with its health, its last crawl and its next one. */
import { useEffect, useEffectEvent } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";

import { useIsAdmin } from "../../app/session/session-store.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { countOf, formatCount } from "../../parts/count.ts";
import { Listing } from "../../parts/listing.tsx";
import { Page } from "../../parts/page.tsx";
import { Panel } from "../../parts/panel.tsx";
import { Row } from "../../parts/table.tsx";
import { Time, useNowMs } from "../../parts/time.tsx";
import styles from "./connectors.module.css";
import { CONNECTOR_TYPES, CONNECTORS, type ListedConnector } from "./documents.ts";
import { HealthBadge } from "./health-badge.tsx";
import { describeWait, isUnderWay } from "./sync-state.ts";

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
