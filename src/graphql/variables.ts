/** Checks the variables of a request against the types that its operation declares. */
import {
  coerceInputValue,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
} from "graphql";

import { refuse } from "./refusal.ts";

type Variables = Readonly<Record<string, unknown>>;

/**
 * Finds the first fault; null if all variables fit. Then execution finds no fault either.
 *
 * Execution would collect a fault for each wrong key and item, each with the whole value as text. The time and memory for
 * that grow with the square of the request's size.
 */
export function findVariableFault(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Variables,
): GraphQLError | null {
  for (const { variable, type, defaultValue } of variableDefinitions) {
    const name = variable.name.value;
    // graphql-js keeps the values in a plain object, where this name is the prototype.
    if (name === "__proto__") return refuse("No variable can be called __proto__.", [variable]);
    const inputType = typeFromAST(schema, type);
    // Validation reports an unknown type.
    if (!isInputType(inputType)) continue;
    const isGiven = Object.hasOwn(given, name);
    if (!isGiven && (defaultValue !== undefined || !isNonNullType(inputType))) continue;
    const fault = isGiven
      ? findFault(name, given[name], inputType)
      : `of required type "${inputType}" was not provided.`;
    if (fault !== null) return refuse(`Variable "$${name}" ${fault}`, [variable]);
  }
  return null;
}

/**
 * Adds the defaults of input fields that are not given and may not be null. graphql-jit would refuse their absence.
 * A variable that is undefined is not given: graphql-jit would take it for null.
 * @param given variables without a fault
 */
export function fillDefaults(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  given: Variables,
): Variables {
  const filled = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  for (const { variable, type } of variableDefinitions) {
    const inputType = typeFromAST(schema, type);
    const { value: name } = variable.name;
    if (isInputType(inputType) && Object.hasOwn(filled, name)) filled[name] = fillIn(given[name], inputType);
  }
  return filled;
}

function fillIn(value: unknown, type: GraphQLInputType): unknown {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner) && Array.isArray(value)) return value.map((item) => fillIn(item, inner.ofType));
  if (!isInputObjectType(inner) || typeof value !== "object" || value === null) return value;
  const given = new Map<string, unknown>(Object.entries(value));
  const fields = Object.values(inner.getFields()).flatMap((field) => {
    if (given.get(field.name) !== undefined) return [[field.name, fillIn(given.get(field.name), field.type)]];
    return isNonNullType(field.type) ? [[field.name, field.defaultValue]] : [];
  });
  return Object.fromEntries(fields);
}

/** Longer than the name of any field or enum value. */
const MAX_NAME_LENGTH = 200;

/**
 * Finds a text that is too long to be a name, where a name is needed. graphql-js would look for similar names, which takes
 * a tenth of a second for a megabyte.
 */
function findOverlongName(value: unknown, type: GraphQLInputType): string | null {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      const found = findOverlongName(item, inner.ofType);
      if (found !== null) return found;
    }
  } else if (isEnumType(inner)) {
    if (isOverlong(value))
      return `got an invalid value; a text of ${value.length} characters is not a "${inner.name}".`;
  } else if (isInputObjectType(inner) && typeof value === "object" && value !== null) {
    const fields = inner.getFields();
    for (const [key, item] of Object.entries(value)) {
      if (isOverlong(key)) {
        return `got an invalid value; a name of ${key.length} characters is not defined by type "${inner.name}".`;
      }
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      const found = field === undefined ? null : findOverlongName(item, field.type);
      if (found !== null) return found;
    }
  }
  return null;
}

function isOverlong(value: unknown): value is string {
  return typeof value === "string" && value.length > MAX_NAME_LENGTH;
}

/** Ends the coercion at the first fault. */
class Fault extends Error {}

function findFault(name: string, value: unknown, type: GraphQLInputType): string | null {
  if (value === null && isNonNullType(type)) return `of non-null type "${type}" must not be null.`;
  const overlong = findOverlongName(value, type);
  if (overlong !== null) return overlong;
  try {
    coerceInputValue(value, type, (path, _invalid, error) => {
      const at = path.length === 0 ? "" : ` at "${toPath(name, path)}"`;
      throw new Fault(`got an invalid value${at}; ${error.message}`);
    });
    return null;
  } catch (fault) {
    if (fault instanceof Fault) return fault.message;
    throw fault;
  }
}

function toPath(name: string, path: readonly (string | number)[]): string {
  return path.reduce<string>((text, key) => text + (typeof key === "number" ? `[${key}]` : `.${key}`), name);
}
