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
import { describe, expect, it } from "vitest";

import { chargeLists } from "../../../src/graphql/charge-lists.ts";
import { compileOperation } from "../../../src/graphql/compile.ts";

const LENGTH = 1_000;
const FIELDS = Array.from({ length: 30 }, (_, at) => `f${at}`);

/** Counts the items that are resolved in each turn. */
function openList(length: number) {
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
  const query = new GraphQLObjectType({
    name: "Query",
    fields: { items: { type: items, resolve: () => Array.from({ length }, (_, at) => at) } },
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
    const made = compileOperation(schema, document, null);
    if ("failure" in made) throw new Error("not compiled");
    return made.run(context, {});
  },
};

describe.each(Object.entries(runs))("a list that %s resolves", (_, run) => {
  const document = parse(`{ items { seen ${FIELDS.join(" ")} } }`);

  it("is resolved in slices with a turn each if it is long, whole and in its order", async () => {
    const { schema, context, charged, endTurns } = openList(LENGTH);
    const result = await run(schema, document, context);
    const items = Array.from({ length: LENGTH }, (__, at) => expect.objectContaining({ seen: at, f29: at }));
    expect(result).toEqual({ data: { items } });
    expect(charged).toEqual([LENGTH * (FIELDS.length + 1)]);
    expect(endTurns()).toEqual([0, 250, 250, 250, 250]);
  });

  it("is resolved at once if it is short", async () => {
    const { schema, context, endTurns } = openList(100);
    await run(schema, document, context);
    expect(endTurns()).toEqual([100]);
  });
});
