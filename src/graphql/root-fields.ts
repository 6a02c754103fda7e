/** Finds the fields at the root of an operation. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";

type Variables = Readonly<Record<string, unknown>>;

/** Lists them after fragments and `@skip`/`@include` are applied. Fields that merge into one key are all listed. */
export function listRootFields(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  given: Variables,
): FieldNode[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const variables = { ...defaultsOf(operation), ...given };
  const fields: FieldNode[] = [];
  const spread = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (isLeftOut(selection, variables)) continue;
      if (selection.kind === Kind.FIELD) fields.push(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return fields;
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
