/** What commands write: results to standard output, all else to standard error, with no control character but line breaks. */
import stringWidth from "string-width";

import { escapeControls, escapeInLines } from "../plain-text.ts";

let isNeeded = true;

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (!isNeeded) return;
  // A reader such as `head` may have had enough: nobody is left to tell anything.
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

// Where faults cannot be told, the exit code still tells of them.
process.stderr.on("error", () => {});

/** From now on the process goes on when nobody can read what it prints. */
export function surviveUnreadOutput(): void {
  isNeeded = false;
}

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
