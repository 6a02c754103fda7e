/** How facts are put into words: plain text, one line, names in backticks. */
import type { NodeType } from "../../catalog/node-types.ts";
import type { Citation, Fact } from "../answer.ts";
import { dayOf, type Thing, type Time } from "../catalog.ts";

/** Names that one sentence tells; the rest is counted. */
export const MAX_NAMES = 24;
const MAX_QUOTED = 240;
const MAX_SNIPPET = 1_000;

export type Named = Pick<Thing, "id" | "name" | "type"> & Partial<Pick<Thing, "fqn">>;

/**
 * Text from the catalog as it may stand in an answer: in one line, without control characters, and with no tag that a
 * browser would take for one (HTML opens a tag only where a letter, `/`, `!` or `?` follows the `<`).
 */
export function plain(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replaceAll(/<(?=[a-z/!?])/gi, "< ")
    .toWellFormed()
    .trim();
}

/** The first sentences of a text, as far as they fit. */
function shorten(text: string, most = MAX_QUOTED): string {
  const line = plain(text);
  if (line.length <= most) return line;
  const end = line.slice(0, most).search(/[.!?] [^.!?]*$/);
  return end > 0 ? line.slice(0, end + 1) : `${line.slice(0, most - 1).toWellFormed()}…`;
}

/**
 * Text that people wrote, as theirs: in marks that it cannot close itself, so that nobody takes it for the agent's word.
 * In one line, and no longer than it needs to be.
 */
export function quote(text: string, most = MAX_QUOTED): string {
  return `“${shorten(text, most)
    .replace(/\.$/, "")
    .replaceAll(/["“”„‟«»＂]/g, "'")}”`;
}

function clip(line: string, most: number): string {
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`;
}

/** A name or a piece of code, in backticks that it cannot close itself. */
export function tick(text: string): string {
  return `\`${clip(plain(text).replaceAll("`", "'"), MAX_SNIPPET)}\``;
}

/** What people call a node: a column goes by its table too. */
function nameOf(node: Named): string {
  return node.type === "column" && node.fqn !== undefined ? node.fqn.split(".").slice(-2).join(".") : node.name;
}

export function named(node: Named): string {
  return tick(nameOf(node));
}

/** "`a`, `b` and 3 more", told in the order given. */
export function listNames(nodes: readonly Named[], total = nodes.length): string {
  return listSome(nodes.slice(0, MAX_NAMES).map(named), total);
}

/** The first texts of so many. */
export function listSome(texts: readonly string[], total: number): string {
  const left = total - texts.length;
  return joinWords(left > 0 ? [...texts, `${left.toLocaleString("en-US")} more`] : texts);
}

export function joinWords(words: readonly string[], last = "and"): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

/** "1 model", "3 models"; without a noun, the number. */
export function count(amount: number, noun = ""): string {
  const told = noun === "" || amount === 1 ? noun : plural(noun);
  return `${amount.toLocaleString("en-US")} ${told}`.trimEnd();
}

export function plural(noun: string): string {
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

const TYPE_ORDER: readonly NodeType[] = ["metric", "dashboard", "pipeline", "model", "table", "column"];

/** "2 metrics (`a`, `b`) and 1 model (`c`)" */
export function listByType(nodes: readonly Named[]): string {
  const groups = Map.groupBy(inTypeOrder(nodes), ({ type }) => type);
  return joinWords([...groups].map(([type, group]) => `${count(group.length, type)} (${listNames(group)})`));
}

/** Those that people ask for first. */
export function inTypeOrder<T extends { type: NodeType }>(nodes: readonly T[]): T[] {
  return TYPE_ORDER.flatMap((type) => nodes.filter((node) => node.type === type));
}

/** The owner as a sentence names them: a name, which may be any text, as a quote; null if there is none. */
export function sayOwnerOf({ owner, ownerName }: Record<"owner" | "ownerName", string | null>): string | null {
  return owner || (plain(ownerName ?? "") === "" ? null : quote(ownerName ?? ""));
}

export function minute(at: Time): string {
  return `${dayOf(at)} ${new Date(at).toISOString().slice(11, 16)} UTC`;
}

/** A sentence with the assets that it is about. */
export function say(text: string, about: readonly Citation[] = []): Fact {
  return { text, about };
}

export function cite(node: Named, snippet: string): Citation {
  return { assetId: node.id, assetName: plain(nameOf(node)), snippet: clip(plain(snippet), MAX_SNIPPET) };
}

/** The asset in one line: what it is cited with where no other fact is meant. */
export function profile({ certification, type, fqn, description }: Thing): string {
  const first = [...(certification === "none" ? [] : [certification]), type, fqn].join(" ");
  return description === "" ? first : `${first}: ${shorten(description)}`;
}

export function citeAll(things: readonly Thing[]): Citation[] {
  return things.map((thing) => cite(thing, profile(thing)));
}
