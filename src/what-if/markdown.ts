/** Writes tables, sentences and names as Markdown that mentions nobody and links to nothing. */
import { escapeControls } from "../plain-text.ts";

/** The limit for each list, because GitHub accepts comments of at most 65,536 characters. */
const MAX_CHARACTERS = 8_000;

/** A table with a row for each item, as far as there is room. Rows without room are not written. */
export function folded<Item>(
  noun: string,
  headings: readonly string[],
  items: readonly Item[],
  toCells: (item: Item, index: number) => readonly string[],
  count = String(items.length),
): string {
  if (items.length === 0) return "";
  let written = 0;
  const kept: string[] = [];
  for (const [i, item] of items.entries()) {
    const line = toLine(toCells(item, i));
    written += line.length;
    if (written > MAX_CHARACTERS) break;
    kept.push(line);
  }
  const more = items.length - kept.length;
  const note = more === 0 ? [] : ["", `… and ${more} more.`];
  const table = [toLine(headings), toLine(headings.map(() => "---")), ...kept, ...note].join("\n");
  return `<details><summary>${count} ${noun}</summary>\n\n${table}\n\n</details>`;
}

/** A bar ends a cell, even inside code, so it gets a backslash. Markdown removes the backslash again. */
function toLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

/**
 * Words that a renderer shows as plain text. A long number or hexadecimal could become a link to an issue or a commit.
 */
const WORD = /^(?:\p{L}[\p{L}\p{M}]*(?:['’-]\p{L}[\p{L}\p{M}]*)*|\d{1,6}|[%…–—→])$/u;
/** A word with the punctuation around it. */
const PUNCTUATED = /^([("“]?)(.*?)([)"”.,;:?…]*)$/su;

/** The words of a sentence. Text in backticks is one word, even with spaces. */
const WORDS = /(?:`[^`]*`|\S)+/g;

/** Writes a sentence. Text in backticks becomes code, and so does every word that may be a name. */
export function prose(text: string): string {
  return text.replace(WORDS, spell).replace(/\s+/g, " ");
}

function spell(word: string): string {
  const [, before = "", core = "", after = ""] = PUNCTUATED.exec(word) ?? [];
  if (core === "" || WORD.test(core)) return word;
  const [, quoted = core] = /^`([^`]+)`$/.exec(core) ?? [];
  return `${before}${code(quoted)}${after}`;
}

/**
 * Writes any text as code, on one line. Inside code, a renderer makes no mentions, references, links, images or HTML.
 * A backslash and a bar in the text go into separate pieces of code. Otherwise the table would read them as an escaped
 * bar. Returns "" for an empty text.
 */
export function code(text: string): string {
  const line = escapeControls(text.toWellFormed().replace(/\s+/g, " "));
  return line === ""
    ? ""
    : line
        .split(/(?<=\\)(?=\|)/)
        .map(toCode)
        .join("&#8203;");
}

/** Puts backticks around a text: more of them than the text has in a row. */
function toCode(line: string): string {
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const space = longest > 0 ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}
