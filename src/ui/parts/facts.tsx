/** A short list of facts: a name and a value each. */
import type { ReactNode } from "react";

import styles from "./facts.module.css";

const LOOKS = {
  /** A card with a line for each. */
  lines: { list: "lines", fact: `line ${styles["line"]}`, name: "", value: "" },
  /** The names in one column, the values in another. */
  terms: { list: "terms", fact: styles["term"], name: "", value: "" },
  /** A card with a field for each. */
  tiles: { list: `card underlined ${styles["tiles"]}`, fact: "padded", name: "small", value: "medium" },
};

interface FactsProps {
  look?: keyof typeof LOOKS;
  /** The values by their names. What is null, undefined or false is left out. */
  of: Readonly<Record<string, ReactNode>>;
}

export function Facts({ look = "lines", of }: FactsProps) {
  return (
    <dl className={LOOKS[look].list}>
      {Object.entries(of).map(
        ([name, value]) =>
          value != null &&
          value !== false && (
            <div key={name} className={LOOKS[look].fact}>
              <dt className={LOOKS[look].name}>{name}</dt>
              <dd className={LOOKS[look].value}>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
