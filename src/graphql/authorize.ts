/** Authorisation stands at the root fields, in this one place, and nowhere deeper. */
import { defaultFieldResolver, type GraphQLFieldResolver, type GraphQLSchema } from "graphql";

import { requireScope } from "../auth/scopes.ts";
import type { Requirement } from "./builder.ts";
import { getPrincipal, type GraphqlContext } from "./context.ts";

function guard(
  requirement: Requirement,
  resolve: GraphQLFieldResolver<unknown, GraphqlContext>,
): GraphQLFieldResolver<unknown, GraphqlContext> {
  if (requirement === "nothing") return resolve;
  return (root, args, context, info) => {
    requireScope(getPrincipal(context), requirement);
    return resolve(root, args, context, info);
  };
}

/**
 * Guards every root field by what it says it needs.
 * @throws Error at start, when a root field says nothing
 */
export function authorizeRootFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      const requirement = field.extensions["requires"] as Requirement | undefined;
      if (requirement === undefined) throw new Error(`${type?.name}.${field.name} does not say what it requires`);
      field.resolve = guard(requirement, field.resolve ?? defaultFieldResolver);
    }
  }
  return schema;
}
