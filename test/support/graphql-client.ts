/** Asks GraphQL over HTTP, as a client does. */
import { at, createRestClient, type Json } from "./rest-client.ts";

interface GraphqlReply {
  data: Json;
  /** The codes of all errors. */
  codes: string[];
  /** The message of the first error. */
  message: string;
}

export type GraphqlClient = (query: string, variables?: Record<string, unknown>) => Promise<GraphqlReply>;

export function createGraphqlClient({ url, token }: { url: string; token: string }): GraphqlClient {
  const ask = createRestClient({ url, token });
  return async (query, variables = {}) => {
    const { body } = await ask("/graphql", { method: "POST", body: JSON.stringify({ query, variables }) });
    const errors = at(body, "errors");
    const listed = Array.isArray(errors) ? errors : [];
    return {
      data: at(body, "data") ?? null,
      // An error of the guard is the one error body, not an error of GraphQL.
      codes: [at(body, "error"), ...listed.map((error) => at(error, "extensions", "code"))].filter(
        (code) => typeof code === "string",
      ),
      message: String(at(body, "message") ?? at(listed[0], "message") ?? ""),
    };
  };
}
