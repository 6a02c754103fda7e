/** Checks what an agent is asked, for every caller alike. */
import { hasMoreCharacters } from "../characters.ts";
import { badField } from "../errors.ts";
import type { AgentRequest } from "./answer.ts";

export const MAX_QUERY_CHARACTERS = 4_000;
export const MAX_CONTEXT_ITEMS = 100;
export const MAX_ITEM_CHARACTERS = 200;
const MAX_AREA_CHARACTERS = 1_000;

export const MAX_CONVERSATION = 5;

interface Asked {
  query: string;
  conversation?: readonly string[] | null | undefined;
  context?:
    | {
        assetIds?: readonly string[] | null | undefined;
        tags?: readonly string[] | null | undefined;
        workspaceArea?: string | null | undefined;
      }
    | null
    | undefined;
}

/** @throws AppError `bad_request` that names the field */
export function parseAgentRequest({ query, context, conversation }: Asked): AgentRequest {
  if (query.trim() === "") throw badField("query", "must not be blank");
  if (hasMoreCharacters(query, MAX_QUERY_CHARACTERS)) {
    throw badField("query", `may have at most ${MAX_QUERY_CHARACTERS.toLocaleString("en-US")} characters`);
  }
  const earlier = conversation ?? [];
  if (earlier.length > MAX_CONVERSATION || earlier.some((text) => hasMoreCharacters(text, MAX_QUERY_CHARACTERS))) {
    throw badField("conversation", `may have at most ${MAX_CONVERSATION} questions, each as long as a query`);
  }
  const assetIds = context?.assetIds ?? [];
  const tags = context?.tags ?? [];
  const area = context?.workspaceArea ?? null;
  if (assetIds.length > MAX_CONTEXT_ITEMS || tags.length > MAX_CONTEXT_ITEMS) {
    throw badField("context", `may name at most ${MAX_CONTEXT_ITEMS} assets and ${MAX_CONTEXT_ITEMS} tags`);
  }
  if ([...assetIds, ...tags].some((text) => hasMoreCharacters(text, MAX_ITEM_CHARACTERS))) {
    throw badField("context", `may name no asset and no tag by more than ${MAX_ITEM_CHARACTERS} characters`);
  }
  if (area !== null && (area.trim() === "" || hasMoreCharacters(area, MAX_AREA_CHARACTERS))) {
    throw badField("context", "has a workspace area that is blank or too long");
  }
  return {
    query,
    conversation: earlier.filter((text) => text.trim() !== ""),
    context: { assetIds, tags, workspaceArea: area },
  };
}
