/**
 * Charges a request for the lists in its answer, each as it comes to be: for each selected field of each item.
 * Lists are what an answer grows by; how long they are, nobody knows before. So no list has to be judged by a guess.
 */
import {
  defaultFieldResolver,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isCompositeType,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from "graphql";

import type { GraphqlContext } from "./context.ts";

/**
 * What a field counts that is looked up for each item by itself, such as a node's neighbours: it costs so many times what
 * a field does that is simply shown.
 */
const LOOKED_UP = 100;
/** A list that counts more has a turn of its own to be gone through: some milliseconds of work. */
const LARGE = 20_000;
/** The fields of which this holds: they answer objects by a function of their own. */
const lookedUp = new WeakSet<object>();

/** Makes every field that answers a list of objects draw on the budget of its request. */
export function chargeLists(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(isObjectType(type) || isInterfaceType(type)) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.resolve !== undefined && isCompositeType(getNamedType(field.type))) lookedUp.add(field);
      if (isObjectType(type) && isListOfObjects(field.type)) chargeList(field);
    }
  }
  return schema;
}

function isListOfObjects(type: GraphQLOutputType): boolean {
  return isListType(getNullableType(type)) && isCompositeType(getNamedType(type));
}

function chargeList(field: GraphQLField<unknown, GraphqlContext>): void {
  const resolve = field.resolve ?? defaultFieldResolver;
  field.resolve = (parent, args, context, info) => {
    const answer: unknown = resolve(parent, args, context, info);
    if (answer instanceof Promise) return answer.then((list: unknown) => charge(list, context, info));
    return charge(answer, context, info);
  };
}

function charge(list: unknown, { budget, nextTurn }: GraphqlContext, info: GraphQLResolveInfo): unknown {
  if (!Array.isArray(list) || list.length === 0) return list;
  const fields = list.length * countFieldsOfItem(info);
  budget.draw("fields", fields);
  return fields > LARGE ? nextTurn().then(() => list as unknown[]) : list;
}

/** A document is parsed once, and executed many times. */
const counted = new WeakMap<SelectionSetNode, number>();

/**
 * The fields that one item of a list has in the answer, without those of its own lists, which are charged there.
 * Fields under a type condition count, whatever the item's type.
 */
function countFieldsOfItem({ fieldNodes, fragments, schema, returnType }: GraphQLResolveInfo): number {
  const item = getNamedType(returnType);
  return fieldNodes.reduce((sum, { selectionSet }) => sum + countIn(selectionSet, item), 0);

  /** Each set of selections is counted once, however many fragments lead to it. */
  function countIn(set: SelectionSetNode | undefined, parent: GraphQLNamedType): number {
    if (set === undefined) return 0;
    const known = counted.get(set);
    if (known !== undefined) return known;
    const count = set.selections.reduce((sum, selection) => {
      if (selection.kind === Kind.FIELD) return sum + countField(selection, parent);
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
      const condition = fragment?.typeCondition && schema.getType(fragment.typeCondition.name.value);
      return sum + countIn(fragment?.selectionSet, condition ?? parent);
    }, 0);
    counted.set(set, count);
    return count;
  }

  function countField({ name, selectionSet }: FieldNode, parent: GraphQLNamedType): number {
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name.value] : undefined;
    if (field === undefined) return 1;
    const own = lookedUp.has(field) ? LOOKED_UP : 1;
    return isListOfObjects(field.type) ? own : own + countIn(selectionSet, getNamedType(field.type));
  }
}
