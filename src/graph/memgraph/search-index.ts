/**
 * What an `:Asset` stores for the search, and the ranges of the indexes over it.
 *
 * Every index is over one text that begins with the workspace, so a range never leaves it. U+0001 separates the parts of
 * such a text, and sorts below every character of a name. Each word of an asset is a `:Term`, which all assets of the
 * workspace and type share that have the word in the same field: `(:Asset)-[:HAS]->(:Term)`.
 */
import { hash } from "node:crypto";

import type { NodeType } from "../../catalog/node-types.ts";
import { isPath, type Searchable, standingOf, toSearchFields, type VouchedFor } from "../../catalog/search.ts";
import type { WorkspaceId } from "../../ids.ts";
import { fold } from "../../catalog/text.ts";
import { endOfPrefix, fqnTail } from "../text-range.ts";

/** The fields whose words are terms, each with its letter in the index. */
export const TERM_FIELDS = { name: "n", tags: "t", description: "d" } as const;
export type TermField = keyof typeof TERM_FIELDS;

/** A range of an index: texts from `after` on, below `before`. */
export interface TextRange {
  after: string;
  before: string;
}

function join(...parts: readonly string[]): string {
  return parts.join("\u0001");
}

/** Texts that begin with the given one, which has a separator. */
function beginning(text: string): TextRange {
  return { after: text, before: endOfPrefix(text) ?? "" };
}

/** Only this text. */
function exactly(text: string): TextRange {
  return { after: text, before: `${text}\u0001` };
}

/** What is behind a place in a range, or all of it. Nothing follows the key with which a place ends. */
function restOf(range: TextRange, place: string | null): TextRange {
  return place === null ? range : { ...range, after: `${place}\u0001` };
}

/** The place of a node among those with its name, in the order of results. It is unique. */
function nameAt(workspace: WorkspaceId, type: NodeType, name: string, rank: number, key: string): string {
  return join(workspace, type, name, String(rank), key);
}

/** Nodes with this folded name, after a place in the order of results. */
export function rangeOfName(
  workspace: WorkspaceId,
  type: NodeType,
  name: string,
  after: { rank: number; key: string } | null,
): TextRange {
  const place = after && nameAt(workspace, type, name, after.rank, after.key);
  return restOf(beginning(join(workspace, type, name, "")), place);
}

/** Nodes whose name, folded for search, begins with this text. */
export function rangeOfBeginning(workspace: WorkspaceId, type: NodeType, prefix: string): TextRange {
  return beginning(join(workspace, type, prefix));
}

/** Nodes with this folded fqn, and those whose fqn ends in these whole parts; of columns, only if it has a dot. */
export function rangeOfFqn(workspace: WorkspaceId, type: NodeType, fqn: string): TextRange {
  const isName = type === "column" && !isPath({ path: fqn });
  return isName ? exactly(join(workspace, type, fqnTail(fqn))) : rangeOfFqnEnd(workspace, type, fqn);
}

/** Nodes whose folded fqn ends in these whole parts. */
export function rangeOfFqnEnd(workspace: WorkspaceId, type: NodeType, parts: string): TextRange {
  return beginning(join(workspace, type, fqnTail(parts)));
}

function termAt(workspace: WorkspaceId, type: NodeType, field: TermField, term: string): string {
  return join(workspace, type, TERM_FIELDS[field], term);
}

/** Terms of one type and field that are this term, or that begin with it. */
export function rangeOfTerm(
  workspace: WorkspaceId,
  type: NodeType,
  field: TermField,
  { term, isPrefix }: { term: string; isPrefix: boolean },
): TextRange {
  const at = termAt(workspace, type, field, term);
  return isPrefix ? beginning(at) : exactly(at);
}

/** Columns come after all other nodes, so each of the two is walked apart. */
export type Kind = "asset" | "column";

function standing(workspace: WorkspaceId, kind: Kind, rank: number, key: string): string {
  return join(workspace, kind, String(rank), key);
}

/** Nodes of one kind in the order (standing, key), after a place in it. */
export function rangeOfStanding(
  workspace: WorkspaceId,
  kind: Kind,
  after: { rank: number; key: string } | null,
): TextRange {
  const place = after && standing(workspace, kind, after.rank, after.key);
  return restOf(beginning(join(workspace, kind, "")), place);
}

/** The place that is written in a `standing`. */
export function readStanding(text: string): { rank: number; key: string } {
  const [, , rank, ...key] = text.split("\u0001");
  return { rank: Number(rank), key: join(...key) };
}

/** Owners with this address and a name. A name is what follows the start. */
export function rangeOfPerson(workspace: WorkspaceId, address: string): TextRange {
  return beginning(join(workspace, fold(address), ""));
}

/** The word of a term, by which misspelt words are compared, whatever the type and the field. */
export function wordAt(workspace: WorkspaceId, word: string): string {
  return join(workspace, word);
}

export function wordOf(at: string): string {
  return at.slice(at.indexOf("\u0001") + 1);
}

/** A term of a node: its place in the index, and its word. */
export interface Term {
  at: string;
  word: string;
}

/** What a node stores for the search. A node that is only named has the texts alone, so no range finds it. */
export interface SearchEntry {
  /** The texts that are compared with a query; see `spaced`. */
  texts: Record<string, string>;
  /** The node's places in the indexes. */
  places: Record<string, string>;
  terms: Term[];
}

/** What the places of a node depend on, beside its texts. */
export interface SearchSource extends VouchedFor {
  workspace: WorkspaceId;
  type: NodeType;
  key: string;
}

export function searchEntry(node: Searchable & SearchSource, isHeld: boolean): SearchEntry {
  const { workspace, type, key } = node;
  const fields = toSearchFields(node);
  const texts = {
    searchName: fields.name,
    searchFqn: fields.fqn,
    searchPrefix: fields.namePrefix,
    nameTerms: spaced(fields.nameTerms),
    tagTerms: spaced(fields.tagTerms),
    descriptionTerms: spaced(fields.descriptionTerms),
  };
  if (!isHeld) return { texts, places: {}, terms: [] };
  const rank = standingOf(node);
  const terms = [
    ...termsOf(workspace, type, "name", texts.nameTerms),
    ...termsOf(workspace, type, "tags", texts.tagTerms),
    ...termsOf(workspace, type, "description", texts.descriptionTerms),
  ];
  const places = {
    nameAt: nameAt(workspace, type, fields.name, rank, key),
    beginsAt: join(workspace, type, fields.namePrefix),
    fqnAt: join(workspace, type, fqnTail(fields.fqn)),
    standing: standing(workspace, type === "column" ? "column" : "asset", rank, key),
    ...(node.owner !== "" && node.ownerName !== "" && { personAt: join(workspace, fold(node.owner), node.ownerName) }),
    termsHash: hash("sha256", JSON.stringify(terms.map(({ at }) => at)), "hex").slice(0, 32),
  };
  return { texts, places, terms };
}

function termsOf(workspace: WorkspaceId, type: NodeType, field: TermField, text: string): Term[] {
  const words = text.split(" ").filter((word) => word !== "");
  return words.map((word) => ({ at: termAt(workspace, type, field, word), word: wordAt(workspace, word) }));
}

/**
 * Terms are letters and digits, so a field is one text with a space around each term: a term is found as ` term `, a
 * prefix as ` pre`.
 */
function spaced(terms: readonly string[]): string {
  return ` ${terms.join(" ")} `;
}
