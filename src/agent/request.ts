/** Checks what an agent is asked, for every caller alike. */
import { hasMoreCharacters } from "../characters.ts";
import { badField } from "../errors.ts";
import type { AgentRequest } from "./answer.ts";

export const MAX_QUERY_CHARACTERS = 4_000;
export const MAX_CONTEXT_ITEMS = 100;
export const MAX_ITEM_CHARACTERS = 200;
export const MAX_AREA_CHARACTERS = 1_000;
export const MAX_CONVERSATION = 5;

type Nullable<Fields> = { [Field in keyof Fields]?: Fields[Field] | null | undefined };
type Asked = Pick<AgentRequest, "query"> &
  Nullable<Pick<AgentRequest, "conversation"> & { context: Nullable<AgentRequest["context"]> }>;

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
