/** The connectors, each with its health, its last crawl and its next one. */
import { useEffect, useEffectEvent } from "react";
import { useQuery } from "urql";
import { Link, useLocation } from "wouter";

import { useIsAdmin } from "../../app/session/use-session.ts";
import { useTitle } from "../../app/use-title.ts";
import { usePages } from "../../graphql/use-pages.ts";
import { Button } from "../../parts/button.tsx";
import { Page } from "../../parts/page.tsx";
import { ErrorPanel, Panel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { ErrorRows, Table } from "../../parts/table.tsx";
import { Time, useNowMs } from "../../parts/time.tsx";
import styles from "./connectors.module.css";
import { CONNECTORS, type ListedConnector } from "./documents.ts";
import { HealthBadge } from "./health-badge.tsx";
import { describeWait, isUnderWay } from "./sync-state.ts";

/** How often the list is read again while one of its connectors crawls. */
const LOOK_EVERY_MS = 3_000;

export function ConnectorsPage() {
  useTitle("Connectors");
  const isAdmin = useIsAdmin();
  const [, navigate] = useLocation();
  const { cursors, showMore } = usePages();
  const [{ data, error }, again] = useQuery({
    query: CONNECTORS,
    variables: { after: null },
    context: NOTICES_NEW_ONES,
  });
  const add = isAdmin && (
    <Button look="primary" icon="plus" onClick={() => navigate("/connectors/new")}>
      Add a connector
    </Button>
  );
  const first = data?.connectors;
  const content = (() => {
    if (!first) {
      if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
      return <Skeleton rows={5} label="Loading the connectors" />;
    }
    if (first.nodes.length === 0) {
      return (
        <Panel icon="connector" title="No connectors yet" action={add}>
          A connector reads one source: a dbt project, a PostgreSQL server, Airflow, Metabase.
          {!isAdmin && " Admins can add one."}
        </Panel>
      );
    }
    return (
      <Table label="Connectors">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Type</th>
            <th scope="col">Health</th>
            <th scope="col">Last crawl</th>
            <th scope="col">Assets</th>
            <th scope="col">Next run</th>
          </tr>
        </thead>
        {cursors.map((after) => (
          <ConnectorRows key={after} after={after} onMore={after === cursors.at(-1) ? showMore : null} />
        ))}
      </Table>
    );
  })();
  const hasSome = first !== undefined && first !== null && first.nodes.length > 0;
  return (
    <Page title="Connectors" lead="Where the catalog reads its metadata from." actions={hasSome && add}>
      {content}
    </Page>
  );
}

interface ConnectorRowsProps {
  after: string | null;
  /** Null if the next page is shown already. */
  onMore: ((after: string) => void) | null;
}

function ConnectorRows({ after, onMore }: ConnectorRowsProps) {
  const [{ data, error }, again] = useQuery({
    query: CONNECTORS,
    variables: { after },
    requestPolicy: "cache-and-network",
    context: NOTICES_NEW_ONES,
  });
  const nodes = data?.connectors?.nodes ?? [];
  const isBusy = nodes.some(({ lastSync }) => lastSync !== null && isUnderWay(lastSync));
  const look = useEffectEvent(() => again({ requestPolicy: "network-only" }));
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isBusy]);
  if (!data?.connectors && error) {
    return <ErrorRows columns={6} error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
  }
  const { endCursor = null, hasNextPage = false } = data?.connectors?.pageInfo ?? {};
  return (
    <tbody>
      {nodes.map((connector) => (
        <ConnectorRow key={connector.id} connector={connector} />
      ))}
      {hasNextPage && endCursor !== null && onMore !== null && (
        <tr>
          <td colSpan={6}>
            <Button onClick={() => onMore(endCursor)}>Show more</Button>
          </td>
        </tr>
      )}
    </tbody>
  );
}

function ConnectorRow({ connector }: { connector: ListedConnector }) {
  const { id, name, type, health, lastSync, schedule, reception, disabledAt } = connector;
  return (
    <tr>
      <th scope="row">
        <Link href={`/connectors/${id}`}>{name}</Link>
      </th>
      <td>{type}</td>
      <td>
        <HealthBadge health={health} />
      </td>
      <td className={styles["when"]}>
        <LastCrawl sync={lastSync} receivedAt={reception?.receivedAt ?? null} />
      </td>
      <td className={styles["number"]}>{lastSync?.assetsDiscovered.toLocaleString("en-US") ?? ""}</td>
      <td className={styles["when"]}>
        {schedule?.nextRunAt ? (
          <Time at={schedule.nextRunAt} />
        ) : disabledAt === null && reception === null ? (
          "when asked"
        ) : (
          ""
        )}
      </td>
    </tr>
  );
}

function LastCrawl({ sync, receivedAt }: { sync: ListedConnector["lastSync"]; receivedAt: string | null }) {
  const nowMs = useNowMs();
  if (sync !== null && isUnderWay(sync)) {
    return (
      <span className={styles["inline"]}>
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
      {sync.errorsTotal > 0 &&
        `, ${sync.errorsTotal.toLocaleString("en-US")} ${sync.errorsTotal === 1 ? "message" : "messages"}`}
    </>
  );
}

/** An empty list has no object by which the cache could know that a new one changes it. */
const NOTICES_NEW_ONES = { additionalTypenames: ["Connector"] };
