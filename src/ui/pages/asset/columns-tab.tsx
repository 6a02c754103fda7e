/** The columns of a table or model, each with what is known of its lineage and with its checks. */
import { useMemo, useState } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";

import { pathOfAsset } from "../../assets/asset-row.ts";
import { Badge } from "../../parts/badge.tsx";
import { Hint } from "../../parts/hint.tsx";
import { ErrorPanel, Panel } from "../../parts/panel.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { SortHeading, type Sorting, Table } from "../../parts/table.tsx";
import { CheckBadges } from "./check-badges.tsx";
import styles from "./columns-tab.module.css";
import { type Check, type Column, COLUMNS } from "./documents.ts";

type SortKey = "ordinal" | "name" | "type" | "upstream" | "downstream";

/** Columns rarely are more than a screen; a list of this many is filtered rather than read. */
const FILTER_FROM = 8;

export function ColumnsTab({ id }: { id: string }) {
  const [{ data, error }, again] = useQuery({ query: COLUMNS, variables: { id } });
  const [filter, setFilter] = useState("");
  const [sorting, setSorting] = useState<Sorting<SortKey>>({ by: "ordinal", isDescending: false });
  const asset = data?.asset;
  const shown = useMemo(
    () => sortColumns(filterColumns(asset?.columns ?? [], filter), sorting),
    [asset, filter, sorting],
  );
  if (!asset) {
    if (error) return <ErrorPanel error={error} onRetry={() => again({ requestPolicy: "network-only" })} />;
    return <Skeleton rows={8} label="Loading the columns" />;
  }
  const ofTable = asset.checks.nodes.filter(({ columns }) => columns.length === 0);
  if (asset.columns.length === 0) {
    return (
      <Panel icon="column" title="No columns are known">
        Its sources list none, and no SQL that was read names one. For dbt, run <code>dbt docs generate</code>.
      </Panel>
    );
  }
  return (
    <div className={styles["tab"]}>
      <div className={styles["bar"]}>
        {asset.columns.length >= FILTER_FROM && (
          <input
            type="search"
            aria-label="Filter the columns"
            placeholder="Filter by name, type or description"
            value={filter}
            onChange={(event) => setFilter(event.target.value)}
          />
        )}
        <span role="status">
          {filter === "" ? `${asset.columns.length} columns` : `${shown.length} of ${asset.columns.length} columns`}
        </span>
      </div>
      <ColumnTable columns={shown} checks={asset.checks.nodes} sorting={sorting} onSort={setSorting} />
      {ofTable.length > 0 && (
        <p className={styles["of-table"]}>
          Checks of the whole table: <CheckBadges checks={ofTable} />
        </p>
      )}
      {asset.checks.totalCount > asset.checks.nodes.length && (
        <p className={styles["of-table"]}>
          {asset.checks.nodes.length} of {asset.checks.totalCount} checks are shown.
        </p>
      )}
    </div>
  );
}

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
    <Table label="Columns">
      <thead>
        <tr>
          <SortHeading name="ordinal" {...sorted}>
            #
          </SortHeading>
          <SortHeading name="name" {...sorted}>
            Column
          </SortHeading>
          <SortHeading name="type" {...sorted}>
            Type
          </SortHeading>
          <th scope="col">Description</th>
          <SortHeading name="upstream" {...sorted}>
            From
          </SortHeading>
          <SortHeading name="downstream" {...sorted}>
            Feeds
          </SortHeading>
          <th scope="col">Lineage</th>
          <th scope="col">Checks</th>
        </tr>
      </thead>
      <tbody>
        {columns.map((column) => (
          <tr key={column.id}>
            <td className={styles["number"]}>{column.ordinal === null ? "" : column.ordinal + 1}</td>
            <th scope="row" className={styles["name"]}>
              <Link href={pathOfAsset(column.id)}>{column.name}</Link>
            </th>
            <td>
              <code className={styles["type"]}>{column.dataType}</code>
            </td>
            <td className={styles["description"]} title={column.description ?? undefined}>
              {column.description}
            </td>
            <td className={styles["number"]}>{column.lineageSummary.upstreamCount}</td>
            <td className={styles["number"]}>{column.lineageSummary.downstreamCount}</td>
            <td>
              <LineageState column={column} />
            </td>
            <td>
              <CheckBadges checks={byColumn.get(column.id)?.map(({ check }) => check) ?? []} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function LineageState({ column: { columnLineage, inferred } }: { column: Column }) {
  if (inferred) {
    return (
      <Hint text="No list of columns has it. It is known only because SQL names it.">
        <Badge>inferred</Badge>
      </Hint>
    );
  }
  if (columnLineage === null) return <span className={styles["soft"]}>source</span>;
  const { status, reason } = columnLineage;
  return (
    <Hint text={reason}>
      {status === "known" ? (
        <Badge tone="good">known</Badge>
      ) : (
        <Badge tone="warn" icon="warning">
          {status}
        </Badge>
      )}
    </Hint>
  );
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
    upstream: (a, b) => a.lineageSummary.upstreamCount - b.lineageSummary.upstreamCount,
    downstream: (a, b) => a.lineageSummary.downstreamCount - b.lineageSummary.downstreamCount,
  };
  const sorted = columns.toSorted(compare[by]);
  return isDescending ? sorted.toReversed() : sorted;
}
