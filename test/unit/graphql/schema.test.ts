import { getNamedType, isEnumType, isInputObjectType, isInterfaceType, isNonNullType, isObjectType } from "graphql";
import { describe, expect, it } from "vitest";

import { schema } from "../../../src/graphql/schema.ts";

const ownTypes = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith("__"));
const rootFields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
  Object.values(type?.getFields() ?? {}).map((field) => ({ name: `${type?.name}.${field.name}`, field })),
);

describe("The GraphQL schema", () => {
  it("The schema describes every type, field, argument, input field and enum value", () => {
    const silent: string[] = [];
    const note = (name: string, description: string | null | undefined) => description || silent.push(name);
    for (const type of ownTypes) {
      note(type.name, type.description);
      if (isEnumType(type)) for (const value of type.getValues()) note(`${type.name}.${value.name}`, value.description);
      if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        note(`${type.name}.${field.name}`, field.description);
        if (!("args" in field)) continue;
        for (const arg of field.args) note(`${type.name}.${field.name}(${arg.name})`, arg.description);
      }
    }
    expect(silent).toEqual([]);
  });

  it("Every root field except health requires a permission", () => {
    const open = rootFields.filter(({ field }) => field.extensions["requires"] === "nothing").map(({ name }) => name);
    expect(open).toEqual(["Query.health"]);
  });

  it("Every root field is nullable, so that one failing field leaves the other answers", () => {
    expect(rootFields.filter(({ field }) => isNonNullType(field.type)).map(({ name }) => name)).toEqual([]);
  });

  it("Every mutation has one input and its own payload type", () => {
    for (const [name, { args, type }] of Object.entries(schema.getMutationType()?.getFields() ?? {})) {
      const Name = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
      const wanted = name === "revokeAllTokens" ? [] : [`input: ${Name}Input!`];
      expect([name, args.map((arg) => `${arg.name}: ${String(arg.type)}`)]).toEqual([name, wanted]);
      expect(String(type)).toBe(`${Name}Payload`);
    }
  });

  it("Every mutation requires more than the read scope", () => {
    const mutations = rootFields.filter(({ name }) => name.startsWith("Mutation."));
    expect(mutations.length).toBeGreaterThan(0);
    const more = ["self", "write", "api:manage", "metrics:certify", "admin"];
    for (const { field } of mutations) expect(more).toContain(field.extensions["requires"]);
  });

  it("Enum values are lower case, and those that OpenLineage defines are upper case as there", () => {
    for (const type of ownTypes.filter(isEnumType)) {
      const shape = ["UseKind", "Transformation", "EvidenceKind", "CauseEvidence"].includes(type.name)
        ? /^[A-Z]+(_[A-Z]+)*$/
        : /^[a-z]+(_[a-z]+)*$/;
      for (const { name } of type.getValues()) expect(name).toMatch(shape);
    }
  });

  it("No list is nullable or contains nulls, except the list of nodes by ids or names", () => {
    const loose: string[] = [];
    for (const type of ownTypes.filter(isObjectType)) {
      for (const field of Object.values(type.getFields())) {
        const text = String(field.type);
        // A root field that fails is null, and the other root fields keep their answers.
        const isWhole = type.name === "Query" ? /\[\w+!\]$/ : /\[\w+!\]!$/;
        if (text.includes("[") && !isWhole.test(text)) loose.push(`${type.name}.${field.name}: ${text}`);
      }
    }
    expect(loose).toEqual(["Query.nodes: [Node]", "Query.nodesByFqn: [CatalogNode]"]);
    expect(getNamedType(schema.getQueryType()?.getFields()["assets"]?.type)?.name).toBe("AssetConnection");
  });
});
