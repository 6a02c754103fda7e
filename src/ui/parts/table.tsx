/** Tables. A heading with a key sorts. Where there is little room, each row is a block of named lines. */
import { Children, type ComponentProps, type ReactNode } from "react";

import { Icon } from "./marks.tsx";
import styles from "./table.module.css";

export interface Sorting<K extends string> {
  by: K;
  isDescending: boolean;
}

interface Sort<K extends string> {
  sorting?: Sorting<K>;
  onSort?: (sorting: Sorting<K>) => void;
}

export interface Heading<K extends string = string> {
  /** Empty for what can be done with a row. */
  label: string;
  /** If it sorts. */
  key?: K;
  /** True for the cell that names the row. */
  isName?: boolean;
  /** The classes of its cells. */
  className?: string | undefined;
}

interface TableProps<K extends string> extends Sort<K> {
  label: string;
  columns: readonly Heading<K>[];
  /** Each a `<tbody>`. */
  children: ReactNode;
}

export function Table<K extends string>({ label, columns, children, ...sort }: TableProps<K>) {
  return (
    // The keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={`card ${styles["scroller"]}`} role="region" aria-label={label} tabIndex={0}>
      <table className={styles["table"]}>
        <thead>
          <tr>
            {columns.map((column) =>
              column.key === undefined ? (
                <th key={column.label} scope="col">
                  {column.label || <span className="unseen">What to do</span>}
                </th>
              ) : (
                <SortHeading key={column.key} label={column.label} by={column.key} {...sort} />
              ),
            )}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  );
}

function SortHeading<K extends string>({ label, by, sorting, onSort }: Sort<K> & { label: string; by: K }) {
  const isSorted = sorting?.by === by;
  const isDescending = isSorted && sorting.isDescending;
  const order = isDescending ? "descending" : "ascending";
  return (
    <th scope="col" aria-sort={isSorted ? order : undefined}>
      <button
        type="button"
        className={`row inline tight medium ${styles["sort"]}`}
        onClick={() => onSort?.({ by, isDescending: isSorted && !isDescending })}
      >
        {label}
        {isSorted && <Icon name={isDescending ? "arrow-down" : "up"} size={12} />}
      </button>
    </th>
  );
}

interface RowProps extends ComponentProps<"tr"> {
  columns: readonly Heading[];
  /** A child for each column. */
  children: ReactNode;
}

export function Row({ columns, children, ...rest }: RowProps) {
  return (
    <tr {...rest}>
      {Children.map(children, (cell, place) => {
        const { label, isName, className } = columns[place] ?? { label: "" };
        return isName ? (
          <th scope="row" className={className}>
            {cell}
          </th>
        ) : (
          <td data-column={label} className={className}>
            {cell}
          </td>
        );
      })}
    </tr>
  );
}
