/**
 * Random operations, made from a schema and a seed. Most are valid, because invalid ones end early. The same schema,
 * ids and seed make the same operation.
 */
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from "graphql";

import { pick } from "../attacks/attack.ts";
import { chance, type Chooser, makeValue, printValue, upTo } from "./values.ts";

const MAX_DEPTH = 9;
/** The most that the service accepts. */
const MAX_ALIASES = 28;
/** Fields of one document, so that most documents stay below the service's limits. */
const MAX_FIELDS = 150;

export interface FuzzedOperation {
  query: string;
  variables: unknown;
}

interface Draft extends Chooser {
  schema: GraphQLSchema;
  aliases: number;
  fields: number;
  declared: string[];
  variables: Record<string, unknown>;
  fragments: string[];
}

export function makeOperation(schema: GraphQLSchema, chooser: Chooser): FuzzedOperation {
  const draft: Draft = { ...chooser, schema, aliases: 0, fields: 0, declared: [], variables: {}, fragments: [] };
  const isMutation = chance(draft, 0.08);
  const root = isMutation ? schema.getMutationType() : schema.getQueryType();
  if (!root) throw new Error("the schema has no such root");
  const depth = 2 + upTo(draft, MAX_DEPTH - 2);
  const selections = Array.from({ length: 1 + upTo(draft, chance(draft, 0.2) ? 12 : 2) }, () =>
    printField(draft, pick(Object.values(root.getFields()), draft.random), depth, true),
  );
  if (chance(draft, 0.02)) selections.push("...Loop");
  if (chance(draft, 0.01)) draft.fragments.push(`fragment Loop on ${root.name} { ...Loop }`);
  const declared = draft.declared.length === 0 ? "" : `(${draft.declared.join(" ")})`;
  const kind = chance(draft, 0.005) ? "subscription" : isMutation ? "mutation" : "query";
  const query = `${kind} Q${declared} { ${selections.join(" ")} } ${draft.fragments.join(" ")}`;
  return { query, variables: spoil(draft) };
}

/** The variables, or sometimes another value instead. */
function spoil(draft: Draft): unknown {
  if (!chance(draft, 0.04)) return draft.variables;
  return pick([undefined, null, [], "text", 7, {}, { ...draft.variables, more: 1 }], draft.random);
}

type AnyField = GraphQLField<unknown, unknown>;

function printField(draft: Draft, field: AnyField, depth: number, mustAlias = false): string {
  draft.fields++;
  const type = getNamedType(field.type);
  // Two fields of one name have to have the same arguments, and names within one set are chosen once.
  const aliased = draft.aliases < MAX_ALIASES && (mustAlias || chance(draft, 0.1));
  const alias = aliased ? `x${draft.aliases++}: ` : "";
  const below = isCompositeType(type) ? ` ${printSelections(draft, type, depth - 1)}` : "";
  return `${alias}${field.name}${printArguments(draft, field.args)}${printDirective(draft)}${below}`;
}

function printArguments(draft: Draft, args: readonly GraphQLArgument[]): string {
  const given = args.filter(({ type, defaultValue }) => {
    return (isNonNullType(type) && defaultValue === undefined) || chance(draft, 0.45);
  });
  if (given.length === 0) return "";
  const printed = given.map((arg) => {
    const value = makeValue(draft, arg.type);
    if (!chance(draft, 0.35)) return `${arg.name}: ${printValue(value, arg.type)}`;
    const name = `v${draft.declared.length}`;
    draft.declared.push(`$${name}: ${chance(draft, 0.02) ? "String" : String(arg.type)}`);
    draft.variables[name] = value;
    return `${arg.name}: $${name}`;
  });
  return `(${printed.join(" ")})`;
}

function printDirective(draft: Draft): string {
  if (!chance(draft, 0.05)) return "";
  if (chance(draft, 0.03)) return " @unknown";
  const name = pick(["skip", "include"], draft.random);
  if (chance(draft, 0.6)) return ` @${name}(if: ${chance(draft, 0.5)})`;
  const variable = `v${draft.declared.length}`;
  draft.declared.push(`$${variable}: Boolean!`);
  draft.variables[variable] = chance(draft, 0.97) ? chance(draft, 0.5) : null;
  return ` @${name}(if: $${variable})`;
}

function printSelections(draft: Draft, type: GraphQLNamedType, depth: number): string {
  const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
  const leaves = fields.filter((field) => !isCompositeType(getNamedType(field.type)));
  const branches = fields.filter((field) => isCompositeType(getNamedType(field.type)));
  const chosen: string[] = ["__typename"];
  if (!chance(draft, 0.1)) chosen.push(...some(draft, leaves, 4).map((field) => printField(draft, field, depth)));
  const canBranch = depth > 0 && draft.fields < MAX_FIELDS;
  if (canBranch) chosen.push(...some(draft, branches, 2).map((field) => printField(draft, field, depth)));
  if (canBranch && isAbstractType(type) && chance(draft, 0.5)) {
    const possible = pick(draft.schema.getPossibleTypes(type), draft.random);
    chosen.push(`... on ${possible.name} ${printSelections(draft, possible, depth - 1)}`);
  }
  const text = `{ ${chosen.join(" ")} }`;
  if (!canBranch || !chance(draft, 0.12)) return text;
  const name = `F${draft.fragments.length}`;
  draft.fragments.push(`fragment ${name} on ${type.name} ${text}`);
  return chance(draft, 0.5) ? `{ ...${name} }` : `{ ...${name} ... on ${type.name} { ...${name} } }`;
}

/** Some of the fields, each once, in random order. */
function some(draft: Draft, fields: readonly AnyField[], most: number): AnyField[] {
  const left = [...fields];
  const taken: AnyField[] = [];
  for (let count = upTo(draft, most); count > 0 && left.length > 0; count--) {
    taken.push(...left.splice(upTo(draft, left.length - 1), 1));
  }
  return taken;
}
