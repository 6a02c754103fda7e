/**
 * Prints results to standard output and everything else to standard error, without control characters except line
 * breaks.
 */
import { createRequire } from "node:module";

import type stringWidth from "string-width";

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

const require = createRequire(import.meta.url);
let measure: typeof stringWidth | undefined;

/** Printable characters of one cell: ASCII, Latin letters, dashes, quotation marks and signs of currencies. */
const NARROW = /^[ -~\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u2010-\u2027\u20a0-\u20bf]*$/;

/** How many cells of a terminal a text takes. Most texts are narrow, and commands start faster without the package. */
function widthOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  measure ??= (require("string-width") as { default: typeof stringWidth }).default;
  return measure(text);
}

const GAP = "  ";
/** A column is not made narrower than this. */
const LEAST_WIDTH = 12;

/**
 * Prints rows below their headings, in aligned columns. Line breaks in cells are escaped. At a terminal that is too narrow,
 * the widest columns are cut, and a cell that was cut ends in `…`. What goes elsewhere is never cut.
 */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [headings, ...rows].map((line) => line.map(escapeControls));
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ""))));
  if (process.stdout.isTTY) fitInto(process.stdout.columns, widths);
  for (const line of lines) {
    const cells = line.map((cell, column) => cutTo(cell, widths[column] ?? 0));
    printLine(
      cells
        .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - widthOf(cell))))
        .join(GAP)
        .trimEnd(),
    );
  }
}

/** Makes the widest columns narrower, one cell at a time, until the line fits or no column can be cut. */
function fitInto(columns: number, widths: number[]): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1) - columns;
  for (; excess > 0; excess--) {
    const widest = Math.max(...widths);
    if (widest <= LEAST_WIDTH) return;
    widths[widths.indexOf(widest)] = widest - 1;
  }
}

function cutTo(cell: string, width: number): string {
  if (widthOf(cell) <= width) return cell;
  let cut = "";
  for (const { segment } of new Intl.Segmenter().segment(cell)) {
    if (widthOf(cut + segment) > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

let isJson = false;

/** Says whether results are printed as JSON from now on, for programs. */
export function answerJson(isWanted: boolean): void {
  isJson = isWanted;
}

export function answersJson(): boolean {
  return isJson;
}

/** Prints a result: as a text for people, or as JSON with all that is known of it. */
export function printResult(text: string, json: unknown): void {
  if (!isJson) printLine(text);
  else process.stdout.write(`${escapeInLines(JSON.stringify(json))}\n`);
}

/** Prints a line for each text. As JSON, one list. */
export function printLines(texts: readonly string[]): void {
  if (isJson) printResult("", texts);
  else for (const text of texts) printLine(text);
}

/** For each heading, the field of an item, or the text of its cell. */
export type Columns<Item> = Readonly<Record<string, keyof Item | ((item: Item) => string | null | undefined)>>;

/** Prints a row for each item. Lists are joined by commas. A cell is empty if there is no value. As JSON, one list. */
export function printItems<Item>(items: readonly Item[], columns: Columns<Item>): void {
  if (isJson) return printResult("", items);
  const cells = Object.values(columns);
  printTable(
    Object.keys(columns),
    items.map((item) => cells.map((cell) => String((typeof cell === "function" ? cell(item) : item[cell]) ?? ""))),
  );
}
