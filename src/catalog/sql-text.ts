/** Whether two SQL texts say the same, as far as that can be told without reading them. */
import { hash } from "node:crypto";

/**
 * A quoted text or name, a comment, a run of blanks, or one other character. A comment without an end takes all that is
 * left, so that no text is looked through for an end more than once.
 */
const PIECE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\s+|[\s\S]/g;
/** What dialects differ about: where a quote or a comment ends cannot be told then, and every character counts. */
const DOUBTFUL = /\\|\$\w*\$|\/\*[^*]*\/\*|'''|"""/;

/** The SQL without comments, and with one blank for each run of blanks; within quotes nothing changes. */
export function plainSql(sql: string): string {
  if (DOUBTFUL.test(sql)) return sql.trim();
  const pieces = (sql.match(PIECE) ?? []).map((piece) => (/^(?:--|\/\*[\s\S]*\*\/$|\s)/.test(piece) ? " " : piece));
  return pieces
    .filter((piece, i) => piece !== " " || pieces[i - 1] !== " ")
    .join("")
    .trim();
}

/** SHA-256, in hexadecimal digits, that is the same for texts which differ in comments and layout alone. */
export function sqlHash(sql: string): string {
  return hash("sha256", plainSql(sql), "hex");
}
