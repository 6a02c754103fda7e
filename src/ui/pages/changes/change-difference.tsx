/** What is different after a change: the values before and after, SQL line by line, and the columns and edges. */
import { Badge } from "../../parts/badge.tsx";
import { Facts } from "../../parts/facts.tsx";
import { InlineSql } from "../../sql/inline-sql.tsx";
import { SqlDifference } from "../../sql/sql-difference.tsx";
import styles from "./changes.module.css";
import type { Change } from "./documents.ts";
import { KINDS } from "./kinds.ts";

/** The kind of a change says all about the result of a check. */
export function hasDifference({ field, before, after, details }: Change): boolean {
  if (field === "result") return false;
  return before !== null || after !== null || details.length > 0;
}

export function Difference({ change: { asset, field, before, after, details } }: { change: Change }) {
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
              <Badge label={sayPart(part, asset.id)} tone={part.kind === "column_removed" ? "warn" : "neutral"} />
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

/** The SQL is that of the whole model. A part of it is what the new SQL gives another meaning. */
function sayPart({ kind, id }: Change["details"][number], modelId: string): string {
  if (kind !== "sql_changed") return KINDS[kind];
  return id === modelId ? "other rows" : "computed otherwise";
}

function Values({ isSql, before, after }: { isSql: boolean } & Pick<Change, "before" | "after">) {
  const show = (value: string | null) => {
    if (value === null) return <span className="faint">nothing</span>;
    return isSql ? <InlineSql text={value} /> : <span className="wrap pre-wrap">{value}</span>;
  };
  return <Facts look="terms" of={{ Before: show(before), After: show(after) }} />;
}
