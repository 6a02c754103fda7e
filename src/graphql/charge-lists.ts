/**
 * Charges a request for each list in its answer, when the list is resolved: for each selected field of each item.
 * Lists make answers long, and their lengths are not known before. So none has to be guessed. What a request resolves is cut
 * into slices, each in a turn of its own.
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
/** Looking a field up takes as long as showing this many. */
const SHOWN_PER_LOOKUP = 10;
/** To show so many fields takes about ten milliseconds. */
const FIELDS_PER_SLICE = 10_000;
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
  const { shown, lookedUp: lookups } = countFieldsOfItem(info);
  context.budget.draw("fields", list.length * (shown + lookups * LOOKED_UP));
  return inSlices(list, shown + lookups * SHOWN_PER_LOOKUP, context);
}

/** The slices of a request. They are counted over all of its lists, because many short ones can resolve at once. */
interface Slices {
  /** The fields in the last slice that was begun. */
  fields: number;
  /** Its turn. The first slice needs none. */
  turn: Promise<void> | null;
  /** Resolves when the long lists before have begun their last slices. */
  line: Promise<void>;
}

const slicesOf = new WeakMap<object, Slices>();

/**
 * Lets a list resolve with the current slice. The items of one that does not fit into it resolve in slices of their own,
 * after the long lists before: each item has a promise then, which takes half a kilobyte.
 */
function inSlices(items: readonly unknown[], fieldsPerItem: number, context: GraphqlContext): unknown {
  const { nextTurn, signal } = context;
  const slices = slicesOf.get(context) ?? { fields: 0, turn: null, line: Promise.resolve() };
  slicesOf.set(context, slices);
  const inTurn = (value: unknown): unknown => slices.turn?.then(() => value) ?? value;
  const begin = (): void => {
    slices.turn = silentOnceAborted(signal, (slices.turn ?? Promise.resolve()).then(nextTurn));
    slices.fields = 0;
  };
  const fields = items.length * fieldsPerItem;
  if (slices.fields + fields <= FIELDS_PER_SLICE) {
    slices.fields += fields;
    return inTurn(items);
  }
  const list = slices.line.then(async () => {
    if (slices.turn !== null) begin();
    await slices.turn;
    return items.map((item) => {
      if (slices.fields + fieldsPerItem > FIELDS_PER_SLICE) begin();
      slices.fields += fieldsPerItem;
      return inTurn(item);
    });
  });
  // If it fails, the list tells it.
  slices.line = list.then(async () => slices.turn ?? undefined).catch(() => {});
  return list;
}

/** Kept, because a document is parsed once and executed many times. */
const counted = new WeakMap<SelectionSetNode, FieldCount>();

interface FieldCount {
  shown: number;
  lookedUp: number;
}

const NO_FIELDS: FieldCount = { shown: 0, lookedUp: 0 };
const SHOWN: FieldCount = { shown: 1, lookedUp: 0 };
const LOOKUP: FieldCount = { shown: 0, lookedUp: 1 };

function sum(counts: readonly FieldCount[]): FieldCount {
  return counts.reduce(
    (total, { shown, lookedUp: more }) => ({ shown: total.shown + shown, lookedUp: total.lookedUp + more }),
    NO_FIELDS,
  );
}

/**
 * Counts the selected fields of one item of a list. Fields within the item's own lists are charged with those lists.
 * Fields under a type condition always count, whatever the item's type.
 */
function countFieldsOfItem({ fieldNodes, fragments, schema, returnType }: GraphQLResolveInfo): FieldCount {
  const item = getNamedType(returnType);
  return sum(fieldNodes.map(({ selectionSet }) => countIn(selectionSet, item)));

  /** Each set of selections is counted once, however many fragments lead to it. */
  function countIn(set: SelectionSetNode | undefined, parent: GraphQLNamedType): FieldCount {
    if (set === undefined) return NO_FIELDS;
    const known = counted.get(set);
    if (known !== undefined) return known;
    const count = sum(
      set.selections.map((selection) => {
        if (selection.kind === Kind.FIELD) return countField(selection, parent);
        const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
        const condition = fragment?.typeCondition && schema.getType(fragment.typeCondition.name.value);
        return countIn(fragment?.selectionSet, condition ?? parent);
      }),
    );
    counted.set(set, count);
    return count;
  }

  function countField({ name, selectionSet }: FieldNode, parent: GraphQLNamedType): FieldCount {
    const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name.value] : undefined;
    if (field === undefined) return SHOWN;
    const own = lookedUp.has(field) ? LOOKUP : SHOWN;
    return isListOfObjects(field.type) ? own : sum([own, countIn(selectionSet, getNamedType(field.type))]);
  }
}
