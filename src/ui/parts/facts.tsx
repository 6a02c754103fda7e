/** A short list of facts: a name and a value each. */
import type { ReactNode } from "react";

import styles from "./facts.module.css";

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="lines">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={`line ${styles["fact"]}`}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
