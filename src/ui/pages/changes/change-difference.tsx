/** What is different after a change: the values before and after, SQL line by line, and the columns and edges. */
import { Badge } from "../../parts/badge.tsx";
import { InlineSql } from "../../sql/inline-sql.tsx";
import styles from "./changes.module.css";
import type { Change } from "./documents.ts";
import { KINDS } from "./kinds.ts";
import { cutEqualLines, diffLines } from "./line-diff.ts";

export function hasDifference({ before, after, details }: Change): boolean {
  return before !== null || after !== null || details.length > 0;
}

export function Difference({ change: { field, before, after, details } }: { change: Change }) {
  return (
    <div className={`stack tight ${styles["difference"]}`}>
      {field === "sql" && before !== null && after !== null ? (
        <SqlDifference before={before} after={after} />
      ) : (
        <Values isSql={field === "sql" || field === "expression"} before={before} after={after} />
      )}
      {details.length > 0 && (
        <ul className="stack tight" aria-label="What changed with it">
          {details.map((part) => (
            <li key={`${part.kind} ${part.id}`} className="cluster tight">
              <Badge tone={part.kind === "column_removed" ? "warn" : "neutral"}>{KINDS[part.kind]}</Badge>
              <code className="wrap">{part.name}</code>
              <span className="soft small">
                {[part.before, part.after].filter((type) => type !== null).join(" → ")}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Values({ isSql, before, after }: { isSql: boolean } & Pick<Change, "before" | "after">) {
  const show = (value: string | null) => {
    if (value === null) return <span className="faint">nothing</span>;
    return isSql ? <InlineSql text={value} /> : <span className={`wrap ${styles["value"]}`}>{value}</span>;
  };
  return (
    <dl className="terms">
      <dt>Before</dt>
      <dd>{show(before)}</dd>
      <dt>After</dt>
      <dd>{show(after)}</dd>
    </dl>
  );
}

const SIGNS = { same: " ", added: "+", removed: "-" } as const;

function SqlDifference({ before, after }: { before: string; after: string }) {
  const parts = cutEqualLines(diffLines(before, after)).map((lines, place) => ({
    place,
    lines: lines.map((line, index) => ({ ...line, index })),
  }));
  return (
    // A region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className={styles["sql"]} aria-label="The SQL before and after" role="region" tabIndex={0}>
      {parts.map(({ place, lines }) => (
        <span key={place}>
          {place > 0 && "⋯\n"}
          {lines.map(({ sign, text, index }) => (
            <span key={index} className={styles[sign]}>
              {SIGNS[sign]} {text}
              {"\n"}
            </span>
          ))}
        </span>
      ))}
    </pre>
  );
}
