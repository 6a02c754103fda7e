/** Tables. A heading that is a button sorts. */
import type { ReactNode } from "react";
import type { CombinedError } from "urql";

import { Icon } from "./icon.tsx";
import { ErrorPanel } from "./panel.tsx";
import styles from "./table.module.css";

export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    // Whoever has no mouse scrolls it by the keys.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles["scroller"]} role="region" aria-label={label} tabIndex={0}>
      <table className={styles["table"]}>{children}</table>
    </div>
  );
}

interface ErrorRowsProps {
  /** How many columns the table has. */
  columns: number;
  error: CombinedError;
  onRetry: () => void;
}

/** Stands in the table in the place of rows that could not be loaded. */
export function ErrorRows({ columns, error, onRetry }: ErrorRowsProps) {
  return (
    <tbody>
      <tr>
        <td colSpan={columns}>
          <ErrorPanel error={error} onRetry={onRetry} />
        </td>
      </tr>
    </tbody>
  );
}

export interface Sorting<K extends string> {
  by: K;
  isDescending: boolean;
}

interface SortHeadingProps<K extends string> {
  name: K;
  sorting: Sorting<K>;
  onSort: (sorting: Sorting<K>) => void;
  children: ReactNode;
}

export function SortHeading<K extends string>({ name, sorting, onSort, children }: SortHeadingProps<K>) {
  const isSorted = sorting.by === name;
  const order = sorting.isDescending ? "descending" : "ascending";
  return (
    <th scope="col" aria-sort={isSorted ? order : undefined}>
      <button
        type="button"
        className={styles["sort"]}
        onClick={() => onSort({ by: name, isDescending: isSorted && !sorting.isDescending })}
      >
        {children}
        {isSorted && <Icon name={sorting.isDescending ? "arrow-down" : "up"} size={12} />}
      </button>
    </th>
  );
}
