/** The operations of schema/operations, which the REST routes are made of, and of schema/tools, which the agent's model is given. */
import { readdirSync, readFileSync } from "node:fs";

import { concatAST, type DocumentNode, parse, separateOperations, Source } from "graphql";

const FOLDERS = ["operations", "tools"].map((name) => new URL(`../../schema/${name}/`, import.meta.url));

/** Every operation by its own name, with the fragments that it spreads and no others; they are shared by all files. */
export function loadOperations(): ReadonlyMap<string, DocumentNode> {
  const documents = FOLDERS.flatMap((folder) => {
    const files = readdirSync(folder).filter((file) => file.endsWith(".graphql"));
    return files.map((file) => parse(new Source(readFileSync(new URL(file, folder), "utf8"), file)));
  });
  return new Map(Object.entries(separateOperations(concatAST(documents))));
}
