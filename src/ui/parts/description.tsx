/** A description: Markdown, as dbt's are. */
import { lazy, Suspense } from "react";

import styles from "./description.module.css";

const MarkdownBody = lazy(() => import("./markdown-body.tsx").then((it) => ({ default: it.MarkdownBody })));

/** Marks of Markdown. A text without any is shown as it is. */
const MARKS = /[`*_#>|~[\]]|https?:|^\s*(?:[-+]|\d+[.)])\s/m;
/** A longer text is not worth the time to read it as Markdown. */
const MOST_CHARACTERS = 20_000;

export function Description({ text }: { text: string }) {
  const plain = <p>{text}</p>;
  return (
    <div className={`wrap ${styles["description"]}`}>
      {MARKS.test(text) && text.length <= MOST_CHARACTERS ? (
        <Suspense fallback={plain}>
          <MarkdownBody text={text} />
        </Suspense>
      ) : (
        plain
      )}
    </div>
  );
}
