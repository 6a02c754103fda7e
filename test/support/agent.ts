/** Asks the agent of a running app, through GraphQL as a client does. */
import type { RunningApp } from "./app.ts";
import { createGraphqlClient } from "./graphql-client.ts";
import { at } from "./rest-client.ts";

export interface Answered {
  answer: string;
  readAs: string | null;
  confidence: number;
  citations: { assetId: string; assetName: string; snippet: string }[];
  suggestedActions: { type: string; endpoint: string; params: Record<string, string> }[];
  engine: string;
  note: string | null;
}

/** The argument `context` of the field `ask`. */
interface Context {
  assetIds?: readonly string[];
  tags?: readonly string[];
  workspaceArea?: string;
}

export type Ask = (query: string, context?: Context, conversation?: readonly string[]) => Promise<Answered>;

const DOCUMENT = `query ($query: String!, $context: AgentContext, $conversation: [String!]) {
  ask(query: $query, context: $context, conversation: $conversation) {
    answer readAs confidence citations { assetId assetName snippet } suggestedActions { type endpoint params } engine note
  }
}`;

/** @throws Error if GraphQL answers with errors */
export function createAsk(of: Pick<RunningApp, "url" | "token">): Ask {
  const graphql = createGraphqlClient(of);
  return async (query, context, conversation) => {
    const { data, codes, message } = await graphql(DOCUMENT, { query, context, conversation });
    if (codes.length > 0) throw new Error(`${query}: ${codes.join(", ")}: ${message}`);
    return at(data, "ask") as unknown as Answered;
  };
}

/** The names that an answer cites, in its order. */
export function citedBy({ citations }: Answered): string[] {
  return citations.map(({ assetName }) => assetName);
}
