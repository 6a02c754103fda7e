import { buildSchema, getOperationAST, parse } from "graphql";
import { expect, it } from "vitest";

import { fillDefaults } from "../../../src/graphql/variables.ts";

const schema = buildSchema(`
  input Schedule { cron: String! zone: String! = "UTC" }
  input Add { name: String! test: Boolean! = true note: String schedules: [Schedule!] }
  type Query { add(input: Add, id: ID): Boolean }
`);
const operation = getOperationAST(parse("query ($input: Add, $id: ID) { add(input: $input, id: $id) }"));

it.each([
  [
    { input: { name: "a" }, id: "1" },
    { input: { name: "a", test: true }, id: "1" },
  ],
  [{ input: { name: "a", test: false, note: null } }, { input: { name: "a", test: false, note: null } }],
  [{ input: { name: "a", test: undefined } }, { input: { name: "a", test: true } }],
  [
    { input: { name: "a", schedules: [{ cron: "0 * * * *" }] } },
    { input: { name: "a", test: true, schedules: [{ cron: "0 * * * *", zone: "UTC" }] } },
  ],
  [{ input: null }, { input: null }],
  [{}, {}],
])("The variables %j get the defaults of absent fields of their inputs", (given, filled) => {
  if (!operation) throw new Error("no operation");
  expect(fillDefaults(schema, operation, given)).toEqual(filled);
});
