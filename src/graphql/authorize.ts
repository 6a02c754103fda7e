/** Checks what a token may do. Only root fields are checked, and only here. */
import { defaultFieldResolver, type GraphQLField, type GraphQLFieldResolver, type GraphQLSchema } from "graphql";

import { requirePermission, type Requirement } from "../auth/permissions.ts";
import type { RefusalTrail } from "../auth/refusals.ts";
import { getPrincipal, type GraphqlContext, type RequestScope } from "./context.ts";

function guard(
  requirement: Requirement,
  resolve: GraphQLFieldResolver<unknown, GraphqlContext>,
): GraphQLFieldResolver<unknown, GraphqlContext> {
  if (requirement === "nothing") return resolve;
  return async (root, args, context, info) => {
    await authorize(context, requirement, context.services.refusals);
    return resolve(root, args, context, info);
  };
}

/** @throws AppError `forbidden` if the token may not do this; the audit trail then notes the refusal */
export async function authorize(scope: RequestScope, requirement: Requirement, refusals: RefusalTrail): Promise<void> {
  const principal = getPrincipal(scope);
  try {
    requirePermission(principal, requirement);
  } catch (refusal) {
    await refusals.noteRefusal(principal, requirement, scope.source);
    throw refusal;
  }
}

/**
 * Returns the permission that a root field names.
 * @throws Error if it names none
 */
export function requirementOf({ name, extensions }: GraphQLField<unknown, unknown>): Requirement {
  const requirement = extensions["requires"] as Requirement | undefined;
  if (requirement === undefined) throw new Error(`The root field ${name} does not say what it requires.`);
  return requirement;
}

/**
 * Makes every root field check the permission that it names.
 * @throws Error at start, if a root field names none
 */
export function authorizeRootFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      const requirement = requirementOf(field);
      field.resolve = guard(requirement, field.resolve ?? defaultFieldResolver);
      if (field.subscribe !== undefined) field.subscribe = guard(requirement, field.subscribe);
    }
  }
  return schema;
}
