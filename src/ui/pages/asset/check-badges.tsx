import { Badge } from "../../parts/badge.tsx";
import type { Check } from "./documents.ts";

const STATUSES = {
  pass: { tone: "good", words: "passed" },
  fail: { tone: "bad", words: "failed" },
  error: { tone: "bad", words: "could not be run" },
  warn: { tone: "warn", words: "warned" },
  skipped: { tone: "neutral", words: "was skipped" },
  unknown: { tone: "neutral", words: "no result is known" },
} as const;

/** The checks of one column, each with how it ended last. */
export function CheckBadges({ checks }: { checks: readonly Check[] }) {
  return (
    <span className="row inline tight">
      {checks.map(({ id, name, test, kind, status, message }) => (
        <Badge
          key={id}
          tone={STATUSES[status].tone}
          label={`${test ?? kind}${status === "pass" || status === "unknown" ? "" : `: ${status}`}`}
          hint={`${name}: ${STATUSES[status].words}${message ? `. ${message}` : ""}`}
        />
      ))}
    </span>
  );
}
