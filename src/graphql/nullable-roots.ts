/** A root field that fails is null, and the other root fields keep their answers. */
import { getNullableType, type GraphQLSchema } from "graphql";

/** Lets every root field be null, so that the error of one never takes the answers of the others with it. */
export function letRootFieldsBeNull(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) field.type = getNullableType(field.type);
  }
  return schema;
}
