/** Refusals of a GraphQL request before any part of it runs. */
import { GraphQLError } from "graphql";

import { shortenMessage } from "../characters.ts";
import { HTTP_STATUS } from "../errors.ts";
import { toGraphqlCode } from "./errors.ts";

/** Makes an error about the request, with a message of bounded length. It is answered with status 400. */
export function refuse(message: string, nodes: GraphQLError["nodes"] = undefined): GraphQLError {
  return new GraphQLError(shortenMessage(message), {
    nodes: nodes ?? null,
    extensions: { code: toGraphqlCode("bad_request"), http: { status: HTTP_STATUS.bad_request } },
  });
}
