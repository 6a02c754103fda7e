/** Crawls: the one that runs, and a line for each of the others, which shows its errors when it is opened. */
import { useEffect, useEffectEvent, useState } from "react";
import { useClient, useQuery } from "urql";

import { countOf, formatCount } from "../../parts/count.ts";
import { Badge } from "../../parts/marks.tsx";
import { Time, useNowMs } from "../../parts/time.tsx";
import styles from "./connectors.module.css";
import { type SyncRun, CANCEL_SYNC, LATEST, SYNC_PROGRESS, SYNCS } from "./documents.ts";
import { describeDuration, isUnderWay, describeWait, formatSeconds } from "./sync-state.ts";
import { useMayWrite } from "../../app/session/session.ts";
import { useChange, watch } from "../../graphql/requests.ts";
import { Button } from "../../parts/button.tsx";
import { Fault } from "../../parts/form.tsx";

const TONES = { completed: "good", failed: "bad", cancelled: "warn", running: "neutral", queued: "neutral" } as const;

export function Runs({ syncs }: { syncs: readonly SyncRun[] }) {
  return (
    <ol className="lines" aria-label="Syncs">
      {syncs.map((sync) => (
        <Run key={sync.id} sync={sync} />
      ))}
    </ol>
  );
}

function Run({ sync }: { sync: SyncRun }) {
  const { status, mode, queuedAt, errors, errorsTotal, assetsDiscovered, assetsUpdated, assetsRemoved } = sync;
  const duration = describeDuration(sync);
  const line = (
    <>
      <Badge label={status} tone={TONES[status]} />
      <Time at={queuedAt} />
      <span className="soft">
        {mode}
        {duration !== null && `, ${duration}`}
      </span>
      {!isUnderWay(sync) && (
        <span className="soft">
          {formatCount(assetsDiscovered)} found · {formatCount(assetsUpdated)} changed · {formatCount(assetsRemoved)}{" "}
          removed
        </span>
      )}
      <span className="push">{errorsTotal > 0 && countOf(errorsTotal, "message")}</span>
    </>
  );
  if (errors.length === 0) return <li className={`line cluster ${styles["run"]}`}>{line}</li>;
  return (
    <li className="line">
      <details>
        <summary className={`cluster ${styles["run"]}`}>{line}</summary>
        <SyncErrors errors={errors} total={errorsTotal} />
      </details>
    </li>
  );
}

/** @param total how many there were; only the first ones are stored */
export function SyncErrors({ errors, total }: { errors: SyncRun["errors"]; total: number }) {
  return (
    <ul className={`stack snug ${styles["errors"]}`}>
      {errors.map((error, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- messages may repeat, and their order never changes
        <li key={index} className="beside-icon top">
          <Badge label={error.severity} tone={error.severity === "error" ? "bad" : "warn"} />
          <p className="wrap">{error.message}</p>
          <small className="wrap">
            {error.object !== null && (
              <>
                <code>{error.object}</code> ·{" "}
              </>
            )}
            <code>{error.code}</code>, at the step {error.stage}
            {error.retryable && ", may be gone at the next run"}
          </small>
        </li>
      ))}
      {total > errors.length && (
        <li className="beside-icon">
          <span />
          <small>{formatCount(total - errors.length)} more are not stored.</small>
        </li>
      )}
    </ul>
  );
}

interface LiveSyncProps {
  connectorId: string;
  /** As it was when the page asked. */
  sync: SyncRun;
  onEnd: () => void;
}

/** A crawl while it runs: how far it is, and a button that ends it. */
export function LiveSync({ connectorId, sync, onEnd }: LiveSyncProps) {
  const mayWrite = useMayWrite();
  const client = useClient();
  /** Undefined before the service has answered; null if it has no such sync. */
  const [told, setTold] = useState<SyncRun | null>();
  const [isLost, setLost] = useState(false);
  useEffect(
    () =>
      watch(client, SYNC_PROGRESS, { id: sync.id }, ({ data, error }) => {
        setLost(error !== undefined);
        if (data) setTold(data.syncProgress);
      }),
    [client, sync.id],
  );
  const [{ data: history }] = useQuery({ query: SYNCS, variables: { id: connectorId, first: LATEST } });
  // Before a run has completed, the service can only guess, by the size of the source.
  const isMeasured = history?.connector?.syncs.some(({ status }) => status === "completed") ?? false;
  const cancel = useChange(CANCEL_SYNC);
  const now = told ?? sync;
  const hasEnded = told === null || !isUnderWay(now);
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    if (hasEnded) end();
  }, [hasEnded]);
  const nowMs = useNowMs();
  const isCancelling = now.cancelRequestedAt !== null || cancel.isBusy;
  return (
    <section className="card padded stack" aria-label="Sync under way">
      <div className="cluster">
        <Badge tone="neutral" icon="clock" label={now.status} />
        <span role="status">
          {now.status === "queued" ? `It ${describeWait(now, nowMs)}.` : now.progressLabel || "Starting"}
        </span>
        {mayWrite && isUnderWay(now) && (
          <Button
            className="push"
            icon="stop"
            label={isCancelling ? "Cancelling …" : "Cancel"}
            isBusy={isCancelling}
            onClick={() => void cancel.change({ input: { id: sync.id } })}
          />
        )}
      </div>
      <progress className="full" aria-label="Progress of the sync" value={now.progress} />
      {isMeasured && <p className="soft">The last syncs took about {formatSeconds(now.estimatedDurationSeconds)}.</p>}
      <Fault text={cancel.fault ?? (isLost ? "The progress cannot be followed at present." : null)} />
    </section>
  );
}
