/** The state of a connector: the running crawl, a removal on hold, and the last result. */
import { Link } from "wouter";

import { useMayWrite } from "../../app/session/session.ts";
import { useFresh } from "../../graphql/requests.ts";
import { countOf, formatCount } from "../../parts/count.ts";
import { Snippet } from "../../parts/copy.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Section, Panel } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { Row, Table } from "../../parts/table.tsx";
import { ConfirmButton } from "../../parts/change-form.tsx";
import { Icon } from "../../parts/marks.tsx";
import { type ConnectorDetail, LATEST, type SyncRun, SYNCS, TRIGGER_SYNC } from "./documents.ts";
import { LiveSync, Runs, SyncErrors } from "./runs.tsx";
import { describeDuration, findHeldSweep, isUnderWay, isWaitingToRetry } from "./sync-state.ts";

interface OverviewTabProps {
  connector: ConnectorDetail;
  /** Whether it reads a source; else others send to it. */
  pulls: boolean;
  onChange: () => void;
}

export function OverviewTab({ connector, pulls, onChange }: OverviewTabProps) {
  const { id, name, lastSync, reception } = connector;
  const held = lastSync && findHeldSweep(lastSync);
  const isOver = lastSync !== null && (!isUnderWay(lastSync) || isWaitingToRetry(lastSync));
  const errors = isOver ? lastSync.errors.filter(({ code }) => !TOLD_IN_TABLE.has(code)) : [];
  const inTable = isOver ? lastSync.errors.length - errors.length : 0;
  return (
    <div className="stack">
      {lastSync !== null && isUnderWay(lastSync) && (
        <LiveSync key={lastSync.id} connectorId={id} sync={lastSync} onEnd={onChange} />
      )}
      {held !== null && <HeldSweep connectorId={id} message={held} />}
      <State key={`${lastSync?.id} ${lastSync?.status}`} connector={connector} pulls={pulls} />
      {isOver && errors.length > 0 && (
        <Section title="What went wrong in the last sync">
          <SyncErrors errors={errors} total={lastSync.errorsTotal - inTable} />
        </Section>
      )}
      {connector.unkept.length > 0 && <Unkept kinds={connector.unkept} />}
      {reception !== null && reception.errors.length > 0 && (
        <Section title="What went wrong with what was received">
          <SyncErrors errors={reception.errors} total={reception.errorsTotal} />
        </Section>
      )}
      {!pulls && (
        <Section title="Send to it" lead={`Events that name this connector go to ${name}.`}>
          <Snippet
            label="A request that sends an event"
            text={`curl -H "Authorization: Bearer $TRIBUTARY_TOKEN" -H "Content-Type: application/json" \\\n  --data @event.json "${location.origin}/api/v1/lineage"`}
          />
        </Section>
      )}
    </div>
  );
}

/** The facts and the latest crawls. While one runs, the facts are those of the last one that ended. */
function State({ connector, pulls }: Omit<OverviewTabProps, "onChange">) {
  const { id, lastSync } = connector;
  const [{ data }] = useFresh(SYNCS, { id, first: LATEST }, { pause: lastSync === null });
  const syncs = data?.connector?.syncs ?? [];
  const isRunning = lastSync !== null && isUnderWay(lastSync);
  const ended = isRunning ? (syncs.find((sync) => !isUnderWay(sync)) ?? null) : lastSync;
  return (
    <>
      <Numbers connector={connector} pulls={pulls} ended={ended} isKnown={!isRunning || data !== undefined} />
      {lastSync === null && pulls && <NeverRan />}
      {syncs.length > 0 && <Runs syncs={syncs} />}
    </>
  );
}

function NeverRan() {
  const mayWrite = useMayWrite();
  return (
    <Panel icon="connector" title="It has not synced yet">
      {mayWrite ? "Run it now, or give it a schedule in its settings." : "Somebody who may write can run it."}
    </Panel>
  );
}

interface NumbersProps extends Omit<OverviewTabProps, "onChange"> {
  /** The last crawl that is over; null if there is none. */
  ended: SyncRun | null;
  /** False until it is known whether there is one. */
  isKnown: boolean;
}

function Numbers({ connector, pulls, ended, isKnown }: NumbersProps) {
  const { id, name, pipelineName, assets, columns, lastSync, schedule, reception, removalShare } = connector;
  const { createdAt, disabledAt } = connector;
  const duration = ended && describeDuration(ended);
  return (
    <Facts
      look="tiles"
      of={{
        Pipeline: pipelineName,
        "Last sync": pulls && (
          <>
            <Time at={ended?.completedAt ?? null} none={isKnown ? "never" : "…"} />
            {ended?.completedAt && (
              <small>
                {ended.status}
                {duration !== null && ` in ${duration}`} · <Link href={`/connectors/${id}?tab=history`}>all syncs</Link>
              </small>
            )}
          </>
        ),
        Holds: (
          <>
            {lastSync !== null && ended === null ? (
              "counted when the sync ends"
            ) : (
              <Link href={`/catalog?connector=${encodeURIComponent(name)}`}>
                {countOf(assets.totalCount ?? 0, "asset")}
              </Link>
            )}
            {ended?.completedAt && (
              <small>
                and {countOf(columns.totalCount ?? 0, "column")}. The last sync found{" "}
                {formatCount(ended.assetsDiscovered)} in all: {formatCount(ended.assetsUpdated)} changed,{" "}
                {formatCount(ended.assetsRemoved)} removed
              </small>
            )}
          </>
        ),
        "Last received": reception && (
          <>
            <Time at={reception.receivedAt} />
            {reception.waiting > 0 && <small>{formatCount(reception.waiting)} wait to be written</small>}
          </>
        ),
        "Next run": pulls && (
          <>
            <Time at={schedule?.nextRunAt ?? null} none={disabledAt === null ? "when asked" : "disabled"} />
            {schedule !== null && (
              <small>
                <code>{schedule.cron}</code>, {schedule.timeZone}
              </small>
            )}
          </>
        ),
        "Removes by itself": pulls && (
          <>
            up to {removalShare} %<small>of its assets in one sync</small>
          </>
        ),
        Added: <Time at={createdAt} />,
      }}
    />
  );
}

type Kinds = ConnectorDetail["unkept"];

const REASONS = {
  unknown: "nothing of this kind is kept",
  malformed: "it could not be read in full",
  cut: "its lists are too long: only their beginnings are kept",
} as const satisfies Record<Kinds[number]["why"], string>;

/** The warnings of a sync that say the same as the table. */
const TOLD_IN_TABLE: ReadonlySet<string> = new Set(["not_kept", "malformed_proposal", "too_many"]);

const UNKEPT = ["About", "Aspect", "Came", "Why", "Such as that of"].map((label) => ({ label }));

function Unkept({ kinds }: { kinds: Kinds }) {
  return (
    <Section title="Not kept" lead="What came and is in no asset. The last completed sync counted it.">
      <Table label="What came and is not kept" columns={UNKEPT}>
        <tbody>
          {kinds.map(({ entity, aspect, why, count, example }) => (
            <Row key={`${entity} ${aspect} ${why}`} columns={UNKEPT}>
              {entity ?? "unknown"}
              {aspect === null ? "further kinds" : <code>{aspect}</code>}
              {formatCount(count)}
              {REASONS[why]}
              <code className="wrap">{example}</code>
            </Row>
          ))}
        </tbody>
      </Table>
    </Section>
  );
}

/** @param message the service's, which says how many of how many */
function HeldSweep({ connectorId, message }: { connectorId: string; message: string }) {
  const mayWrite = useMayWrite();
  // The end of the message is for the command line.
  const [what = message] = message.split(" If they are gone");
  return (
    <section className="notice warn stack" aria-label="Removal on hold">
      <p className="row inline">
        <Icon name="warning" /> <strong>A removal waits for you</strong>
      </p>
      <p>{what}</p>
      {mayWrite ? (
        <div>
          <ConfirmButton
            label="They are gone: remove them"
            look="plain"
            title="Remove what is gone?"
            action="Sync and remove"
            change={TRIGGER_SYNC}
            variables={{ input: { connectorId, confirmRemoval: true } }}
            types={["Connector"]}
          >
            The connector syncs again, and removes everything that its source no longer has, however much it is. Edits
            by people are kept, in case the assets come back.
          </ConfirmButton>
        </div>
      ) : (
        <p>Somebody who may write has to confirm it.</p>
      )}
    </section>
  );
}
