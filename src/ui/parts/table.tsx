/** Tables. A heading that is a button sorts. Where there is little room, each row is a block of named lines. */
import type { ReactNode } from "react";

import { Icon } from "./icon.tsx";
import styles from "./table.module.css";

export interface Sorting<K extends string> {
  by: K;
  isDescending: boolean;
}

interface Sort<K extends string> {
  sorting?: Sorting<K>;
  onSort?: (sorting: Sorting<K>) => void;
}

interface TableProps<K extends string> extends Sort<K> {
  label: string;
  /** The headings. With a key, it sorts; an empty one is for what can be done with a row. */
  columns: readonly (string | { label: string; key: K })[];
  /** Each a `<tbody>`. */
  children: ReactNode;
}

export function Table<K extends string>({ label, columns, children, ...sort }: TableProps<K>) {
  return (
    // The keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={`card ${styles["scroller"]}`} role="region" aria-label={label} tabIndex={0}>
      <table className={styles["table"]} style={namesOf(columns)}>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === "string" ? (
                <th key={column} scope="col">
                  {column || <span className="unseen">What to do</span>}
                </th>
              ) : (
                <SortHeading key={column.key} column={column} {...sort} />
              ),
            )}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}

/** The headings as properties for CSS, which shows them beside the cells of a row that is a block. */
function namesOf(columns: TableProps<string>["columns"]): Record<`--${string}`, string> {
  const labels = columns.map((column) => (typeof column === "string" ? column : column.label));
  return Object.fromEntries(labels.map((label, index) => [`--column-${index + 1}`, JSON.stringify(label)]));
}

interface SortHeadingProps<K extends string> extends Sort<K> {
  column: { label: string; key: K };
}

function SortHeading<K extends string>({ column: { label, key }, sorting, onSort }: SortHeadingProps<K>) {
  const isSorted = sorting?.by === key;
  const isDescending = isSorted && sorting.isDescending;
  const order = isDescending ? "descending" : "ascending";
  return (
    <th scope="col" aria-sort={isSorted ? order : undefined}>
      <button
        type="button"
        className={`row inline tight medium ${styles["sort"]}`}
        onClick={() => onSort?.({ by: key, isDescending: isSorted && !isDescending })}
      >
        {label}
        {isSorted && <Icon name={isDescending ? "arrow-down" : "up"} size={12} />}
      </button>
    </th>
  );
}
