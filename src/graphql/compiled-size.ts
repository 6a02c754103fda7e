/** Estimates how much code an operation would compile to. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  typeFromAST,
  TypeMetaFieldDef,
} from "graphql";

const INTROSPECTION: Readonly<Record<string, GraphQLField<unknown, unknown>>> = {
  __schema: SchemaMetaFieldDef,
  __type: TypeMetaFieldDef,
};

/**
 * Counts the fields for which graphql-jit writes code. It writes a field once for every path to it, and for every type of an
 * interface. Ten levels of neighbours are thousands of fields; a few hundred characters of fragments can be billions.
 */
export function countCompiledFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): number {
  const fragments = new Map(
    document.definitions
      .filter((it): it is FragmentDefinitionNode => it.kind === Kind.FRAGMENT_DEFINITION)
      .map((it) => [it.name.value, it]),
  );
  const counted = new Map<SelectionSetNode, Map<GraphQLObjectType, number>>();
  const rootType = schema.getRootType(operation.operation);
  return rootType ? ofSelections(operation.selectionSet, rootType) : 0;

  function ofSelections(set: SelectionSetNode, type: GraphQLObjectType): number {
    const byType = counted.get(set) ?? new Map<GraphQLObjectType, number>();
    counted.set(set, byType);
    const known = byType.get(type);
    if (known !== undefined) return known;
    const count = set.selections.reduce((sum, selection) => {
      if (selection.kind === Kind.FIELD) return sum + 1 + below(selection.selectionSet, type, selection.name.value);
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      if (fragment === undefined || !fits(type, fragment.typeCondition)) return sum;
      return sum + ofSelections(fragment.selectionSet, type);
    }, 0);
    byType.set(type, count);
    return count;
  }

  function below(set: SelectionSetNode | undefined, parent: GraphQLObjectType, field: string): number {
    const declared = parent.getFields()[field] ?? INTROSPECTION[field];
    if (set === undefined || declared === undefined) return 0;
    const type = getNamedType(declared.type);
    const types = isAbstractType(type) ? schema.getPossibleTypes(type) : isObjectType(type) ? [type] : [];
    return types.reduce((sum, possible) => sum + ofSelections(set, possible), 0);
  }

  function fits(type: GraphQLObjectType, condition: FragmentDefinitionNode["typeCondition"] | undefined): boolean {
    const wanted = condition && typeFromAST(schema, condition);
    return !wanted || wanted === type || (isAbstractType(wanted) && schema.isSubType(wanted, type));
  }
}
