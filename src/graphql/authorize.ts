/** Authorisation stands at the root fields, in this one place, and nowhere deeper. */
import { defaultFieldResolver, type GraphQLField, type GraphQLFieldResolver, type GraphQLSchema } from "graphql";

import { requirePermission, type Requirement } from "../auth/permissions.ts";
import { getPrincipal, type GraphqlContext } from "./context.ts";

function guard(
  requirement: Requirement,
  resolve: GraphQLFieldResolver<unknown, GraphqlContext>,
): GraphQLFieldResolver<unknown, GraphqlContext> {
  if (requirement === "nothing") return resolve;
  return (root, args, context, info) => {
    requirePermission(getPrincipal(context), requirement);
    return resolve(root, args, context, info);
  };
}

/**
 * What a root field says that it needs.
 * @throws Error when it says nothing
 */
export function requirementOf({ name, extensions }: GraphQLField<unknown, unknown>): Requirement {
  const requirement = extensions["requires"] as Requirement | undefined;
  if (requirement === undefined) throw new Error(`The root field ${name} does not say what it requires.`);
  return requirement;
}

/**
 * Guards every root field by what it says it needs.
 * @throws Error at start, when a root field says nothing
 */
export function authorizeRootFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      field.resolve = guard(requirementOf(field), field.resolve ?? defaultFieldResolver);
    }
  }
  return schema;
}
