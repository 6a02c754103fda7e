/** Crawls in a line each, which shows its errors when it is opened. */
import { countOf, formatCount } from "../../parts/count.ts";
import { Badge } from "../../parts/badge.tsx";
import { Time } from "../../parts/time.tsx";
import styles from "./connectors.module.css";
import type { SyncRun } from "./documents.ts";
import { describeDuration, isUnderWay } from "./sync-state.ts";

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
