import { formatCount } from "../../parts/count.ts";
import { Badge } from "../../parts/badge.tsx";
import styles from "./connectors.module.css";
import type { SyncRun } from "./documents.ts";

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
