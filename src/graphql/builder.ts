/** The schema builder, the scalars, and the rule that every root field names what it needs. */
import SchemaBuilder from "@pothos/core";
import ComplexityPlugin from "@pothos/plugin-complexity";
import {
  DateTimeResolver,
  EmailAddressResolver,
  JSONObjectResolver,
  NonNegativeIntResolver,
  URLResolver,
} from "graphql-scalars";

import type { Requirement } from "../auth/permissions.ts";
import type { GraphqlContext } from "./context.ts";
import type { UploadedFile } from "./uploaded-file.ts";

interface SchemaTypes {
  Context: GraphqlContext;
  DefaultFieldNullability: false;
  Scalars: {
    DateTime: { Input: Date; Output: Date | string };
    EmailAddress: { Input: string; Output: string };
    ID: { Input: string; Output: string };
    JSONObject: { Input: Record<string, unknown>; Output: Record<string, unknown> };
    NonNegativeInt: { Input: number; Output: number };
    URL: { Input: URL; Output: string };
    Upload: { Input: UploadedFile; Output: never };
  };
}

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [ComplexityPlugin],
  defaultFieldNullability: false,
  // The cost is worked out before execution (see limits.ts), not once more in every root field.
  complexity: { disabled: true, defaultComplexity: 1, defaultListMultiplier: 1 },
});

builder.addScalarType("DateTime", DateTimeResolver);
builder.addScalarType("EmailAddress", EmailAddressResolver);
builder.addScalarType("JSONObject", JSONObjectResolver);
builder.addScalarType("NonNegativeInt", NonNegativeIntResolver);
builder.addScalarType("URL", URLResolver);

builder.queryType({ description: "Everything that can be read, all within the token's own workspace." });
builder.subscriptionType({ description: "Everything that can be followed as it goes on." });
builder.mutationType({ description: "Everything that can be changed or set going." });

/** Marks a root field with what it needs; `authorize.ts` refuses a schema with an unmarked one. */
export function requires(requirement: Requirement): { requires: Requirement } {
  return { requires: requirement };
}
