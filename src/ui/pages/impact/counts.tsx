/** How much a change would affect, in a row of numbers. */
import { formatCount } from "../../parts/count.ts";
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
    { label: "low risk", count: summary.lowRiskCount, tone: "" },
    { label: checks === 1 ? "check would fail" : "checks would fail", count: checks, tone: "bad" },
    { label: owners === 1 ? "owner" : "owners", count: owners, tone: "" },
  ];
  return (
    <dl className={`cluster ${styles["counts"]}`} aria-label="Summary">
      {counts.map(({ label, count, tone }) => (
        <div className="row" key={label} data-tone={count === 0 ? "none" : tone}>
          <dd className={`strong number ${count === 0 ? "faint" : tone}`}>{formatCount(count)}</dd>
          <dt className="soft">{label}</dt>
        </div>
      ))}
    </dl>
  );
}
