/** `asOf`: the time that a query asks about. REST calls it `as_of`. */
import { type DocumentNode, type FieldNode, type OperationDefinitionNode, valueFromASTUntyped } from "graphql";

import { badField } from "../errors.ts";
import { readerAt } from "../graph/history/reader-at.ts";
import { builder } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";
import { parseMoment } from "../catalog/time-span.ts";
import { listRootFields } from "./root-fields.ts";

/** The description of the argument in both APIs. */
export const AS_OF_DESCRIPTION =
  "Answers as the catalog was at this time, by the rules of today: a time in ISO 8601 with its offset, such as " +
  "`2026-05-31T08:30:00Z`, or a date, which means its end in UTC. Today's date means now.";

/** The argument of the root fields that can be asked about an earlier time. */
export const asOfArgs = builder.args((t) => ({
  asOf: t.string({
    description: `${AS_OF_DESCRIPTION} All root fields of the operation must name the same time. The present if left out.`,
  }),
}));

/**
 * Lets an operation read the graph as of the time that its root fields name. Root fields start together, so this must
 * come before any of them.
 * @param variables without a fault
 * @throws AppError `bad_request` for a malformed time, one in the future, and times that differ
 */
export function readAsOf(
  context: GraphqlContext,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): void {
  const asked = listRootFields(document, operation, variables)
    .filter(({ name }) => !name.value.startsWith("__"))
    .map((field) => findText(field, operation, variables));
  if (asked.every((text) => text === null)) return;
  const now = context.services.auth.clock.now();
  const times = new Set(asked.map((text) => (text === null ? null : parseMoment("asOf", text, now))));
  const [asOf, ...others] = times;
  if (asOf === undefined || asOf === null || others.length > 0) {
    throw badField("asOf", "must be the same time for all root fields of an operation");
  }
  context.asOf = asOf;
  context.graph = readerAt(context.graph, asOf);
}

/** Null if the field asks about the present. */
function findText(
  { arguments: given = [] }: FieldNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): string | null {
  const argument = given.find(({ name }) => name.value === "asOf");
  if (argument === undefined) return null;
  const defaults = variableDefinitions.map(({ variable, defaultValue }) => {
    return [variable.name.value, defaultValue && valueFromASTUntyped(defaultValue)] as const;
  });
  const value = valueFromASTUntyped(argument.value, { ...Object.fromEntries(defaults), ...variables });
  return typeof value === "string" ? value : null;
}
