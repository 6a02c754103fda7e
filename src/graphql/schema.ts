/** The schema, built from one file for each noun. */
import { getNullableType, type GraphQLSchema, lexicographicSortSchema, printSchema } from "graphql";

import "./access-token.ts";
import "./agent.ts";
import "./api-key.ts";
import "./asset.ts";
import "./audit.ts";
import "./causes.ts";
import "./certification.ts";
import "./change-set.ts";
import "./changes.ts";
import "./connector.ts";
import "./connector-changes.ts";
import "./connector-types.ts";
import "./curation.ts";
import "./folder.ts";
import "./health.ts";
import "./identity.ts";
import "./impact.ts";
import "./lineage.ts";
import "./lineage-diff.ts";
import "./lineage-events.ts";
import "./metadata-proposals.ts";
import "./metric.ts";
import "./metric-definition.ts";
import "./my-lists.ts";
import "./my-notices.ts";
import "./notice.ts";
import "./notice-rule.ts";
import "./node.ts";
import "./node-by-id.ts";
import "./person-login.ts";
import "./security-settings.ts";
import "./service-account.ts";
import "./session.ts";
import "./sql-uses.ts";
import "./sync.ts";
import "./sync-progress.ts";
import "./user.ts";
import "./viewer.ts";
import "./workspace.ts";
import { authorizeRootFields } from "./authorize.ts";
import { builder } from "./builder.ts";
import { chargeLists } from "./charge-lists.ts";

/** Makes every root field nullable, so that the error of one does not remove the answers of the others. */
function letRootFieldsBeNull(built: GraphQLSchema): GraphQLSchema {
  for (const type of [built.getQueryType(), built.getMutationType(), built.getSubscriptionType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) field.type = getNullableType(field.type);
  }
  return built;
}

/** The executable schema: every root field checks permissions and may be null, and every list is charged. */
export const schema: GraphQLSchema = letRootFieldsBeNull(authorizeRootFields(chargeLists(builder.toSchema())));

/** Returns the schema as SDL in a fixed order, as in schema/schema.graphql. */
export function printSchemaText(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
