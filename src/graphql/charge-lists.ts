/**
 * Charges a request for each list in its answer, when the list is resolved: for each selected field of each item.
 * Lists make answers long, and their lengths are not known before. So none has to be guessed. Long lists are resolved in
 * slices.
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

import { silentOnceAborted } from "../work/unless-aborted.ts";
import type { GraphqlContext } from "./context.ts";

/**
 * The charge for a field that is looked up for each item, such as a node's neighbours. A field that is only shown is
 * charged 1.
 */
const LOOKED_UP = 100;
/** The items of a list that is charged more than this are resolved in slices, each in a turn of its own. */
const LARGE = 20_000;
/** Resolving so many items takes some milliseconds. */
const ITEMS_PER_SLICE = 250;
/** The fields that are looked up for each item: those with a resolver that answers objects. */
const lookedUp = new WeakSet<object>();

/** Makes every field that answers a list of objects charge the budget of its request. */
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

function charge(list: unknown, context: GraphqlContext, info: GraphQLResolveInfo): unknown {
  if (!Array.isArray(list) || list.length === 0) return list;
  const fields = list.length * countFieldsOfItem(info);
  context.budget.draw("fields", fields);
  return fields > LARGE ? inSlices(list, context) : list;
}

/** Each item resolves with its slice, so that the executor works on one slice at a time. */
function inSlices(
  items: readonly unknown[],
  { nextTurn, signal }: Pick<GraphqlContext, "nextTurn" | "signal">,
): Promise<unknown>[] {
  let slice = Promise.resolve();
  return items.map((item, at) => {
    if (at % ITEMS_PER_SLICE === 0) slice = silentOnceAborted(signal, slice.then(nextTurn));
    return slice.then(() => item);
  });
}

/** Kept, because a document is parsed once and executed many times. */
const counted = new WeakMap<SelectionSetNode, number>();

/**
 * Counts the selected fields of one item of a list. Fields within the item's own lists are charged with those lists.
 * Fields under a type condition always count, whatever the item's type.
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
