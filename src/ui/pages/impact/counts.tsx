/** How much a change would affect, in a row of numbers. */
import styles from "./counts.module.css";
import type { Summary } from "./documents.ts";

interface CountsProps {
  summary: Summary;
  checks: number;
  owners: number;
}

export function Counts({ summary, checks, owners }: CountsProps) {
  const counts = [
    { label: "high risk", count: summary.highRiskCount, tone: "bad" },
    { label: "medium risk", count: summary.mediumRiskCount, tone: "warn" },
    { label: "low risk", count: summary.lowRiskCount, tone: "neutral" },
    { label: checks === 1 ? "check would fail" : "checks would fail", count: checks, tone: "bad" },
    { label: owners === 1 ? "owner" : "owners", count: owners, tone: "neutral" },
  ];
  return (
    <dl className={styles["counts"]} aria-label="Summary">
      {counts.map(({ label, count, tone }) => (
        <div key={label} data-tone={count === 0 ? "none" : tone}>
          <dd>{count.toLocaleString("en-US")}</dd>
          <dt>{label}</dt>
        </div>
      ))}
    </dl>
  );
}
