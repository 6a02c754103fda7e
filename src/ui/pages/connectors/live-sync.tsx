/** A crawl while it runs: how far it is, and a button that ends it. */
import { useEffect, useEffectEvent, useState } from "react";
import { useSubscription } from "urql";

import { useMayWrite } from "../../app/session/use-session.ts";
import { useChange } from "../../graphql/use-change.ts";
import { formatCount } from "../../parts/count.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Fault } from "../../parts/form.tsx";
import { useNowMs } from "../../parts/time.tsx";
import styles from "./connectors.module.css";
import { CANCEL_SYNC, SYNC_PROGRESS, type SyncRun } from "./documents.ts";
import { describeWait, isUnderWay } from "./sync-state.ts";

interface LiveSyncProps {
  /** As it was when the page asked. */
  sync: SyncRun;
  onEnd: () => void;
}

/** The service ends a subscription after some minutes. One that is longer begins again. */
export function LiveSync(props: LiveSyncProps) {
  const [round, setRound] = useState(0);
  return <WatchedSync key={round} {...props} onOver={() => setRound(round + 1)} />;
}

function WatchedSync({ sync, onEnd, onOver }: LiveSyncProps & { onOver: () => void }) {
  const mayWrite = useMayWrite();
  const [{ data, fetching, error }] = useSubscription({ query: SYNC_PROGRESS, variables: { id: sync.id } });
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
    <section className={`card padded stack ${styles["live"]}`} aria-label="Crawl under way">
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
      <progress aria-label="Progress of the crawl" value={now.progress} />
      <p className="soft">
        {formatCount(now.assetsDiscovered)} assets found, {formatCount(now.assetsUpdated)} created or changed. Crawls
        like this one take about {Math.max(1, now.estimatedDurationSeconds)} s.
      </p>
      <Fault text={cancel.fault ?? (error ? "The progress cannot be followed. Load the page again." : null)} />
    </section>
  );
}
