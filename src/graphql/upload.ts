/** A file that came with a REST request. Only the service itself can pass one to a document. */
import { GraphQLError } from "graphql";

import { builder } from "./builder.ts";
import { UploadedFile } from "./uploaded-file.ts";

function refuse(): never {
  throw new GraphQLError(
    "An Upload cannot be written in a document or a variable. Only a REST route with a file as its body can pass one.",
  );
}

export const Upload = builder.scalarType("Upload", {
  description:
    "A file that is the body of a REST request, such as that of `POST /api/v1/lineage/impact/manifest`. It cannot be written " +
    "in a document or a variable.",
  parseValue: (value) => (value instanceof UploadedFile ? value : refuse()),
  parseLiteral: refuse,
  serialize: refuse,
});
