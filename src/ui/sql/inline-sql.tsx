/** A short piece of SQL, coloured. */
import colours from "./tokens.module.css";
import { toTokens } from "./tokens.ts";

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
