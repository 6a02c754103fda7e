/** SQL as it is shown: a short piece, coloured, and what differs between two pieces. */
import { listDifferences, toPairs } from "./differences.ts";
import styles from "./sql-difference.module.css";
import colours from "./tokens.module.css";
import { toTokens } from "./tokens.ts";

export function SqlDifference({ before, after }: { before: string; after: string }) {
  return (
    // A region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className={`card code ${styles["sql"]}`} aria-label="The SQL before and after" role="region" tabIndex={0}>
      {listDifferences(before, after).map((lines, part) => (
        // oxlint-disable-next-line react/no-array-index-key -- parts never move
        <span key={part}>
          {part > 0 && "⋯\n"}
          {toPairs(lines).map((pair, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- pairs never move
            <span key={index} className={styles["pair"]}>
              <Side look={pair.isSame ? "same" : "removed"} lines={pair.before} />
              {pair.isSame ? (
                <span className={styles["again"]} aria-hidden="true">
                  <Side look="same" lines={pair.after} />
                </span>
              ) : (
                <Side look="added" lines={pair.after} />
              )}
            </span>
          ))}
        </span>
      ))}
    </pre>
  );
}

const SIGNS = { same: " ", removed: "-", added: "+" } as const;

function Side({ look, lines }: { look: keyof typeof SIGNS; lines: readonly string[] }) {
  const text = lines.map((line) => `${SIGNS[look]} ${line}\n`).join("");
  return <span className={`block ${styles["side"]} ${look === "same" ? "soft" : styles[look]}`}>{text}</span>;
}

/** A short piece of SQL, coloured. */
export function InlineSql({ text }: { text: string }) {
  return (
    <code className="block wrap pre-wrap">
      {toTokens(text).map(({ kind, text: part, start }) => (
        <span key={start} className={colours[kind]}>
          {part}
        </span>
      ))}
    </code>
  );
}
