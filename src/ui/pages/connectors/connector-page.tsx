/** One connector: how it is, what it did, and how it is set. */
import { useState } from "react";
import { useQuery } from "urql";
import { Link, useParams } from "wouter";

import { useIsAdmin, useMayWrite } from "../../app/session/use-session.ts";
import { useTitle } from "../../app/use-title.ts";
import { useChange } from "../../graphql/use-change.ts";
import { Button } from "../../parts/button.tsx";
import { Fault } from "../../parts/form.tsx";
import { Above, Page } from "../../parts/page.tsx";
import { ErrorPanel, NoPermission, Panel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { showToast } from "../../parts/toast.tsx";
import {
  CONNECTOR,
  CONNECTOR_TYPES,
  type ConnectorDetail,
  type ConnectorType,
  TRIGGER_SYNC,
  UPDATE_CONNECTOR,
} from "./documents.ts";
import { HealthBadge } from "./health-badge.tsx";
import { HistoryTab } from "./history-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { isUnderWay, isWaitingToRetry } from "./sync-state.ts";

const ABOVE = <Above href="/connectors" label="Connectors" />;

export function ConnectorPage() {
  const { id = "" } = useParams();
  const [{ data, error, fetching }, again] = useQuery({
    query: CONNECTOR,
    variables: { id },
    requestPolicy: "cache-and-network",
  });
  const [{ data: known, error: unknown }, askTypes] = useQuery({ query: CONNECTOR_TYPES });
  const connector = data?.connector;
  const types = known?.connectorTypes;
  useTitle(connector?.name ?? "Connector");
  const reload = (): void => again({ requestPolicy: "network-only" });
  if (!connector) {
    if (error) return <ErrorPanel isPage error={error} onRetry={reload} />;
    if (fetching) {
      return (
        <Page title="Connector" above={ABOVE}>
          <Skeleton rows={6} label="Loading the connector" />
        </Page>
      );
    }
    return (
      <Panel
        isPage
        icon="connector"
        title="There is no such connector"
        action={<Link href="/connectors">See all connectors</Link>}
      >
        It may have been removed since the link was made.
      </Panel>
    );
  }
  if (!types) {
    return (
      <Page title={connector.name} above={ABOVE}>
        {unknown ? (
          <ErrorPanel error={unknown} onRetry={() => askTypes({ requestPolicy: "network-only" })} />
        ) : (
          <Skeleton rows={6} label="Loading the connector" />
        )}
      </Page>
    );
  }
  const type = types.find((each) => each.type === connector.type);
  return <Loaded connector={connector} type={type} onChange={reload} />;
}

interface LoadedProps {
  connector: ConnectorDetail;
  /** Undefined if the service does not know it any more. */
  type: ConnectorType | undefined;
  onChange: () => void;
}

function Loaded({ connector, type, onChange }: LoadedProps) {
  const isAdmin = useIsAdmin();
  const { id, name, health, removingAt } = connector;
  const pulls = type?.capabilities.includes("pull") ?? false;
  return (
    <Page
      title={name}
      above={ABOVE}
      beside={<HealthBadge health={health} />}
      lead={type?.description ?? connector.type}
      actions={removingAt === null && <Actions connector={connector} pulls={pulls} />}
    >
      {removingAt !== null && <Fault text="It is being removed, and never crawls again." />}
      <Tabs
        label="About this connector"
        tabs={[
          {
            name: "overview",
            label: "Overview",
            content: <OverviewTab connector={connector} pulls={pulls} onChange={onChange} />,
          },
          { name: "history", label: "History", content: <HistoryTab id={id} /> },
          {
            name: "settings",
            label: "Settings",
            content: isAdmin ? (
              type ? (
                <SettingsTab connector={connector} type={type} />
              ) : (
                <Panel icon="connector" title="It cannot be set">
                  The service does not know connectors of the type {connector.type}.
                </Panel>
              )
            ) : (
              <NoPermission needs="Only admins see and change the options of a connector. Ask an admin of this workspace." />
            ),
          },
        ]}
      />
    </Page>
  );
}

function Actions({ connector, pulls }: { connector: ConnectorDetail; pulls: boolean }) {
  const { id, name, disabledAt, lastSync } = connector;
  const isAdmin = useIsAdmin();
  const mayWrite = useMayWrite();
  const run = useChange(TRIGGER_SYNC, ["Connector"]);
  const update = useChange(UPDATE_CONNECTOR);
  const [wasFull, setFull] = useState(false);
  const isBusy = lastSync !== null && isUnderWay(lastSync) && !isWaitingToRetry(lastSync);
  const start = (mode: "full" | null): void => {
    setFull(mode === "full");
    void run.change({ input: { connectorId: id, mode, force: true } });
  };
  const setDisabled = async (disabled: boolean): Promise<void> => {
    if ((await update.change({ input: { id, disabled } })) !== null) {
      showToast(disabled ? `${name} is disabled.` : `${name} is enabled.`);
    }
  };
  return (
    <>
      {isAdmin && (
        <Button isBusy={update.isBusy} onClick={() => void setDisabled(disabledAt === null)}>
          {disabledAt === null ? "Disable" : "Enable"}
        </Button>
      )}
      {mayWrite && pulls && disabledAt === null && (
        <>
          <Button disabled={isBusy} isBusy={run.isBusy && wasFull} onClick={() => start("full")}>
            Run in full
          </Button>
          <Button
            look="primary"
            icon="play"
            disabled={isBusy}
            isBusy={run.isBusy && !wasFull}
            onClick={() => start(null)}
          >
            Run now
          </Button>
        </>
      )}
      <Fault text={run.fault ?? update.fault} />
    </>
  );
}
