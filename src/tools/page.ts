/** Makes the pages of a tool's answer: from a list in memory, or from a page of GraphQL. */
import { hash } from "node:crypto";

import { z } from "zod";

import { badField } from "../errors.ts";
import { cutToFit } from "./cut-to-fit.ts";

/** The arguments that select a page. */
interface PageRequest {
  limit: number;
  cursor?: string | undefined;
  maxCharacters: number;
}

interface Page<Item> {
  total: number | null;
  returned: number;
  truncated: boolean;
  nextCursor: string | null;
  items: Item[];
}

const position = z.tuple([/** Digest of the question. */ z.string(), /** The last item's key. */ z.string()]);

/** The list that a page is taken from. */
interface Source<Item> {
  /** The number of all items; null if it is not known. */
  total: number | null;
  /** Whether the list is incomplete, so that no cursor leads to some items. */
  isCut?: boolean;
  /**
   * Items that follow the one with a key, or the first ones.
   * @throws AppError `bad_request` if nothing has this key
   */
  read(after: string | null, limit: number): Run<Item>;
}

interface Run<Item> {
  items: readonly Item[];
  keyOf: (item: Item, index: number) => string;
  /** Whether more follows after the first `count` of these items. */
  hasMore: (count: number) => boolean;
}

/**
 * Returns one page of a list. Its cursor contains the key of the last item. The cursor is not signed, because it gives
 * access to nothing that the caller could not ask for without it.
 * @param question the tool's name and input; the cursor is good for this question alone
 * @param answer the other fields of the answer
 * @throws AppError `bad_request` for a cursor of another question, or of an item that is not there any more
 */
export function pageOf<Item extends object, Answer extends object>(
  { total, isCut = false, read }: Source<Item>,
  [tool, { limit, cursor, maxCharacters, ...rest }]: readonly [tool: string, input: PageRequest],
  answer: Answer,
): Answer & Page<Item> {
  const digest = hash("sha256", JSON.stringify([tool, rest]), "base64url").slice(0, 16);
  const { items, keyOf, hasMore } = read(cursor === undefined ? null : readPosition(cursor, digest), limit);
  return cutToFit({ items, maxCharacters, rest: answer }, (kept, beside) => {
    const last = items[kept.length - 1];
    const more = hasMore(kept.length);
    const nextCursor = more && last !== undefined ? writePosition([digest, keyOf(last, kept.length - 1)]) : null;
    return { ...beside, total, returned: kept.length, truncated: more || isCut, nextCursor, items: kept };
  });
}

/** Returns one page of a list that is complete in memory. Each item has its own key. */
export function pageOfList<Item extends object, Answer extends object>(
  {
    items,
    keyOf,
    ...list
  }: { items: readonly Item[]; keyOf: (item: Item) => string; total: number | null; isCut?: boolean },
  question: readonly [tool: string, input: PageRequest],
  answer: Answer,
): Answer & Page<Item> {
  const read = (after: string | null, limit: number): Run<Item> => {
    const index = after === null ? -1 : items.findIndex((item) => keyOf(item) === after);
    if (after !== null && index === -1) {
      throw badField("cursor", "names an item that is not there any more; ask from the beginning");
    }
    const start = index + 1;
    return {
      items: items.slice(start, start + limit),
      keyOf,
      hasMore: (count) => start + count < items.length,
    };
  };
  return pageOf({ ...list, read }, question, answer);
}

function writePosition(to: z.output<typeof position>): string {
  return Buffer.from(JSON.stringify(to)).toString("base64url");
}

function readPosition(cursor: string, digest: string): string {
  const [question, key] = parsePosition(cursor);
  if (question !== digest) throw badField("cursor", "belongs to a question with other arguments");
  return key;
}

function parsePosition(cursor: string): z.output<typeof position> {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch (error) {
    throw badField("cursor", "is not a cursor that this service gave out", error);
  }
}

interface Connection<Node> {
  edges: { cursor: string; node: Node }[];
  /** `endCursor`: where the next page begins, if that may be elsewhere than after the last item. */
  pageInfo: { hasNextPage: boolean; endCursor?: string | null | undefined };
  totalCount?: number | null;
}

/**
 * Returns a page of GraphQL, or as many of its items as fit.
 * @param answer the other fields of the answer
 */
export function pageOfConnection<Node, Item extends object, Answer extends object>(
  { edges, pageInfo, totalCount = null }: Connection<Node>,
  { maxCharacters, answer }: { maxCharacters: number; answer: Answer },
  toItem: (node: Node) => Item,
): Answer & Page<Item> {
  const items = edges.map(({ node }) => toItem(node));
  return cutToFit({ items, maxCharacters, rest: answer }, (kept, beside) => {
    const truncated = kept.length < edges.length || pageInfo.hasNextPage;
    const last = kept.length === edges.length ? pageInfo.endCursor : null;
    const nextCursor = truncated ? (last ?? edges[kept.length - 1]?.cursor ?? null) : null;
    return { ...beside, total: totalCount, returned: kept.length, truncated, nextCursor, items: kept };
  });
}
