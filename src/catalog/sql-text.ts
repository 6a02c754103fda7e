/** Compares SQL texts without parsing them. */
import { hash } from "node:crypto";

/**
 * A quoted text or name, a comment, a run of blanks, or one other character. A comment that does not end takes the rest
 * of the text, so that no text is searched for an end more than once.
 */
const PIECE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\s+|[\s\S]/g;
/**
 * Constructs that dialects read differently. In such a text it is not certain where a quote or a comment ends, so every
 * character counts.
 */
const DOUBTFUL = /\\|\$\w*\$|\/\*[^*]*\/\*|'''|"""/;

/** The SQL without comments, and with one blank for each run of blanks. Nothing changes within quotes. */
export function plainSql(sql: string): string {
  if (DOUBTFUL.test(sql)) return sql.trim();
  const pieces = (sql.match(PIECE) ?? []).map((piece) => (/^(?:--|\/\*[\s\S]*\*\/$|\s)/.test(piece) ? " " : piece));
  return pieces
    .filter((piece, i) => piece !== " " || pieces[i - 1] !== " ")
    .join("")
    .trim();
}

/** SHA-256, in hexadecimal digits. It is the same for two texts that differ only in comments and layout. */
export function sqlHash(sql: string): string {
  return hash("sha256", plainSql(sql), "hex");
}
