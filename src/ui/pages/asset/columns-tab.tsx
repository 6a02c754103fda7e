/** The columns of a table or model, each with what is known of its lineage and with its checks. */
import { useMemo, useState } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";

import { pathOfAsset } from "../../assets/asset-row.ts";
import { Badge } from "../../parts/marks.tsx";
import { SearchInput } from "../../parts/form.tsx";
import { Loaded } from "../../parts/listing.tsx";
import { Panel } from "../../parts/page.tsx";
import { Row, type Sorting, Table } from "../../parts/table.tsx";
import { EditableText } from "./editable-text.tsx";
import styles from "./columns-tab.module.css";
import { type Check, type Column, COLUMNS, type ColumnsAnswer } from "./documents.ts";

type SortKey = "ordinal" | "name" | "type" | "upstream" | "downstream";

/** Columns rarely are more than a screen; a list of this many is filtered rather than read. */
const FILTER_FROM = 8;

export function ColumnsTab({ id }: { id: string }) {
  const asked = useQuery({ query: COLUMNS, variables: { id } });
  return (
    <Loaded what="the columns" asked={asked} rows={8}>
      {({ columns, checks }) =>
        columns.length === 0 ? (
          <Panel icon="column" title="No columns are known">
            Its sources list none, and no SQL that was read names one. For dbt, run <code>dbt docs generate</code>.
          </Panel>
        ) : (
          <Columns columns={columns} checks={checks} />
        )
      }
    </Loaded>
  );
}

function Columns({ columns, checks }: Pick<ColumnsAnswer, "columns" | "checks">) {
  const [filter, setFilter] = useState("");
  const [sorting, setSorting] = useState<Sorting<SortKey>>({ by: "ordinal", isDescending: false });
  const shown = useMemo(() => sortColumns(filterColumns(columns, filter), sorting), [columns, filter, sorting]);
  const ofTable = checks.nodes.filter((check) => check.columns.length === 0);
  return (
    <div className="stack">
      <div className="cluster roomy soft">
        {columns.length >= FILTER_FROM && (
          <SearchInput
            label="Filter the columns"
            placeholder="Filter by name, type or description"
            text={filter}
            onType={setFilter}
            className={styles["filter"]}
          />
        )}
        <span role="status">
          {filter === "" ? `${columns.length} columns` : `${shown.length} of ${columns.length} columns`}
        </span>
      </div>
      <ColumnTable columns={shown} checks={checks.nodes} sorting={sorting} onSort={setSorting} />
      {ofTable.length > 0 && (
        <p className="soft">
          Checks of the whole table: <CheckBadges checks={ofTable} />
        </p>
      )}
      {checks.totalCount > checks.nodes.length && (
        <p className="soft">
          {checks.nodes.length} of {checks.totalCount} checks are shown.
        </p>
      )}
    </div>
  );
}

const HEADINGS = [
  { label: "#", key: "ordinal", className: "soft number" },
  { label: "Column", key: "name", isName: true, className: "nowrap" },
  { label: "Type", key: "type" },
  { label: "Description", className: `soft ${styles["description"]}` },
  { label: "Tags" },
  { label: "From", key: "upstream", className: "soft number nowrap" },
  { label: "Feeds", key: "downstream", className: "soft number nowrap" },
  { label: "Lineage" },
  { label: "Checks" },
] as const;

interface ColumnTableProps {
  columns: readonly Column[];
  checks: readonly Check[];
  sorting: Sorting<SortKey>;
  onSort: (sorting: Sorting<SortKey>) => void;
}

function ColumnTable({ columns, checks, ...sorted }: ColumnTableProps) {
  const byColumn = Map.groupBy(
    checks.flatMap((check) => check.columns.map((column) => ({ check, id: column.id }))),
    (it) => it.id,
  );
  return (
    <Table label="Columns" columns={HEADINGS} {...sorted}>
      <tbody>
        {columns.map((column) => (
          <Row key={column.id} columns={HEADINGS}>
            {column.ordinal === null ? "" : column.ordinal + 1}
            <Link href={pathOfAsset(column.id)}>{column.name}</Link>
            <code className="soft small nowrap">{column.dataType}</code>
            <EditableText isInList asset={column} field="description" empty="">
              {column.description && (
                <span className={styles["text"]} title={column.description}>
                  {column.description}
                </span>
              )}
            </EditableText>
            <EditableText isInList asset={column} field="tags" empty="">
              {column.tags.length > 0 && (
                <span className="cluster tight">
                  {column.tags.map((tag) => (
                    <Badge key={tag} label={tag} />
                  ))}
                </span>
              )}
            </EditableText>
            <Count direct={column.lineageSummary.upstreamCount} all={column.upstream.totalCount} />
            <Count direct={column.lineageSummary.downstreamCount} all={column.downstream.totalCount} />
            <LineageState column={column} />
            <CheckBadges checks={byColumn.get(column.id)?.map(({ check }) => check) ?? []} />
          </Row>
        ))}
      </tbody>
    </Table>
  );
}

/** How many columns its values come from or go to, and how many more only by a join, a filter or a condition. */
function Count({ direct, all }: { direct: number; all: number }) {
  const more = all - direct;
  return (
    <span title={more > 0 ? `${more} more by joins, filters and conditions` : undefined}>
      {direct}
      {more > 0 && <span className="small"> + {more}</span>}
    </span>
  );
}

function LineageState({ column: { columnLineage, inferred } }: { column: Column }) {
  if (inferred) {
    return (
      <Badge label="inferred" hint="No list of columns has it. It is known only because SQL or lineage names it." />
    );
  }
  if (columnLineage === null) return <span className="soft small nowrap">source</span>;
  const { status, reason } = columnLineage;
  const look = status === "known" ? ({ tone: "good" } as const) : ({ tone: "warn", icon: "warning" } as const);
  return <Badge {...look} label={status} hint={reason} />;
}

function filterColumns(columns: readonly Column[], filter: string): readonly Column[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return columns.filter(({ name, dataType, description }) => {
    const text = `${name} ${dataType ?? ""} ${description ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function sortColumns(columns: readonly Column[], { by, isDescending }: Sorting<SortKey>): Column[] {
  const compare: Record<SortKey, (a: Column, b: Column) => number> = {
    ordinal: (a, b) => (a.ordinal ?? Infinity) - (b.ordinal ?? Infinity) || 0,
    name: (a, b) => a.name.localeCompare(b.name),
    type: (a, b) => (a.dataType ?? "").localeCompare(b.dataType ?? ""),
    upstream: (a, b) => a.upstream.totalCount - b.upstream.totalCount,
    downstream: (a, b) => a.downstream.totalCount - b.downstream.totalCount,
  };
  const sorted = columns.toSorted(compare[by]);
  return isDescending ? sorted.toReversed() : sorted;
}

const STATUSES = {
  pass: { tone: "good", words: "passed" },
  fail: { tone: "bad", words: "failed" },
  error: { tone: "bad", words: "could not be run" },
  warn: { tone: "warn", words: "warned" },
  skipped: { tone: "neutral", words: "was skipped" },
  unknown: { tone: "neutral", words: "no result is known" },
} as const;

/** The checks of one column, each with how it ended last. */
function CheckBadges({ checks }: { checks: readonly Check[] }) {
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
