/** Crawls in a line each, which shows its errors when it is opened. */
import { Badge } from "../../parts/badge.tsx";
import { Time } from "../../parts/time.tsx";
import styles from "./connectors.module.css";
import type { SyncRun } from "./documents.ts";
import { SyncErrors } from "./sync-errors.tsx";
import { describeDuration } from "./sync-state.ts";

const TONES = { completed: "good", failed: "bad", cancelled: "warn", running: "neutral", queued: "neutral" } as const;

export function Runs({ syncs }: { syncs: readonly SyncRun[] }) {
  return (
    <ol className={styles["runs"]} aria-label="Crawls">
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
      <Badge tone={TONES[status]}>{status}</Badge>
      <Time at={queuedAt} />
      <span className={styles["soft"]}>
        {mode}
        {duration !== null && `, ${duration}`}
      </span>
      <span className={styles["soft"]}>
        {assetsDiscovered.toLocaleString("en-US")} found · {assetsUpdated.toLocaleString("en-US")} changed ·{" "}
        {assetsRemoved.toLocaleString("en-US")} removed
      </span>
      <span>
        {errorsTotal > 0 && `${errorsTotal.toLocaleString("en-US")} ${errorsTotal === 1 ? "message" : "messages"}`}
      </span>
    </>
  );
  if (errors.length === 0) return <li className={styles["run"]}>{line}</li>;
  return (
    <li>
      <details>
        <summary className={styles["run"]}>{line}</summary>
        <SyncErrors errors={errors} total={errorsTotal} />
      </details>
    </li>
  );
}
