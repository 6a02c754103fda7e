/**
 * The operations of `schema/operations`, which the REST routes are made of, of `schema/tools`, which the agent's model is given,
 * and of `schema/commands`, which the command line asks.
 */
import { readdirSync, readFileSync } from "node:fs";

import { concatAST, type DocumentNode, parse, separateOperations, Source } from "graphql";

type Folder = "operations" | "tools" | "commands";

/** Every operation by its own name, with the fragments that it spreads and no others; the folders share them. */
export function loadOperations(
  folders: readonly Folder[] = ["operations", "tools"],
): ReadonlyMap<string, DocumentNode> {
  const documents = folders.flatMap((name) => {
    const folder = new URL(`../../schema/${name}/`, import.meta.url);
    const files = readdirSync(folder).filter((file) => file.endsWith(".graphql"));
    return files.map((file) => parse(new Source(readFileSync(new URL(file, folder), "utf8"), file)));
  });
  return new Map(Object.entries(separateOperations(concatAST(documents))));
}
