/** The operations of schema/operations, which the REST routes are made of. */
import { readdirSync, readFileSync } from "node:fs";

import { concatAST, type DocumentNode, parse, separateOperations, Source } from "graphql";

const FOLDER = new URL("../../schema/operations/", import.meta.url);

/** Every operation by its own name, with the fragments that it spreads and no others; they are shared by all files. */
export function loadOperations(): ReadonlyMap<string, DocumentNode> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".graphql"));
  const documents = files.map((file) => parse(new Source(readFileSync(new URL(file, FOLDER), "utf8"), file)));
  return new Map(Object.entries(separateOperations(concatAST(documents))));
}
