/** The schema as a client sees it. */
import { buildClientSchema, getIntrospectionQuery, type GraphQLSchema, type IntrospectionQuery } from "graphql";

/** @throws Error if the service does not show it */
export async function introspect(origin: string, token: string): Promise<GraphQLSchema> {
  const response = await fetch(`${origin}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ query: getIntrospectionQuery() }),
  });
  const { data, errors } = (await response.json()) as { data?: IntrospectionQuery; errors?: unknown };
  if (data === undefined) throw new Error(`the introspection failed: ${JSON.stringify(errors)}`);
  return buildClientSchema(data);
}
