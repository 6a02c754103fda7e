import { Fault } from "../../parts/form.tsx";
import styles from "./connectors.module.css";

/** @param outcome null before a test */
export function TestOutcome({ outcome }: { outcome: { isReadable: boolean; words: string } | null }) {
  if (outcome?.isReadable === false) return <Fault text={outcome.words} />;
  return (
    <div role="status" className={styles["outcome"]}>
      {outcome && <p className={styles["good"]}>{outcome.words}</p>}
    </div>
  );
}
