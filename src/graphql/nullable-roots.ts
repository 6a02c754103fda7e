/** A root field that fails becomes null, and the other root fields keep their answers. */
import { getNullableType, type GraphQLSchema } from "graphql";

/** Makes every root field nullable, so that the error of one does not remove the answers of the others. */
export function letRootFieldsBeNull(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) field.type = getNullableType(field.type);
  }
  return schema;
}
