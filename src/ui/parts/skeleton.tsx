/** Grey bars in the shape of what is being loaded. */
import styles from "./skeleton.module.css";

/** @param rows how many bars */
export function Skeleton({ rows, label }: { rows: number; label: string }) {
  return (
    <div className={`stack ${styles["skeleton"]}`} role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        // oxlint-disable-next-line react/no-array-index-key -- bars are all the same
        <div key={row} className={styles["bar"]} />
      ))}
    </div>
  );
}
