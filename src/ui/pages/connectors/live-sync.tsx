/** A crawl while it runs: how far it is, and a button that ends it. */
import { useEffect, useEffectEvent, useState } from "react";
import { useClient, useQuery } from "urql";

import { useMayWrite } from "../../app/session/session-store.ts";
import { useChange } from "../../graphql/use-change.ts";
import { watch } from "../../graphql/watch.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Fault } from "../../parts/form.tsx";
import { useNowMs } from "../../parts/time.tsx";
import { CANCEL_SYNC, LATEST, SYNC_PROGRESS, SYNCS, type SyncRun } from "./documents.ts";
import { describeWait, formatSeconds, isUnderWay } from "./sync-state.ts";

interface LiveSyncProps {
  connectorId: string;
  /** As it was when the page asked. */
  sync: SyncRun;
  onEnd: () => void;
}

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
