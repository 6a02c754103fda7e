/** A short piece of SQL, coloured. */
import styles from "./inline-sql.module.css";
import colours from "./tokens.module.css";
import { toTokens } from "./tokens.ts";

export function InlineSql({ text }: { text: string }) {
  return (
    <code className={`wrap ${styles["sql"]}`}>
      {toTokens(text).map(({ kind, text: part, start }) => (
        <span key={start} className={colours[kind]}>
          {part}
        </span>
      ))}
    </code>
  );
}
