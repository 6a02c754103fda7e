/** A file that came with a request, as its body or in a form. */
import { GraphQLError } from "graphql";

import { builder } from "./builder.ts";
import { UploadedFile } from "./uploaded-file.ts";

function refuse(): never {
  throw new GraphQLError(
    "An Upload cannot be written in a document or a variable. Send the file in a form, by the GraphQL multipart request specification, or to the REST route that takes it as its body.",
  );
}

export const Upload = builder.scalarType("Upload", {
  description:
    "A file: the body of a REST request, such as that of `POST /api/v1/lineage/impact/manifest`, or a part of a form, by the " +
    "GraphQL multipart request specification. It cannot be written in a document or a variable.",
  parseValue: (value) => (value instanceof UploadedFile ? value : refuse()),
  parseLiteral: refuse,
  serialize: refuse,
});
