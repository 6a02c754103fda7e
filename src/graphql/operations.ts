/**
 * The operations that the service itself sends: `schema/operations` for the REST routes, `schema/tools` for the tools and the
 * agent, and `schema/commands` for the command line.
 */
import { readdirSync, readFileSync } from "node:fs";

import { concatAST, type DocumentNode, parse, separateOperations, Source } from "graphql";

type Folder = "operations" | "tools" | "commands";

/** Every operation by its name, with only the fragments that it uses. The folders share their fragments. */
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
