/**
 * Prints results to standard output and everything else to standard error, without control characters except line
 * breaks.
 */
import stringWidth from "string-width";

import { escapeControls, escapeInLines } from "../plain-text.ts";

let isNeeded = true;

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (!isNeeded) return;
  // A reader such as `head` has closed the pipe, so nobody reads the output any more.
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

// If errors cannot be printed, there is still the exit code.
process.stderr.on("error", () => {});

/** From now on, the process goes on even if nobody can read its output. */
export function surviveUnreadOutput(): void {
  isNeeded = false;
}

/** Prints a result. */
export function printLine(text: string): void {
  process.stdout.write(`${escapeInLines(text)}\n`);
}

/** Prints an error or a hint. */
export function printError(text: string): void {
  process.stderr.write(`${escapeInLines(text)}\n`);
}

/** Prints rows below their headings, in aligned columns. Line breaks in cells are escaped. */
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

/** For each heading, the field of an item, or the text of its cell. */
export type Columns<Item> = Readonly<Record<string, keyof Item | ((item: Item) => string | null | undefined)>>;

/** Prints a row for each item. Lists are joined by commas. A cell is empty if there is no value. */
export function printItems<Item>(items: readonly Item[], columns: Columns<Item>): void {
  const cells = Object.values(columns);
  printTable(
    Object.keys(columns),
    items.map((item) => cells.map((cell) => String((typeof cell === "function" ? cell(item) : item[cell]) ?? ""))),
  );
}
