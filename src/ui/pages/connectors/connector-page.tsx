/** One connector: how it is, what it did, and how it is set. */
import { type ReactNode, useState } from "react";
import { useQuery } from "urql";
import { Link, useParams } from "wouter";

import { AdminsOnly } from "../../app/session/admins-only.tsx";
import { useIsAdmin, useMayWrite } from "../../app/session/session.ts";
import { useChange, useFresh } from "../../graphql/requests.ts";
import { Button } from "../../parts/button.tsx";
import { Fault } from "../../parts/form.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Page, useTitle, Panel } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import {
  CONNECTOR,
  CONNECTOR_TYPES,
  type ConnectorDetail,
  type ConnectorType,
  SYNCS,
  TRIGGER_SYNC,
  UPDATE_CONNECTOR,
} from "./documents.ts";
import { HealthBadge } from "./health-badge.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { isUnderWay, isWaitingToRetry } from "./sync-state.ts";
import { Runs } from "./runs.tsx";

const ABOVE = { href: "/connectors", label: "Connectors" };

export function ConnectorPage() {
  const { id = "" } = useParams();
  const asked = useFresh(CONNECTOR, { id });
  const askedTypes = useQuery({ query: CONNECTOR_TYPES });
  const [{ data }, again] = asked;
  useTitle(data?.connector?.name ?? "Connector");
  const missing = (
    <Panel
      isPage
      icon="connector"
      title="There is no such connector"
      action={<Link href="/connectors">See all connectors</Link>}
    >
      It may have been removed since the link was made.
    </Panel>
  );
  const frame = (content: ReactNode) => (
    <Page title={data?.connector?.name ?? "Connector"} above={ABOVE}>
      {content}
    </Page>
  );
  const what = "the connector";
  return (
    <Loaded isPage what={what} asked={asked} missing={missing} renderFrame={frame}>
      {(connector) => (
        <Loaded what={what} asked={askedTypes} renderFrame={frame}>
          {(types) => (
            <Connector
              connector={connector}
              type={types.find(({ type }) => type === connector.type)}
              onChange={() => again({ requestPolicy: "network-only" })}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

interface ConnectorProps {
  connector: ConnectorDetail;
  /** Undefined if the service does not know it any more. */
  type: ConnectorType | undefined;
  onChange: () => void;
}

function Connector({ connector, type, onChange }: ConnectorProps) {
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
      {removingAt !== null && <Fault text="It is being removed, and never syncs again." />}
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
            content: (
              <AdminsOnly what="see and change the options of a connector">
                {type ? (
                  <SettingsTab connector={connector} type={type} />
                ) : (
                  <Panel icon="connector" title="It cannot be set">
                    The service does not know connectors of the type {connector.type}.
                  </Panel>
                )}
              </AdminsOnly>
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
  const run = useChange(TRIGGER_SYNC, { types: ["Connector"] });
  const update = useChange(UPDATE_CONNECTOR, {
    onDone: () => `${name} is ${disabledAt === null ? "disabled" : "enabled"}.`,
  });
  const [wasFull, setFull] = useState(false);
  const isBusy = lastSync !== null && isUnderWay(lastSync) && !isWaitingToRetry(lastSync);
  const start = (mode: "full" | null): void => {
    setFull(mode === "full");
    void run.change({ input: { connectorId: id, mode, force: true } });
  };
  return (
    <>
      {isAdmin && (
        <Button
          label={disabledAt === null ? "Disable" : "Enable"}
          isBusy={update.isBusy}
          onClick={() => void update.change({ input: { id, disabled: disabledAt === null } })}
        />
      )}
      {mayWrite && pulls && disabledAt === null && (
        <>
          <Button label="Run in full" disabled={isBusy} isBusy={run.isBusy && wasFull} onClick={() => start("full")} />
          <Button
            look="primary"
            icon="play"
            label="Run now"
            disabled={isBusy}
            isBusy={run.isBusy && !wasFull}
            onClick={() => start(null)}
          />
        </>
      )}
      <Fault text={run.fault ?? update.fault} />
    </>
  );
}

const FIRST = 20;
const ALL = 200;

function HistoryTab({ id }: { id: string }) {
  const [first, setFirst] = useState(FIRST);
  const asked = useFresh(SYNCS, { id, first });
  return (
    <Loaded what="the syncs" asked={asked} pick={({ connector }) => connector?.syncs}>
      {(syncs) =>
        syncs.length === 0 ? (
          <Panel icon="history" title="It has not synced yet">
            Each sync is listed here, with what it found and what went wrong.
          </Panel>
        ) : (
          <div className="stack">
            <Runs syncs={syncs} />
            {syncs.length === first && first < ALL && (
              <div>
                <Button label="Show more" onClick={() => setFirst(ALL)} />
              </div>
            )}
          </div>
        )
      }
    </Loaded>
  );
}
