/** `/graphql`: queries, and the editor for them. */
import { z } from "zod";

import { type Endpoint, errorBody } from "../endpoint.ts";
import { GRAPHQL_PATH } from "../paths.ts";

const nullable = (description: string) => z.looseObject({}).nullable().meta({ description });

export const GRAPHQL_ENDPOINTS = {
  openGraphiql: {
    method: "GET",
    path: GRAPHQL_PATH,
    tag: "GraphQL",
    summary: "Open GraphiQL",
    description: "An editor for queries, for browsers. A query by `GET` is answered 405.",
    access: "public",
    answers: { 200: { description: "OK.", schema: z.string(), type: "text/html" } },
  },
  queryGraphql: {
    method: "POST",
    path: GRAPHQL_PATH,
    tag: "GraphQL",
    summary: "Ask by GraphQL",
    description:
      "Runs one operation. Its root fields say which scope each needs. Errors of the query are in `errors`, as GraphQL " +
      "has them. An error of the guard, such as a missing token, has the one error body.",
    access: "token",
    body: {
      schema: z.object({
        query: z.string().meta({ description: "The document." }),
        operationName: z.string().nullish().meta({ description: "Which of its operations to run." }),
        variables: nullable("The values of its variables.").optional(),
      }),
      example: { query: "{ assets(first: 5) { nodes { fqn } } }" },
    },
    answers: {
      200: {
        description: "The answer of the operation, and its errors.",
        schema: z.object({
          data: nullable("Null, or as the query asks.").optional(),
          errors: z.array(z.looseObject({})).optional(),
        }),
        example: { data: { assets: { nodes: [{ fqn: "shop.marts.fct_orders" }] } } },
      },
      400: {
        description: "The operation is faulty: GraphQL's `errors`. Or the request is: the one error body.",
        schema: z.union([z.object({ errors: z.array(z.looseObject({ message: z.string() })) }), errorBody]),
      },
    },
  },
} as const satisfies Record<string, Endpoint>;
