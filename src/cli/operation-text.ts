/** Operations as text. A command that asks a service elsewhere starts faster if it loads no parser of GraphQL. */
import { readdirSync, readFileSync } from "node:fs";

/** Each definition begins and ends at the beginning of a line. */
const DEFINITION = /^(?:query|mutation|fragment) (\w+)[^]*?^\}/gm;
const SPREAD = /\.\.\.(\w+)/g;

/** @returns finds an operation of `schema/commands` or `schema/tools` by its name, with the fragments that it uses */
export function readOperationTexts(): (name: string) => string {
  const definitions = new Map<string, string>();
  for (const part of ["commands", "tools"]) {
    const folder = new URL(`../../schema/${part}/`, import.meta.url);
    for (const file of readdirSync(folder)) {
      for (const [text, defined = ""] of readFileSync(new URL(file, folder), "utf8").matchAll(DEFINITION))
        definitions.set(defined, text);
    }
  }
  return (name) => {
    // A set visits what is added to it on the way.
    const names = new Set([name]);
    const texts: string[] = [];
    for (const each of names) {
      const text = definitions.get(each);
      if (text === undefined) throw new Error(`there is no definition ${each} in schema/commands or schema/tools`);
      texts.push(text);
      for (const [, fragment = ""] of text.matchAll(SPREAD)) if (fragment !== "on") names.add(fragment);
    }
    return texts.join("\n");
  };
}
