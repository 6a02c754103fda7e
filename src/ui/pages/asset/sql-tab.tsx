/** The SQL that builds the asset, with the columns that it uses. */
import { useMemo, useState } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";

import { pathOfAsset } from "../../assets/asset-row.ts";
import { Button } from "../../parts/button.tsx";
import { classNames } from "../../parts/class-names.ts";
import { copyText } from "../../parts/copy-text.ts";
import { ErrorPanel, Panel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { cutAtMarks, type Mark, toTokens } from "../../sql/tokens.ts";
import colours from "../../sql/tokens.module.css";
import { SQL, type UsedColumn } from "./documents.ts";
import styles from "./sql-tab.module.css";

export function SqlTab({ id }: { id: string }) {
  const [{ data, error }, again] = useQuery({ query: SQL, variables: { id } });
  const [chosen, setChosen] = useState<string | null>(null);
  const asset = data?.asset;
  if (!asset) {
    if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return <Skeleton rows={12} label="Loading the SQL" />;
  }
  if (asset.sql === null) return <Panel icon="info" title="Its SQL is not known" />;
  const columns = asset.sqlUses?.columns ?? [];
  return (
    <div className={styles["tab"]}>
      <Code sql={asset.sql} columns={columns} chosen={chosen} />
      <aside className={styles["used"]}>
        <h2>Columns that it uses</h2>
        {asset.sqlUses?.reason && <p className={styles["reason"]}>{asset.sqlUses.reason}</p>}
        <ul>
          {columns.map(({ column, ranges }) => (
            <li key={column.id}>
              <button
                type="button"
                aria-pressed={chosen === column.id}
                onClick={() => setChosen(chosen === column.id ? null : column.id)}
              >
                <span className={styles["column"]}>
                  <span className={styles["parent"]}>{column.parent?.name}.</span>
                  {column.name}
                </span>
                <span className={styles["times"]}>{ranges.length}×</span>
              </button>
              <Link href={pathOfAsset(column.id)} aria-label={`Open ${column.name}`}>
                open
              </Link>
            </li>
          ))}
        </ul>
      </aside>
    </div>
  );
}

interface CodeProps {
  sql: string;
  columns: readonly UsedColumn[];
  /** The column whose places stand out. */
  chosen: string | null;
}

function Code({ sql, columns, chosen }: CodeProps) {
  const pieces = useMemo(() => cutAtMarks(toTokens(sql), listMarks(columns)), [sql, columns]);
  return (
    <div className={styles["code"]}>
      <Button className={styles["copy"]} icon="copy" onClick={() => void copyText(sql, "The SQL")}>
        Copy
      </Button>
      {/* Whoever has no mouse scrolls it by the keys. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label="SQL">
        {pieces.map(({ kind, text, start, markedAs }) =>
          markedAs === null ? (
            <span key={start} className={colours[kind]}>
              {text}
            </span>
          ) : (
            <mark key={start} className={classNames(styles["use"], markedAs === chosen && styles["chosen"])}>
              {text}
            </mark>
          ),
        )}
      </pre>
    </div>
  );
}

function listMarks(columns: readonly UsedColumn[]): Mark[] {
  return columns.flatMap(({ column, ranges }) => ranges.map((range) => ({ ...range, id: column.id })));
}
