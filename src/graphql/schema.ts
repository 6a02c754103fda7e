/** The schema, put together from one file a noun. */
import { type GraphQLSchema, lexicographicSortSchema, printSchema } from "graphql";

import "./access-token.ts";
import "./agent.ts";
import "./api-key.ts";
import "./asset.ts";
import "./audit.ts";
import "./certification.ts";
import "./change-set.ts";
import "./connector.ts";
import "./connector-changes.ts";
import "./connector-types.ts";
import "./curation.ts";
import "./health.ts";
import "./impact.ts";
import "./lineage.ts";
import "./metric.ts";
import "./metric-definition.ts";
import "./node.ts";
import "./node-by-id.ts";
import "./security-settings.ts";
import "./service-account.ts";
import "./sql-uses.ts";
import "./sync.ts";
import "./sync-progress.ts";
import "./user.ts";
import "./viewer.ts";
import "./workspace.ts";
import { authorizeRootFields } from "./authorize.ts";
import { builder } from "./builder.ts";
import { chargeLists } from "./charge-lists.ts";
import { letRootFieldsBeNull } from "./nullable-roots.ts";

/** The executable schema: every root field is guarded and may be null, every list is charged. */
export const schema: GraphQLSchema = letRootFieldsBeNull(authorizeRootFields(chargeLists(builder.toSchema())));

/** The schema in SDL, in a fixed order; what schema/schema.graphql holds. */
export function printSchemaText(): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
