/** Reads the indexes and constraints from `schema/memgraph.cypher`. */
import { readFile } from "node:fs/promises";

const FILE = new URL("../../../schema/memgraph.cypher", import.meta.url);

/** The statements of the schema in their order, without comments. */
export async function readSchema(): Promise<string[]> {
  return splitStatements(await readFile(FILE, "utf8"));
}

/** Splits Cypher into statements. Comments must fill whole lines, and texts must not contain a semicolon. */
export function splitStatements(cypher: string): string[] {
  const lines = cypher.split("\n").filter((line) => !line.trimStart().startsWith("//"));
  return lines
    .join("\n")
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}
