/** What commands write: results to standard output, all else to standard error, with no control character but line breaks. */
import stringWidth from "string-width";

import { escapeControls, escapeInLines } from "../plain-text.ts";

// A reader such as `head` may have had enough: nobody is left to tell anything.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

/** Writes a result. */
export function printLine(text: string): void {
  process.stdout.write(`${escapeInLines(text)}\n`);
}

/** Writes what is no result: an error, or a hint. */
export function printError(text: string): void {
  process.stderr.write(`${escapeInLines(text)}\n`);
}

/** Rows below their headings, in columns as wide as they need to be. A line break in a cell is escaped too. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [headings, ...rows].map((line) => line.map(escapeControls));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => stringWidth(line[column] ?? ""))));
  for (const line of lines) {
    printLine(
      line
        .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell))))
        .join("  ")
        .trimEnd(),
    );
  }
}
