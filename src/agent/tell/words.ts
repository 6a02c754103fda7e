/** How facts are put into words: plain text, one line, names in backticks. What a sentence names, it cites. */
import type { NodeType } from "../../catalog/node-types.ts";
import type { Citation, Fact } from "../answer.ts";
import { ALL_TYPES, dayOf, type Thing, type Time } from "../catalog.ts";

/** Names that one sentence tells; the rest is counted. */
export const MAX_NAMES = 24;
const MAX_QUOTED = 240;
export const MAX_SNIPPET = 1_000;

export type Named = Pick<Thing, "id" | "name" | "type" | "fqn"> & Partial<Thing> & { reason?: string };

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
  const end = line.slice(0, most).search(/[.!?] [^.!?]*$/);
  return line.length > most && end > 0 ? line.slice(0, end + 1) : clip(line, most);
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

function clip(line: string, most = MAX_SNIPPET): string {
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`;
}

/** A name or a piece of code, in backticks that it cannot close itself. */
export function tick(text: string): string {
  return `\`${clip(plain(text).replaceAll("`", "'"))}\``;
}

/** What people call a node: a column goes by its table too. */
function nameOf({ type, fqn, name }: Named): string {
  return type === "column" ? fqn.split(".").slice(-2).join(".") : name;
}

export function named(node: Named): string {
  return tick(nameOf(node)) + tellApart(node, tick);
}

/** What tells it from something else with the same full name. */
function tellApart({ id, connectors = [], hasNamesake = false }: Named, write: (text: string) => string): string {
  return hasNamesake ? ` (held by ${joinWords(connectors.map(write))}, id ${write(id)})` : "";
}

/** The asset with its reason to be named, or else in one line. */
export function cite(node: Named): Citation {
  const { id, certification = "none", type, fqn, description = "", reason } = node;
  const said = [...(certification === "none" ? [] : [certification]), type, fqn].join(" ");
  const first = said + tellApart(node, plain);
  const snippet = reason ?? (description === "" ? first : `${first}: ${shorten(description)}`);
  return { assetId: id, assetName: plain(nameOf(node)), snippet: clip(plain(snippet)) };
}

export type Owning = Record<"owner" | "ownerName", string | null>;

type Said = string | number | Named | Fact;

function toFact(said: Said): Fact {
  if (typeof said === "object") return "about" in said ? said : { text: named(said), about: [cite(said)] };
  return { text: typeof said === "number" ? count(said) : said, about: [] };
}

/** A sentence or a part of one: assets in it are named and cited, and the parts in it keep what they cite. */
export function say(parts: TemplateStringsArray, ...said: readonly Said[]): Fact {
  const facts = said.map(toFact);
  const texts = facts.map(({ text }) => text);
  return { text: String.raw({ raw: parts }, ...texts), about: facts.flatMap(({ about }) => about) };
}

/** The parts in a row. */
export function sayAll(facts: readonly Fact[], join = (texts: readonly string[]) => joinWords(texts)): Fact {
  return { text: join(facts.map(({ text }) => text)), about: facts.flatMap(({ about }) => about) };
}

/** "`a`, `b` and 3 more", told in the order given; all are cited. */
export function list(nodes: readonly Named[], total = nodes.length): Fact {
  return { text: listSome(nodes.slice(0, MAX_NAMES).map(named), total), about: nodes.map(cite) };
}

/** "2 metrics (`a`, `b`) and 1 model (`c`)" */
export function listByType(nodes: readonly Named[]): Fact {
  const groups = Map.groupBy(inTypeOrder(nodes), ({ type }) => type);
  return sayAll([...groups].map(([type, group]) => say`${count(group.length, type)} (${list(group)})`));
}

/** The first texts of so many. */
export function listSome(texts: readonly string[], total: number): string {
  const left = total - texts.length;
  return joinWords(left > 0 ? [...texts, `${count(left)} more`] : texts);
}

export function joinWords(words: readonly string[], last = "and"): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

/** "1 model", "3 models"; without a noun, the number. */
export function count(amount: number, noun = ""): string {
  const told = noun === "" || amount === 1 ? noun : `${noun}s`;
  return `${amount.toLocaleString("en-US")} ${told}`.trimEnd();
}

export function isAre(amount: number): string {
  return amount === 1 ? "is" : "are";
}

/** Those that people ask for first. */
export function inTypeOrder<T extends { type: NodeType }>(nodes: readonly T[]): T[] {
  return ALL_TYPES.flatMap((type) => nodes.filter((node) => node.type === type));
}

/** The owner as a sentence names them: a name, which may be any text, as a quote; null if there is none. */
export function sayOwnerOf({ owner, ownerName }: Owning): string | null {
  return owner || (plain(ownerName ?? "") === "" ? null : quote(ownerName ?? ""));
}

export function minute(at: Time): string {
  return `${dayOf(at)} ${new Date(at).toISOString().slice(11, 16)} UTC`;
}
