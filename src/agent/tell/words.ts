/** How facts are put into words: plain text, one line, names in backticks. */
import type { NodeType } from "../../catalog/node-types.ts";
import type { Citation, Fact } from "../answer.ts";
import type { Thing } from "../catalog.ts";

/** Names that one sentence tells; the rest is counted. */
export const MAX_NAMES = 24;
const MAX_QUOTED = 240;
const MAX_NAME_CHARACTERS = 200;
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
export function tick(text: string, most = MAX_NAME_CHARACTERS): string {
  return `\`${clip(plain(text).replaceAll("`", "'"), most)}\``;
}

/** What people call a node: a column goes by its table too. */
function nameOf(node: Named): string {
  return node.type === "column" && node.fqn !== undefined ? node.fqn.split(".").slice(-2).join(".") : node.name;
}

export function named(node: Named): string {
  return tick(nameOf(node));
}

/** "`a`, `b` and 3 more", told in the order given. */
export function listNames(nodes: readonly Named[], total = nodes.length, most = MAX_NAMES): string {
  const names = nodes.slice(0, most).map(named);
  const left = total - names.length;
  return joinWords(left > 0 ? [...names, `${left.toLocaleString("en-US")} more`] : names);
}

export function joinWords(words: readonly string[], last = "and"): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

/** "1 model", "3 models". */
export function count(amount: number, noun: string): string {
  return `${amount.toLocaleString("en-US")} ${amount === 1 ? noun : plural(noun)}`;
}

export function plural(noun: string): string {
  return noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

const TYPE_ORDER: readonly NodeType[] = ["metric", "dashboard", "pipeline", "model", "table", "column"];

/** "2 metrics (`a`, `b`) and 1 model (`c`)"; each type has its share of `MAX_NAMES` names, those in the order given. */
export function listByType(nodes: readonly Named[]): string {
  const groups = TYPE_ORDER.map((type) => nodes.filter((node) => node.type === type)).filter(
    ({ length }) => length > 0,
  );
  let left = MAX_NAMES;
  const shares = new Map<readonly Named[], number>();
  groups
    .toSorted((a, b) => a.length - b.length)
    .forEach((group, i) => {
      const share = Math.min(group.length, Math.ceil(left / (groups.length - i)));
      shares.set(group, share);
      left -= share;
    });
  return joinWords(
    groups.map(
      (group) => `${count(group.length, group[0]?.type ?? "")} (${listNames(group, group.length, shares.get(group))})`,
    ),
  );
}

/** In the order in which `listByType` tells them. */
export function inTypeOrder<T extends { type: NodeType }>(nodes: readonly T[]): T[] {
  return TYPE_ORDER.flatMap((type) => nodes.filter((node) => node.type === type));
}

/** The owner as a sentence names them: a name, which may be any text, as a quote; null if there is none. */
export function sayOwnerOf({ owner, ownerName }: Record<"owner" | "ownerName", string | null>): string | null {
  return owner || (plain(ownerName ?? "") === "" ? null : quote(ownerName ?? ""));
}

/** A day, as `2026-03-24`. */
export function day(at: string): string {
  return at.slice(0, 10);
}

export function minute(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
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

export function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? "an" : "a";
}
