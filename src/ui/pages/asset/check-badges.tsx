import { Badge } from "../../parts/badge.tsx";
import { Hint } from "../../parts/hint.tsx";
import type { Check } from "./documents.ts";

const TONES = {
  pass: "good",
  fail: "bad",
  error: "bad",
  warn: "warn",
  skipped: "neutral",
  unknown: "neutral",
} as const;

const STATUSES = {
  pass: "passed",
  fail: "failed",
  error: "could not be run",
  warn: "warned",
  skipped: "was skipped",
  unknown: "no result is known",
} as const;

/** The checks of one column, each with how it ended last. */
export function CheckBadges({ checks }: { checks: readonly Check[] }) {
  return (
    <span className="row inline tight">
      {checks.map(({ id, name, test, kind, status, message }) => (
        <Hint key={id} text={`${name}: ${STATUSES[status]}${message ? `. ${message}` : ""}`}>
          <Badge tone={TONES[status]}>
            {test ?? kind}
            {status !== "pass" && status !== "unknown" && `: ${status}`}
          </Badge>
        </Hint>
      ))}
    </span>
  );
}
