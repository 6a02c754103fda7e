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
import { CONNECTOR, CONNECTOR_TYPES, type ConnectorDetail, TRIGGER_SYNC, UPDATE_CONNECTOR } from "./documents.ts";
import { HealthBadge } from "./health-badge.tsx";
import { HistoryTab } from "./history-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { isUnderWay } from "./sync-state.ts";

const ABOVE = <Above href="/connectors" label="Connectors" />;

export function ConnectorPage() {
  const { id = "" } = useParams();
  const [{ data, error, fetching }, again] = useQuery({
    query: CONNECTOR,
    variables: { id },
    requestPolicy: "cache-and-network",
  });
  const connector = data?.connector;
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
  return <Loaded connector={connector} onChange={reload} />;
}

function Loaded({ connector, onChange }: { connector: ConnectorDetail; onChange: () => void }) {
  const isAdmin = useIsAdmin();
  const { id, name, type, health, removingAt } = connector;
  const [{ data }] = useQuery({ query: CONNECTOR_TYPES });
  const known = data?.connectorTypes?.find((each) => each.type === type);
  const pulls = known?.capabilities.includes("pull") ?? false;
  return (
    <Page
      title={name}
      above={ABOVE}
      beside={<HealthBadge health={health} />}
      lead={known?.description ?? type}
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
            content:
              isAdmin && known ? (
                <SettingsTab connector={connector} type={known} />
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
  const isBusy = lastSync !== null && isUnderWay(lastSync);
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
