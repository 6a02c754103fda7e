import { Badge } from "../../parts/badge.tsx";
import styles from "./connectors.module.css";
import type { SyncRun } from "./documents.ts";

/** @param total how many there were; only the first ones are stored */
export function SyncErrors({ errors, total }: { errors: SyncRun["errors"]; total: number }) {
  return (
    <ul className={styles["errors"]}>
      {errors.map((error, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- messages may repeat, and their order never changes
        <li key={place}>
          <Badge tone={error.severity === "error" ? "bad" : "warn"}>{error.severity}</Badge>
          <p>{error.message}</p>
          <small>
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
        <li>
          <span />
          <small>{(total - errors.length).toLocaleString("en-US")} more are not stored.</small>
        </li>
      )}
    </ul>
  );
}
