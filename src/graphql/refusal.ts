/** Refusals of a GraphQL request before anything of it runs. */
import { GraphQLError } from "graphql";

import { shortenMessage } from "../characters.ts";
import { HTTP_STATUS } from "../errors.ts";
import { toGraphqlCode } from "./errors.ts";

/** An error about the request, of a bounded length, which is answered with status 400. */
export function refuse(message: string, nodes: GraphQLError["nodes"] = undefined): GraphQLError {
  return new GraphQLError(shortenMessage(message), {
    nodes: nodes ?? null,
    extensions: { code: toGraphqlCode("bad_request"), http: { status: HTTP_STATUS.bad_request } },
  });
}
