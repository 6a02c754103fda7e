/** A file that came with a request, beside its document: only the service itself can hand one over. */
import { GraphQLError } from "graphql";

import { builder } from "./builder.ts";
import { UploadedFile } from "./uploaded-file.ts";

function refuse(): never {
  throw new GraphQLError("An Upload cannot be written down; a route that takes a body of its own hands it over.");
}

export const Upload = builder.scalarType("Upload", {
  description:
    "The body of a REST request that is one document, such as that of `POST /api/v1/lineage/impact/manifest`. No value of " +
    "it can be written down.",
  parseValue: (value) => (value instanceof UploadedFile ? value : refuse()),
  parseLiteral: refuse,
  serialize: refuse,
});
