/** What the agent is asked, checked for every caller alike, and what it answers. */
import type { ChangeType } from "../catalog/impact.ts";
import { hasMoreCharacters } from "../characters.ts";
import { badField } from "../errors.ts";

export interface AgentRequest {
  /** A question in people's words, 1 to 4,000 characters. */
  query: string;
  context: AgentContext;
  /** Earlier questions of the same conversation, the oldest first: what "it" and "those" refer to. */
  conversation: readonly string[];
}

/** Narrows what a question can be about; what is given must all hold, and nothing given narrows nothing. */
export interface AgentContext {
  /** These assets and what lies around them. */
  assetIds: readonly string[];
  /** Assets that carry one of these tags, and their columns. */
  tags: readonly string[];
  /** A connector's name, or the first parts of an fqn. */
  workspaceArea: string | null;
}

export const MAX_QUERY_CHARACTERS = 4_000;
export const MAX_CONTEXT_ITEMS = 100;
export const MAX_ITEM_CHARACTERS = 200;
export const MAX_AREA_CHARACTERS = 1_000;
export const MAX_CONVERSATION = 5;

type Nullable<Fields> = { [Field in keyof Fields]?: Fields[Field] | null | undefined };
type Asked = Pick<AgentRequest, "query"> &
  Nullable<Pick<AgentRequest, "conversation"> & { context: Nullable<AgentContext> }>;

/** @throws AppError `bad_request` that names the field */
export function parseAgentRequest({ query, context, conversation }: Asked): AgentRequest {
  const [earlier, ids, tags] = [conversation ?? [], context?.assetIds ?? [], context?.tags ?? []];
  const area = context?.workspaceArea ?? null;
  if (query.trim() === "") throw badField("query", "must not be blank");
  if (!fit([query], MAX_QUERY_CHARACTERS)) throw badField("query", "may have at most 4,000 characters");
  if (earlier.length > MAX_CONVERSATION || !fit(earlier, MAX_QUERY_CHARACTERS))
    throw badField("conversation", `may have at most ${MAX_CONVERSATION} questions, each as long as a query`);
  if (Math.max(ids.length, tags.length) > MAX_CONTEXT_ITEMS || !fit([...ids, ...tags], MAX_ITEM_CHARACTERS))
    throw badField(
      "context",
      `may name at most ${MAX_CONTEXT_ITEMS} assets and tags of ${MAX_ITEM_CHARACTERS} characters`,
    );
  if (area !== null && (area.trim() === "" || !fit([area], MAX_AREA_CHARACTERS)))
    throw badField("context", "has a workspace area that is blank or too long");
  return {
    query,
    conversation: earlier.filter((text) => text.trim() !== ""),
    context: { assetIds: ids, tags, workspaceArea: area },
  };
}

function fit(texts: readonly string[], most: number): boolean {
  return texts.every((text) => !hasMoreCharacters(text, most));
}

/** What an answer cites at most; it says so where there is more. */
export const MAX_CITATIONS = 30;

/** An asset that a claim stands on, and what the catalog says of it, as text. */
export interface Citation {
  assetId: string;
  assetName: string;
  snippet: string;
}

/** A call that goes on from the answer, and works as it stands. */
export interface SuggestedAction {
  type: "run_impact" | "view_asset" | "view_lineage" | "view_metric" | "trigger_sync";
  /** A path relative to `{base_url}`. */
  endpoint: string;
  /** What the call takes: in the query of a GET, in the body of a POST. */
  params: Record<string, string>;
  /** Of `run_impact`: the change that was asked about, also if REST has none such and takes the nearest. */
  changeType?: ChangeType;
}

/** Who put the answer into words: the agent itself, or a language model. */
export type Engine = "catalog" | "model";

export interface AgentAnswer {
  queryId: string;
  /** Plain text; names stand in backticks. */
  answer: string;
  /** How the question was read, as a phrase; null where it was declined. */
  readAs: string | null;
  /** 0 to 1; below `DECLINED` where nothing was claimed. */
  confidence: number;
  /** Each asset once, the most relevant first. */
  citations: Citation[];
  suggestedActions: SuggestedAction[];
  engine: Engine;
  /** Why a language model that was asked did not answer, as a sentence; null where there is nothing to say. */
  note: string | null;
}

/**
 * A plain sentence that is true as it stands, with the assets that it is about: what an answer is made of, and what a
 * claim can be held against.
 */
export interface Fact {
  text: string;
  about: readonly Citation[];
}
