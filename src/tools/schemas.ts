/** Schemas that several tools share. */
import { z } from "zod";

import { MAX_QUERY_CHARACTERS } from "../agent/answer.ts";
import { CERTIFICATIONS } from "../catalog/asset.ts";
import { ASSET_TYPES, NODE_TYPES } from "../catalog/node-types.ts";
import { oldestCrawl } from "../catalog/coverage.ts";
import { EDGE_KINDS } from "../catalog/edge.ts";
import { MAX_SEARCH_CHARACTERS } from "../catalog/search.ts";
import type { ToolAnswer } from "./tool.ts";

const DEFAULT_CHARACTERS = 20_000;
const LEAST_CHARACTERS = 2_000;
const MOST_CHARACTERS = 100_000;
const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;
const MAX_NAME = 1_000;
const MAX_CURSOR = 20_000;

const assetType = z.enum(ASSET_TYPES);
export const assetTypes = z.array(assetType).min(1).max(ASSET_TYPES.length);
export const nodeType = z.enum(NODE_TYPES);
export const nodeTypes = z.array(nodeType).min(1).max(NODE_TYPES.length);
export const certification = z.enum(CERTIFICATIONS);

/** Ids of assets and metrics consist of hexadecimal digits only. */
export const id = z
  .string()
  .regex(
    /^[0-9a-f]{1,64}$/,
    "must be an id from an earlier answer (get_assets takes full names as names, and tells ids)",
  );

/** Text that can be stored and searched. */
export const text = z
  .string()
  .refine((value) => value.isWellFormed(), "has a lone surrogate, so it is not valid Unicode");

export const name = text.min(1).max(MAX_NAME);

/** An e-mail address, as the HTML specification defines it. GraphQL uses the same definition. */
export const ownerFilter = z.email({ pattern: z.regexes.html5Email }).max(MAX_NAME);

export const search = text.min(1).max(MAX_SEARCH_CHARACTERS);

export const question = text.min(1).max(MAX_QUERY_CHARACTERS).regex(/\S/, "must not be blank");

/** Arguments of every tool. */
export const bounds = {
  maxCharacters: z
    .int()
    .min(LEAST_CHARACTERS)
    .max(MOST_CHARACTERS)
    .default(DEFAULT_CHARACTERS)
    .describe("Bound on the answer's length."),
};

/** Arguments of every tool that returns pages. */
export const paging = {
  limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  cursor: z.string().min(1).max(MAX_CURSOR).optional().describe("nextCursor of the last answer."),
  ...bounds,
};

/** Fields of every answer. `INSTRUCTIONS` of the protocol's server says what they mean. */
export const page = {
  /** All items, exactly; null if they are too many to be counted. */
  total: z.int().nullable(),
  /** The items of this answer. */
  returned: z.int(),
  /** Whether there is more than this answer holds. */
  truncated: z.boolean(),
  /** Null after the last item, and where no cursor leads on. */
  nextCursor: z.string().nullable(),
};

/** A field of every item: true if its texts and lists were cut, because it alone was too large. */
export const cut = { shortened: z.boolean().optional() };

/** A time: a Date from a resolver of this process, or text from a service elsewhere. */
export const instant = z.preprocess((value) => (value instanceof Date ? value.toISOString() : value), z.string());

/** The id and names of an asset or metric. */
export const reference = z.object({ id: z.string(), type: nodeType, name: z.string(), fqn: z.string() });

/** Text that is null in GraphQL if it is unknown. Tools say `""` then, as REST does. */
export const textOrEmpty = z.preprocess((value) => value ?? "", z.string());

export const owned = {
  /** The owner's e-mail address; empty if unknown. */
  owner: textOrEmpty,
  /** The owner's name, or an owner that is no e-mail address; empty if unknown. */
  ownerName: textOrEmpty,
};

export { isOwnedBy } from "../catalog/impact/owners.ts";

/** `from` is the id of the upstream end. */
export const edge = z.object({ from: z.string(), to: z.string(), kind: z.enum(EDGE_KINDS) });

/** Whether it is known which columns its columns come from, and why not; null if it has no SQL. */
export const columnLineage = z
  .object({ status: z.enum(["known", "partial", "unknown"]), reason: textOrEmpty })
  .nullable();

export const usage = z
  .object({ users: z.int().nullable(), queries: z.int().nullable(), views: z.int().nullable(), until: instant })
  .nullable();

/**
 * What the catalog could not know of the whole result, shown or not. `asOf` is when the oldest of the connectors behind it
 * last completed a crawl; null if one never did. `gaps` are the first ones.
 */
export const completeness = z.object({
  complete: z.boolean(),
  gapsTotal: z.int(),
  gaps: z.array(z.object({ assetId: z.string(), reason: z.string() })),
  asOf: instant.nullable(),
});

type Completeness = ToolAnswer<"ToolWalkPaths">["lineage"]["completeness"];

/** What several answers together could not know. Gaps that they share count once, of those that they list. */
export function joinCompleteness(answers: readonly Completeness[]): Completeness {
  const gaps = new Map(answers.flatMap((answer) => answer.gaps.map((gap) => [gap.assetId, gap])));
  return {
    complete: answers.every(({ complete }) => complete),
    asOf: oldestCrawl(answers.map(({ asOf }) => instant.nullable().parse(asOf))),
    gaps: [...gaps.values()],
    gapsTotal: Math.max(gaps.size, ...answers.map(({ gapsTotal }) => gapsTotal)),
  };
}

const SHOWN_GAPS = 5;

/** Keeps the first gaps. `gapsTotal` counts all of them. */
export function showCompleteness({ gaps, ...rest }: Completeness): Completeness {
  return { ...rest, gaps: gaps.slice(0, SHOWN_GAPS) };
}
