import { Badge } from "../../parts/badge.tsx";
import styles from "./columns-tab.module.css";
import type { Check } from "./documents.ts";

const TONES = {
  pass: "good",
  fail: "bad",
  error: "bad",
  warn: "warn",
  skipped: "neutral",
  unknown: "neutral",
} as const;

/** The checks of one column, each with how it ended last. */
export function CheckBadges({ checks }: { checks: readonly Check[] }) {
  return (
    <span className={styles["checks"]}>
      {checks.map(({ id, name, test, kind, status, message }) => (
        <Badge key={id} tone={TONES[status]} title={`${name}: ${status}${message ? `. ${message}` : ""}`}>
          {test ?? kind}
          {status !== "pass" && status !== "unknown" && `: ${status}`}
        </Badge>
      ))}
    </span>
  );
}
