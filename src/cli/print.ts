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
/** A column is not made narrower than this; it is left out instead. */
const LEAST_WIDTH = 12;

/**
 * Prints rows below their headings, in aligned columns. Line breaks in cells are escaped. In a terminal that is too narrow,
 * columns give way: first each that takes more than half of a line is cut to that; then the ids, the last columns and the status,
 * one after the other, are cut and then left out; at last the first column is cut. What goes elsewhere is whole, and so is a table
 * of one column, which a terminal can break.
 */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [headings, ...rows].map((line) => line.map(escapeControls));
  const natural = headings.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ""))));
  const isCut = process.stdout.isTTY && headings.length > 1;
  const widths = isCut ? fitInto(process.stdout.columns, headings, natural) : new Map(natural.entries());
  for (const line of lines) {
    const cells = Array.from(widths, ([column, width]) => {
      const cell = cutTo(line[column] ?? "", width);
      return cell + " ".repeat(Math.max(0, width - widthOf(cell)));
    });
    printLine(cells.join(GAP).trimEnd());
  }
  const hidden = headings.filter((_, column) => !widths.has(column));
  if (hidden.length === 0) return;
  printError(
    `Not shown: ${hidden.join(", ")}. A wider terminal and --json show ${hidden.length === 1 ? "it" : "them"}.`,
  );
}

/** Returns the widths of the columns that are shown. */
function fitInto(columns: number, headings: readonly string[], natural: readonly number[]): Map<number, number> {
  const widths = new Map(natural.entries());
  const excess = (): number => widths.values().reduce((sum, width) => sum + width + GAP.length, -GAP.length) - columns;
  const narrow = (column: number, least: number): void => {
    const width = widths.get(column) ?? 0;
    widths.set(column, Math.max(Math.min(width, least), width - Math.max(0, excess())));
  };
  const last = [...widths.keys()].toReversed();
  const others = last.slice(0, -1).toSorted((a, b) => keptFor(headings[a]) - keptFor(headings[b]));
  const half = Math.max(LEAST_WIDTH, Math.floor(columns / 2));
  for (const column of last) narrow(column, half);
  for (const column of others) {
    if (excess() <= 0) break;
    narrow(column, LEAST_WIDTH);
    if (excess() > 0) widths.delete(column);
  }
  // The space of a column that is left out is of use to those that were cut before.
  for (const [column, width] of widths) {
    widths.set(column, Math.min(natural[column] ?? width, width - Math.min(0, excess())));
  }
  narrow(0, 1);
  return widths;
}

/** How long a column is kept. An id is of use to programs, and a status changes what all the others mean. */
function keptFor(heading: string | undefined): number {
  return heading === "ID" ? 0 : heading === "STATUS" ? 2 : 1;
}

/** A name is told apart by its beginning and its end, so it is cut in the middle; a sentence is cut at its end. */
function cutTo(cell: string, width: number): string {
  if (widthOf(cell) <= width) return cell;
  const kept = width - 1;
  if (/\s/.test(cell)) return `${beginOf(charactersOf(cell), kept)}…`;
  const last = beginOf(charactersOf(cell).toReversed(), Math.ceil(kept / 2));
  return `${beginOf(charactersOf(cell), kept - widthOf(last))}…${charactersOf(last).toReversed().join("")}`;
}

function charactersOf(text: string): string[] {
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}

/** As many of the first characters as fit into the width. */
function beginOf(characters: readonly string[], width: number): string {
  let begin = "";
  for (const character of characters) {
    if (widthOf(begin + character) > width) break;
    begin += character;
  }
  return begin;
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

/** Prints a line for each text, or the sentence `none` if there is none. As JSON, one list. */
export function printLines(texts: readonly string[], none: string): void {
  if (isJson) printResult("", texts);
  else if (texts.length === 0) printError(none);
  else for (const text of texts) printLine(text);
}

/** For each heading, the field of an item, or the text of its cell. */
export type Columns<Item> = Readonly<Record<string, keyof Item | ((item: Item) => string | null | undefined)>>;

/**
 * Prints a row for each item. Lists are joined by commas. A cell is empty if there is no value. As JSON, one list.
 * @param none a sentence for an empty list: what there is none of, and what to do
 */
export function printItems<Item>(items: readonly Item[], columns: Columns<Item>, none: string): void {
  if (isJson) return printResult("", items);
  if (items.length === 0) return printError(none);
  const cells = Object.values(columns);
  printTable(
    Object.keys(columns),
    items.map((item) => cells.map((cell) => String((typeof cell === "function" ? cell(item) : item[cell]) ?? ""))),
  );
}

interface Completeness {
  complete: boolean;
  gapsTotal: number;
  gaps: readonly { reason: string }[];
}

/** Says where lineage may be missing, and why in the first place of these. */
export function printGaps({ complete, gapsTotal, gaps }: Completeness): void {
  if (complete) return;
  const where = gapsTotal === 0 ? "" : ` in ${gapsTotal} ${gapsTotal === 1 ? "asset" : "assets"}`;
  const [first] = gaps;
  printError(`Lineage may be missing${where}${first === undefined ? "" : `: ${first.reason}`}.`);
}
