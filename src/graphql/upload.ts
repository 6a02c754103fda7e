/** A file that came with a request, as its body or in a form. */
import { GraphQLError } from "graphql";

import { type SourceFile, textAsFile } from "../connectors/source-file.ts";
import { badField } from "../errors.ts";
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

/**
 * A file that may be given as a text instead.
 * @param name of the argument that takes the text
 * @throws AppError `bad_request` if it is given both as a text and as a file
 */
export function toGivenFile(
  name: string,
  text: string | null | undefined,
  file: SourceFile | undefined,
): SourceFile | undefined {
  if (typeof text !== "string") return file;
  if (file !== undefined) throw badField(name, `must not be given as a text beside ${name}.json as a file`);
  return textAsFile(`the argument ${name}`, text);
}
