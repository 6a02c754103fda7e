/** How many units of the rate limit a GraphQL request takes: one for each response key at its root. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";

import type { Documents } from "./documents.ts";

type Variables = Readonly<Record<string, unknown>>;

/**
 * Counts the response keys at the root of the chosen operation, after fragments and `@skip`/`@include` are applied.
 * `__typename` counts too. Fields that merge into one key count once.
 * @param params the request's parsed JSON, which may be any value
 * @returns at least 1, also for a request that cannot be read or chooses no operation
 */
export function countRootUnits(params: unknown, documents: Pick<Documents, "parse">): number {
  const { query, operationName, variables } = isRecord(params) ? params : {};
  const document = findDocument(query, documents);
  // An empty name counts as no name.
  const name = typeof operationName === "string" && operationName !== "" ? operationName : null;
  const operation = document && getOperationAST(document, name);
  if (!document || !operation) return 1;
  return Math.max(1, countKeys(document, operation, isRecord(variables) ? variables : {}));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function findDocument(query: unknown, documents: Pick<Documents, "parse">): DocumentNode | null {
  try {
    return typeof query === "string" ? documents.parse(query) : null;
  } catch {
    return null;
  }
}

function countKeys(document: DocumentNode, operation: OperationDefinitionNode, given: Variables): number {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const variables = { ...defaultsOf(operation), ...given };
  const keys = new Set<string>();
  const spread = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (isLeftOut(selection, variables)) continue;
      if (selection.kind === Kind.FIELD) keys.add((selection.alias ?? selection.name).value);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return keys.size;
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    variableDefinitions.map(({ variable, defaultValue }) => [variable.name.value, valueOf(defaultValue, {})]),
  );
}

/** A condition that is neither true nor false leaves nothing out. So no more fields run than are counted here. */
function isLeftOut({ directives = [] }: SelectionNode, variables: Variables): boolean {
  return directives.some(({ name, arguments: given = [] }) => {
    const condition = valueOf(given.find((argument) => argument.name.value === "if")?.value, variables);
    return (name.value === "skip" && condition === true) || (name.value === "include" && condition === false);
  });
}

function valueOf(node: ValueNode | undefined, variables: Variables): unknown {
  if (node?.kind === Kind.BOOLEAN) return node.value;
  return node?.kind === Kind.VARIABLE && Object.hasOwn(variables, node.name.value)
    ? variables[node.name.value]
    : undefined;
}
