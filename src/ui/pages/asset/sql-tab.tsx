/** The SQL that builds the asset, with the columns that it uses. */
import { useMemo, useState } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";

import { pathOfAsset } from "../../assets/asset-row.ts";
import { classNames } from "../../parts/class-names.ts";
import { Snippet } from "../../parts/copy.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Panel } from "../../parts/page.tsx";
import { cutAtMarks, toTokens } from "../../sql/tokens.ts";
import colours from "../../sql/tokens.module.css";
import { SQL, type SqlUses, type UsedColumn } from "./documents.ts";
import styles from "./sql-tab.module.css";

export function SqlTab({ id }: { id: string }) {
  const asked = useQuery({ query: SQL, variables: { id } });
  return (
    <Loaded what="the SQL" asked={asked} rows={12}>
      {({ sql, sqlUses }) =>
        sql === null ? <Panel icon="info" title="Its SQL is not known" /> : <Sql sql={sql} uses={sqlUses} />
      }
    </Loaded>
  );
}

function Sql({ sql, uses }: { sql: string; uses: SqlUses }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const columns = uses?.columns ?? [];
  return (
    <div className={`columns loose ${styles["tab"]}`}>
      <Code sql={sql} columns={columns} chosen={chosen} />
      <aside className={styles["used"]}>
        <h2 className="caption gap-below">Columns that it uses</h2>
        {uses?.reason && <p className="warn small gap-below">{uses.reason}</p>}
        <ul>
          {columns.map(({ column, ranges }) => (
            <li key={column.id} className="row small">
              <button
                type="button"
                className="option grow spread"
                aria-pressed={chosen === column.id}
                onClick={() => setChosen(chosen === column.id ? null : column.id)}
              >
                <span className="wrap">
                  <span className="soft">{column.parent?.name}.</span>
                  {column.name}
                </span>
                <span className="soft">{ranges.length}×</span>
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
  /** The id of the column that is highlighted in the SQL. */
  chosen: string | null;
}

function Code({ sql, columns, chosen }: CodeProps) {
  const pieces = useMemo(() => {
    const marks = columns.flatMap(({ column, ranges }) => ranges.map((range) => ({ ...range, id: column.id })));
    return cutAtMarks(toTokens(sql), marks);
  }, [sql, columns]);
  return (
    <Snippet label="SQL" text={sql}>
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
    </Snippet>
  );
}
