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

const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/**
 * A schema that counts the items that are resolved in each turn. @param lists how many lists of this length the answer
 * has
 */
function openList(length: number, lists = 1) {
  const itemsByTurn: number[] = [];
  /** How many items had been resolved when each list was begun. */
  const begunAfter: number[] = [];
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
  function makeList(): number[] {
    const list = Array.from({ length }, (_, at) => at);
    const map = <T>(each: (item: number, index: number) => T): T[] => {
      begunAfter.push(sum(itemsByTurn) + resolved);
      return Array.from(list, each);
    };
    return Object.defineProperty(list, "map", { value: map });
  }
  const items = new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Item)));
  const query: GraphQLObjectType = new GraphQLObjectType({
    name: "Query",
    fields: () => ({
      items: { type: items, resolve: makeList },
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
  return { schema: chargeLists(new GraphQLSchema({ query })), context, charged, endTurns, begunAfter };
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

  it("Long lists of one answer are begun one after the other, so that few promises wait", async () => {
    const { schema, context, begunAfter } = openList(LENGTH);
    const fields = `{ seen ${FIELDS.join(" ")} }`;
    const result = await run(schema, parse(`{ a: items ${fields} b: items ${fields} c: items ${fields} }`), context);
    const items = Array.from({ length: LENGTH }, (__, at) => expect.objectContaining({ seen: at, f29: at }));
    expect(result).toEqual({ data: { a: items, b: items, c: items } });
    expect(begunAfter).toEqual([0, LENGTH, 2 * LENGTH]);
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
    expect(sum(endTurns())).toBe(1_000);
  });
});
