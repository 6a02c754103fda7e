/** A crawl while it runs: how far it is, and a button that ends it. */
import { useEffect, useEffectEvent, useState } from "react";
import { useQuery, useSubscription } from "urql";

import { useMayWrite } from "../../app/session/use-session.ts";
import { useChange } from "../../graphql/use-change.ts";
import { formatCount } from "../../parts/count.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Fault } from "../../parts/form.tsx";
import { useNowMs } from "../../parts/time.tsx";
import styles from "./connectors.module.css";
import { CANCEL_SYNC, LATEST, SYNC_PROGRESS, SYNCS, type SyncRun } from "./documents.ts";
import { describeWait, formatSeconds, isUnderWay } from "./sync-state.ts";

interface LiveSyncProps {
  connectorId: string;
  /** As it was when the page asked. */
  sync: SyncRun;
  onEnd: () => void;
}

/** The service ends a subscription after some minutes. One that is longer begins again. */
export function LiveSync(props: LiveSyncProps) {
  const [round, setRound] = useState(0);
  return <WatchedSync key={round} {...props} onOver={() => setRound(round + 1)} />;
}

function WatchedSync({ connectorId, sync, onEnd, onOver }: LiveSyncProps & { onOver: () => void }) {
  const mayWrite = useMayWrite();
  const [{ data, fetching, error }] = useSubscription({ query: SYNC_PROGRESS, variables: { id: sync.id } });
  const [{ data: history }] = useQuery({ query: SYNCS, variables: { id: connectorId, first: LATEST } });
  // Before a run has completed, the service can only guess, by the size of the source.
  const isMeasured = history?.connector?.syncs.some(({ status }) => status === "completed") ?? false;
  const cancel = useChange(CANCEL_SYNC);
  const now = data?.syncProgress ?? sync;
  const hasEnded = data !== undefined && (data.syncProgress === null || !isUnderWay(now));
  const isOver = data !== undefined && !fetching && !error && !hasEnded;
  const end = useEffectEvent(onEnd);
  const begin = useEffectEvent(onOver);
  useEffect(() => {
    if (hasEnded) end();
    else if (isOver) begin();
  }, [hasEnded, isOver]);
  const nowMs = useNowMs();
  const isCancelling = now.cancelRequestedAt !== null || cancel.isBusy;
  return (
    <section className={`card padded stack ${styles["live"]}`} aria-label="Sync under way">
      <div className="cluster">
        <Badge tone="neutral" icon="clock">
          {now.status}
        </Badge>
        <span role="status">{now.status === "queued" ? `It ${describeWait(now, nowMs)}.` : now.progressLabel}</span>
        {mayWrite && isUnderWay(now) && (
          <Button
            className="push"
            icon="stop"
            isBusy={isCancelling}
            onClick={() => void cancel.change({ input: { id: sync.id } })}
          >
            {isCancelling ? "Cancelling …" : "Cancel"}
          </Button>
        )}
      </div>
      <progress aria-label="Progress of the sync" value={now.progress} />
      <p className="soft">
        {formatCount(now.assetsDiscovered)} assets found, {formatCount(now.assetsUpdated)} created or changed.
        {isMeasured && ` The last syncs took about ${formatSeconds(now.estimatedDurationSeconds)}.`}
      </p>
      <Fault text={cancel.fault ?? (error ? "The progress cannot be followed. Load the page again." : null)} />
    </section>
  );
}
