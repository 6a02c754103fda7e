import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { buildSchema, Kind, parse, separateOperations, validate } from "graphql";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const schema = buildSchema(readFileSync(join(ROOT, "schema/schema.graphql"), "utf8"));

const definitions = globSync("src/ui/**/*.{ts,tsx}", { cwd: ROOT }).flatMap((path) => {
  const source = readFileSync(join(ROOT, path), "utf8");
  const texts = Array.from(source.matchAll(/gql\([`"]([^`"]+)[`"]/g), ([, text = ""]) => text);
  const mutations = [...source.matchAll(/ mutation\("(\w+)", "([^"]+)"[,)]/g)].map(([, name = "", fields = ""]) => {
    const capital = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
    return `mutation ${capital}($input: ${capital}Input!) { ${name}(input: $input) { ${fields} } }`;
  });
  return [...texts, ...mutations].flatMap((text) => parse(text).definitions);
});
// Each operation with the fragments that it uses, and no others: there are a hundred of both.
const operations = Object.entries(separateOperations({ kind: Kind.DOCUMENT, definitions }));

it("Every GraphQL document of the workspace UI has its own name", () => {
  const names = definitions.flatMap((each) =>
    each.kind === Kind.OPERATION_DEFINITION ? [each.name?.value ?? ""] : [],
  );
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name, index) => name === "" || names.indexOf(name) !== index)).toEqual([]);
});

// The compiler does not notice a field that no type has, if no code reads it.
it.each(operations)("The document asks only for fields that the schema has: %s", (_name, document) => {
  expect(validate(schema, document).map(({ message }) => message)).toEqual([]);
});
