/** Pages of a tool's answer: of a list that is whole in memory, and of one that the schema pages. */
import { hash } from "node:crypto";

import { z } from "zod";

import { badField } from "../errors.ts";
import { cutToFit } from "./cut-to-fit.ts";

/** What tells one page from another. */
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

/** Where a page comes from. */
interface Source<Item> {
  /** Of all items; null if that is not known. */
  total: number | null;
  /** Whether there are items that no cursor leads to. */
  isCut?: boolean;
  /**
   * Items that follow the one with a key, or the first ones.
   * @throws AppError `bad_request` if nothing has this key
   */
  read(after: string | null, limit: number): Run<Item>;
}

interface Run<Item> {
  items: readonly Item[];
  keyOf: (item: Item, place: number) => string;
  /** Whether anything follows the first so many of these items. */
  hasMore: (count: number) => boolean;
}

/**
 * One page of a list that this request worked out. Its cursor names the last item. It needs no signature: it opens
 * nothing that its holder could not ask for from the beginning.
 * @param question the tool's name and input; the cursor is good for this question alone
 * @param answer what the answer holds beside its page
 * @throws AppError `bad_request` for a cursor of another question, or of an item that is not there any more
 */
export function pageOf<Item extends object, Answer extends object>(
  { total, isCut = false, read }: Source<Item>,
  [tool, { limit, cursor, maxCharacters, ...rest }]: readonly [tool: string, input: PageRequest],
  answer: Answer,
): Answer & Page<Item> {
  const digest = hash("sha256", JSON.stringify([tool, rest]), "base64url").slice(0, 16);
  const { items, keyOf, hasMore } = read(cursor === undefined ? null : readPlace(cursor, digest), limit);
  return cutToFit({ items, maxCharacters }, (kept) => {
    const last = items[kept.length - 1];
    const more = hasMore(kept.length);
    const nextCursor = more && last !== undefined ? writePlace([digest, keyOf(last, kept.length - 1)]) : null;
    return { ...answer, total, returned: kept.length, truncated: more || isCut, nextCursor, items: kept };
  });
}

/** One page of a list that is whole in memory, each item with a key of its own. */
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
    const place = after === null ? -1 : items.findIndex((item) => keyOf(item) === after);
    if (after !== null && place === -1) {
      throw badField("cursor", "names an item that is not there any more; ask from the beginning");
    }
    const start = place + 1;
    return {
      items: items.slice(start, start + limit),
      keyOf,
      hasMore: (count) => start + count < items.length,
    };
  };
  return pageOf({ ...list, read }, question, answer);
}

function writePlace(to: z.output<typeof position>): string {
  return Buffer.from(JSON.stringify(to)).toString("base64url");
}

function readPlace(cursor: string, digest: string): string {
  const [question, key] = parsePlace(cursor);
  if (question !== digest) throw badField("cursor", "belongs to a question with other arguments");
  return key;
}

function parsePlace(cursor: string): z.output<typeof position> {
  try {
    return position.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch (error) {
    throw badField("cursor", "is not a cursor that this service gave out", error);
  }
}

/** The schema of a page that GraphQL gives, with a cursor for each of its items. */
export function connectionOf<Node extends z.ZodType>(node: Node) {
  return z.object({
    edges: z.array(z.object({ cursor: z.string(), node })),
    pageInfo: z.object({ hasNextPage: z.boolean() }),
    totalCount: z.int().nullable(),
  });
}

interface Connection<Node> {
  edges: { cursor: string; node: Node }[];
  pageInfo: { hasNextPage: boolean };
  totalCount: number | null;
}

/** One page that GraphQL gave, or as much of it as fits. */
export function pageOfConnection<Node, Item extends object>(
  { edges, pageInfo, totalCount }: Connection<Node>,
  maxCharacters: number,
  toItem: (node: Node) => Item,
): Page<Item> {
  const items = edges.map(({ node }) => toItem(node));
  return cutToFit({ items, maxCharacters }, (kept) => {
    const truncated = kept.length < edges.length || pageInfo.hasNextPage;
    const nextCursor = truncated ? (edges[kept.length - 1]?.cursor ?? null) : null;
    return { total: totalCount, returned: kept.length, truncated, nextCursor, items: kept };
  });
}
