import {
  execute,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  parse,
  type DocumentNode,
} from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { describe, expect, it } from "vitest";

import { chargeLists } from "../../../src/graphql/charge-lists.ts";

const LENGTH = 1_000;
const FIELDS = Array.from({ length: 30 }, (_, at) => `f${at}`);

/**
 * A schema that counts the items that are resolved in each turn. @param lists how many lists of this length the answer
 * has
 */
function openList(length: number, lists = 1) {
  const itemsByTurn: number[] = [];
  let resolved = 0;
  const Item = new GraphQLObjectType<number>({
    name: "Item",
    fields: {
      ...Object.fromEntries(FIELDS.map((name) => [name, { type: GraphQLInt, resolve: (item: number) => item }])),
      seen: {
        type: GraphQLInt,
        resolve(item) {
          resolved++;
          return item;
        },
      },
    },
  });
  const items = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Item)));
  const query: GraphQLObjectType = new GraphQLObjectType({
    name: "Query",
    fields: () => ({
      items: { type: items, resolve: () => Array.from({ length }, (_, at) => at) },
      groups: { type: new GraphQLList(query), resolve: () => Array.from({ length: lists }, () => ({})) },
    }),
  });
  const charged: number[] = [];
  const context = {
    budget: { draw: (_: string, amount: number) => void charged.push(amount) },
    signal: new AbortController().signal,
    async nextTurn() {
      await new Promise(setImmediate);
      itemsByTurn.push(resolved);
      resolved = 0;
    },
  };
  const endTurns = (): number[] => [...itemsByTurn, resolved];
  return { schema: chargeLists(new GraphQLSchema({ query })), context, charged, endTurns };
}

const runs: Record<string, (schema: GraphQLSchema, document: DocumentNode, context: unknown) => unknown> = {
  "graphql-js": (schema, document, contextValue) => execute({ schema, document, contextValue }),
  "graphql-jit": (schema, document, context) => {
    const compiled = compileQuery(schema, document);
    if (!isCompiledQuery(compiled)) throw new Error("not compiled");
    return compiled.query(undefined, context, {});
  },
};

describe.each(Object.entries(runs))("A list that %s resolves", (_, run) => {
  const document = parse(`{ items { seen ${FIELDS.join(" ")} } }`);

  it("A long list is resolved in slices, one a turn, complete and in order", async () => {
    const { schema, context, charged, endTurns } = openList(LENGTH);
    const result = await run(schema, document, context);
    const items = Array.from({ length: LENGTH }, (__, at) => expect.objectContaining({ seen: at, f29: at }));
    expect(result).toEqual({ data: { items } });
    expect(charged).toEqual([LENGTH * (FIELDS.length + 1)]);
    expect(endTurns()).toEqual([322, 322, 322, 34]);
  });

  it("A short list is resolved at once", async () => {
    const { schema, context, endTurns } = openList(100);
    await run(schema, document, context);
    expect(endTurns()).toEqual([100]);
  });

  it("A list waits for a later turn if other lists of the answer have filled this one", async () => {
    const { schema, context, endTurns } = openList(100, 10);
    const result = await run(schema, parse(`{ groups { items { seen ${FIELDS.join(" ")} } } }`), context);
    const group = { items: Array.from({ length: 100 }, (__, at) => expect.objectContaining({ seen: at })) };
    expect(result).toEqual({ data: { groups: Array.from({ length: 10 }, () => group) } });
    expect(Math.max(...endTurns())).toBeLessThanOrEqual(323);
    expect(endTurns().reduce((sum, items) => sum + items, 0)).toBe(1_000);
  });
});
