/**
 * The operations that the service itself sends: `schema/operations` for the REST routes, `schema/tools` for the tools and the
 * agent, and `schema/commands` for the command line.
 */
import { readdirSync, readFileSync } from "node:fs";

import type { DocumentNode } from "graphql";
// Commands start faster without the rest of the package.
import { parse } from "graphql/language/parser.js";
import { Source } from "graphql/language/source.js";
import { concatAST } from "graphql/utilities/concatAST.js";
import { separateOperations } from "graphql/utilities/separateOperations.js";

type Folder = "operations" | "tools" | "commands";

/** Those of the REST routes, the tools and the agent, once they have been read. */
let ofService: ReadonlyMap<string, DocumentNode> | undefined;

/** The operations of the REST routes, the tools and the agent, by their names. They are read once. */
export function loadOperations(): ReadonlyMap<string, DocumentNode> {
  return (ofService ??= readOperations(["operations", "tools"]));
}

/** Every operation by its name, with only the fragments that it uses. The folders share their fragments. */
export function readOperations(folders: readonly Folder[]): ReadonlyMap<string, DocumentNode> {
  const documents = folders.flatMap((name) => {
    const folder = new URL(`../../schema/${name}/`, import.meta.url);
    const files = readdirSync(folder).filter((file) => file.endsWith(".graphql"));
    return files.map((file) => parse(new Source(readFileSync(new URL(file, folder), "utf8"), file)));
  });
  return new Map(Object.entries(separateOperations(concatAST(documents))));
}
